//! That pictures and weights name what there is.

use crate::fault::{Artifact, Fault};
use crate::written::{KindWeight, Tint};

use super::name::Compiler;

impl Compiler<'_> {
    /// Checks what the definition says beside its rules.
    pub(super) fn hints(&mut self) {
        self.picture();
        self.weights();
    }

    fn picture(&mut self) {
        let picture = &self.definition.picture;
        for sign in &picture.signs {
            let place = format!("picture/{}", sign.kind);
            self.kind(&place, &sign.kind);
            if let Some(player) = &sign.player {
                self.player(&place, player);
            }
        }
        for Tint { player, color } in &picture.colors {
            let place = format!("picture/{player}");
            self.player(&place, player);
            if !Tint::is_color(color) {
                self.fault(&place, Fault::BadColor { color: crate::notation::excerpt(color) });
            }
        }
        let mut drawn = Vec::new();
        for name in picture.rows.iter().flatten().filter(|name| !name.is_empty()) {
            let Some(tile) = self.tile("picture/tiles", name) else { continue };
            if drawn.contains(&tile) {
                let (what, name) = (Artifact::Tile, name.clone());
                self.fault("picture/tiles", Fault::Duplicate { what, name });
            }
            drawn.push(tile);
        }
    }

    fn weights(&mut self) {
        let Some(weights) = &self.definition.weights else { return };
        if let Some(stake) = &weights.stake {
            self.variable("weights/stake", stake);
        }
        let wanted = weights.views.first().map_or(0, |view| view.tiles.len());
        for view in &weights.views {
            let place = format!("weights/view {}", view.player);
            self.player(&place, &view.player);
            for tile in &view.tiles {
                self.tile(&place, tile);
            }
            self.length(&place, view.tiles.len(), wanted);
        }
        for weight in &weights.kinds {
            let place = format!("weights/{}", weight.kind);
            self.kind(&place, &weight.kind);
            for (name, table) in KindWeight::TABLES.iter().zip(weight.tables()) {
                if !table.is_empty() {
                    self.length(&format!("{place}/{name}"), table.len(), wanted);
                }
            }
        }
    }

    fn length(&mut self, place: &str, found: usize, wanted: usize) {
        if found != wanted {
            self.fault(place, Fault::TableLength { found, wanted });
        }
    }
}

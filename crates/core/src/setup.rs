//! Any arrangement, and the one checked door through which it becomes a state.

use std::fmt;

use crate::draft::{Draft, Lifted};
use crate::game::Game;
use crate::id::{DieId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId};
use crate::interpret::Proposal;
use crate::layout::Place;
use crate::state::State;
use crate::written::{Definition, Placement};

/// Any arrangement of pieces, dice and variables, valid or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The player to move.
    pub player: PlayerId,
    /// The pieces on the board.
    pub pieces: Vec<Stand>,
    /// Variables that differ from their start: which, whose, what.
    pub variables: Vec<(VariableId, PlayerId, i64)>,
    /// What dice show.
    pub dice: Vec<(DieId, u8)>,
    /// Marks of tiles.
    pub marks: Vec<(MarkId, TileId)>,
    /// What players hold in hand; when left out, every piece of the definition that is not on the
    /// board.
    pub hands: Option<Vec<Held>>,
}

/// A piece in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Who holds it.
    pub player: PlayerId,
    /// Its kind.
    pub kind: KindId,
    /// Which piece; when left out, the first that fits.
    pub piece: Option<PieceId>,
}

/// A piece on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The tile.
    pub tile: TileId,
    /// Whose piece.
    pub owner: PlayerId,
    /// Its kind.
    pub kind: KindId,
    /// Its flags, a bit for each [`FlagId`].
    pub flags: u64,
    /// Which piece; when left out, the first that fits.
    pub piece: Option<PieceId>,
}

/// Every reason why a setup is no state, found at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupErrors(pub Vec<SetupError>);

/// One reason why a setup is no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// An id that this game does not have.
    Foreign,
    /// Two pieces on a tile that holds one.
    TileTaken(TileId),
    /// More pieces of an owner than the game has, or none that can be of the kind.
    NoPieceLeft(PlayerId, KindId),
    /// A piece that stands twice, or that belongs to another owner.
    WrongPiece(PieceId),
    /// Flags on a tile that holds many.
    FlagsOnStack(TileId),
    /// A variable outside its bounds.
    OutOfBounds(VariableId, i64),
    /// A die that cannot show this.
    BadDie(DieId, u8),
    /// A requirement of the game that is not met, by its number.
    Requirement(usize, String),
}

impl Setup {
    /// An empty board.
    pub fn empty(player: PlayerId) -> Setup {
        Setup {
            player,
            pieces: Vec::new(),
            variables: Vec::new(),
            dice: Vec::new(),
            marks: Vec::new(),
            hands: None,
        }
    }

    /// The start as the definition has it. Its names were checked when the game was compiled.
    pub(crate) fn start(game: &Game) -> Setup {
        let d: &Definition = &game.definition;
        let stand = |placement: &Placement| {
            let piece = game.piece(&placement.piece)?;
            let flags = placement.flags.iter().filter_map(|name| game.flag(name));
            Some(Stand {
                tile: game.tile(&placement.tile)?,
                owner: game.owner(piece),
                kind: game.pieces[piece.index()].kind,
                flags: flags.fold(0, |flags, flag| flags | 1 << flag.index()),
                piece: Some(piece),
            })
        };
        let marks = d.marks.iter().flat_map(|mark| {
            let tiles = mark.tiles.iter().filter_map(|tile| game.tile(tile));
            tiles.filter_map(|tile| Some((game.mark(&mark.name)?, tile)))
        });
        Setup {
            pieces: d.setup.iter().filter_map(stand).collect(),
            marks: marks.collect(),
            ..Setup::empty(PlayerId(0))
        }
    }

    /// The setup that a state is.
    pub fn of(game: &Game, state: &State) -> Setup {
        let view = game.view(state);
        let mut setup = Setup::empty(view.seat());
        for tile in game.tiles() {
            setup.pieces.extend(view.pieces_at(tile).map(|piece| {
                let now = view.piece(piece);
                let (owner, kind, flags) = (now.owner, now.kind, now.flags);
                Stand { tile, owner, kind, flags, piece: Some(piece) }
            }));
            let marks = game.marks().filter(|&mark| view.is_marked(tile, mark));
            setup.marks.extend(marks.map(|mark| (mark, tile)));
        }
        setup.pieces.sort_by_key(|stand| stand.piece);
        if game.has_hands() && !game.layout.hand_follows {
            let held = game.pieces().filter_map(|piece| {
                match game.layout.place(view.state.words(), piece) {
                    Place::Hand(player) => {
                        Some(Held { player, kind: view.kind_of(piece), piece: Some(piece) })
                    }
                    _ => None,
                }
            });
            setup.hands = Some(held.collect());
        }
        for variable in game.variables() {
            let slot = game.layout.variable(variable);
            for seat in (0..slot.fields.len()).map(PlayerId::at) {
                setup.variables.push((variable, seat, view.variable(variable, seat)));
            }
        }
        setup.dice = game.dice().filter_map(|die| Some((die, view.die(die)?))).collect();
        setup
    }
}

impl Game {
    /// The state that a setup means, or every reason why it means none.
    pub fn state(&self, setup: &Setup) -> Result<State, SetupErrors> {
        let mut state = self.arrange(setup)?;
        let mut engine = self.engine();
        let mover = setup.player.index();
        let mut errors = Vec::new();
        for (number, requirement) in self.requirements.iter().enumerate() {
            let holds = self.entries.requirements[number][mover];
            if !engine.holds(holds, Proposal::NONE, &state) {
                errors.push(SetupError::Requirement(number, requirement.name.clone()));
            }
        }
        if !errors.is_empty() {
            return Err(SetupErrors(errors));
        }
        if self.turns_pass {
            engine.clear_idle_flags(&mut state);
        }
        Ok(state)
    }

    /// The state of an arrangement, whether or not it meets the game's requirements.
    pub(crate) fn arrange(&self, setup: &Setup) -> Result<State, SetupErrors> {
        let mut errors = Vec::new();
        if !self.has_all(setup) {
            return Err(SetupErrors(vec![SetupError::Foreign]));
        }
        let mut free = vec![true; self.pieces.len()];
        let pieces = self.assign(setup, &mut free, &mut errors);
        let mut draft = Draft::new(self, State::blank(self.tag(), self.layout.words));
        self.prepare(&mut draft);
        let mut taken: Vec<TileId> = Vec::new();
        for (stand, piece) in setup.pieces.iter().zip(pieces) {
            let stacks = self.layout.stacks(stand.tile);
            if stacks && stand.flags != 0 {
                errors.push(SetupError::FlagsOnStack(stand.tile));
            }
            if !stacks && taken.contains(&stand.tile) {
                errors.push(SetupError::TileTaken(stand.tile));
                continue;
            }
            taken.push(stand.tile);
            if piece.is_some() {
                let (owner, kind, flags) = (stand.owner, stand.kind, stand.flags);
                draft.set_down(Lifted { piece, owner, kind, flags }, stand.tile);
            }
        }
        self.fill_hands(setup, &mut free, &mut draft, &mut errors);
        for &(mark, tile) in &setup.marks {
            draft.mark(tile, 1 << mark.index(), 0);
        }
        for &(variable, of, value) in &setup.variables {
            let slot = self.layout.variable(variable);
            if value < slot.min || value > slot.max {
                errors.push(SetupError::OutOfBounds(variable, value));
            }
            draft.set_variable(variable, of, value);
        }
        for &(die, shows) in &setup.dice {
            if shows > self.definition.dice[die.index()].sides {
                errors.push(SetupError::BadDie(die, shows));
            } else {
                draft.set_die(die, shows);
            }
        }
        draft.set_turn(setup.player);
        if errors.is_empty() { Ok(draft.state) } else { Err(SetupErrors(errors)) }
    }

    /// Whether players hold pieces in hand.
    pub(crate) fn has_hands(&self) -> bool {
        self.players()
            .any(|player| self.kinds().any(|kind| self.layout.hand(player, kind).is_some()))
    }

    /// Gives players what they hold in hand.
    fn fill_hands(
        &self,
        setup: &Setup,
        free: &mut [bool],
        draft: &mut Draft<'_>,
        errors: &mut Vec<SetupError>,
    ) {
        let held = |piece: PieceId| {
            let entry = self.pieces[piece.index()];
            let kept = self.layout.hand(entry.owner, entry.kind).is_some();
            let (player, kind) = (entry.owner, entry.kind);
            kept.then_some(Held { player, kind, piece: Some(piece) })
        };
        let unplaced = || self.pieces().filter(|piece| free[piece.index()]).filter_map(held);
        let hands = setup.hands.clone().unwrap_or_else(|| unplaced().collect());
        for Held { player, kind, piece } in hands {
            let same = |one: &PieceId| {
                let entry = self.pieces[one.index()];
                entry.owner == player && entry.kind == kind
            };
            let fits = |one: &PieceId| free[one.index()] && self.can_be(*one, player, kind);
            let exact = || self.pieces().filter(fits).find(same);
            let any = || self.pieces().find(fits);
            if let Some(piece) = piece.filter(|piece| !fits(piece)) {
                errors.push(SetupError::WrongPiece(piece));
                continue;
            }
            let Some(piece) = piece.or_else(exact).or_else(any) else {
                errors.push(SetupError::NoPieceLeft(player, kind));
                continue;
            };
            free[piece.index()] = false;
            draft
                .give_to_hand(Lifted { piece: Some(piece), owner: player, kind, flags: 0 }, player);
        }
    }

    /// Whether a piece can be of an owner and kind at some time.
    fn can_be(&self, piece: PieceId, owner: PlayerId, kind: KindId) -> bool {
        let first = self.pieces[piece.index()];
        (self.layout.trades() || first.owner == owner)
            && (self.layout.changing || first.kind == kind)
    }

    /// Variables at their start and pieces of their first kind and owner.
    fn prepare(&self, draft: &mut Draft<'_>) {
        for piece in self.pieces() {
            let entry = self.pieces[piece.index()];
            self.layout.describe(draft.state.words_mut(), piece, entry.owner, entry.kind);
        }
        for variable in self.variables() {
            let slot = self.layout.variable(variable);
            for seat in (0..slot.fields.len()).map(PlayerId::at) {
                draft.set_variable(variable, seat, slot.start);
            }
        }
    }

    fn has_all(&self, setup: &Setup) -> bool {
        let d = &self.definition;
        let stand = |one: &Stand| {
            one.tile.index() < d.tiles.len()
                && one.owner.index() < d.players.len()
                && one.kind.index() < d.kinds.len()
                && one.piece.is_none_or(|piece| piece.index() < self.pieces.len())
                && (d.flags.len() == 64 || one.flags >> d.flags.len() == 0)
        };
        let variable = |&(id, of, _): &(VariableId, PlayerId, i64)| {
            id.index() < d.variables.len() && of.index() < d.players.len()
        };
        setup.player.index() < self.seat_count()
            && setup.pieces.iter().all(stand)
            && setup.variables.iter().all(variable)
            && setup.dice.iter().all(|(die, _)| die.index() < d.dice.len())
            && setup
                .marks
                .iter()
                .all(|(mark, tile)| mark.index() < d.marks.len() && tile.index() < d.tiles.len())
            && setup.hands.iter().flatten().all(|held| {
                held.player.index() < d.players.len()
                    && held.kind.index() < d.kinds.len()
                    && held.piece.is_none_or(|piece| piece.index() < self.pieces.len())
                    && self.layout.hand(held.player, held.kind).is_some()
            })
    }

    /// Which piece each stand is: the one named, else the first free one of its kind, else, where
    /// pieces change their kind, the first free one of its owner.
    fn assign(
        &self,
        setup: &Setup,
        free: &mut [bool],
        errors: &mut Vec<SetupError>,
    ) -> Vec<Option<PieceId>> {
        let mut pieces: Vec<Option<PieceId>> = vec![None; setup.pieces.len()];
        let fits = |piece: PieceId, stand: &Stand| self.can_be(piece, stand.owner, stand.kind);
        for (stand, slot) in setup.pieces.iter().zip(&mut pieces) {
            let Some(piece) = stand.piece else { continue };
            if !free[piece.index()] || !fits(piece, stand) {
                errors.push(SetupError::WrongPiece(piece));
                continue;
            }
            free[piece.index()] = false;
            *slot = Some(piece);
        }
        // In the order of the tiles, however the setup lists them: the same arrangement is the same
        // state.
        let mut order: Vec<usize> = (0..setup.pieces.len()).collect();
        order.sort_by_key(|&at| setup.pieces[at].tile);
        for exact in [true, false] {
            for &at in &order {
                let (stand, slot) = (&setup.pieces[at], &mut pieces[at]);
                if slot.is_some() || stand.piece.is_some() {
                    continue;
                }
                let same = |piece: PieceId| {
                    let entry = self.pieces[piece.index()];
                    entry.kind == stand.kind && entry.owner == stand.owner
                };
                *slot = self.pieces().find(|&piece| {
                    free[piece.index()] && fits(piece, stand) && (!exact || same(piece))
                });
                if let Some(piece) = *slot {
                    free[piece.index()] = false;
                } else if !exact {
                    errors.push(SetupError::NoPieceLeft(stand.owner, stand.kind));
                }
            }
        }
        errors.dedup();
        pieces
    }
}

impl SetupError {
    /// A word for programs that tell reasons apart; for a requirement, its name.
    pub fn kind(&self) -> &str {
        match self {
            SetupError::Foreign => "foreign id",
            SetupError::TileTaken(_) => "tile taken",
            SetupError::NoPieceLeft(..) => "too many pieces",
            SetupError::WrongPiece(_) => "wrong piece",
            SetupError::FlagsOnStack(_) => "flags on a stack",
            SetupError::OutOfBounds(..) => "variable out of bounds",
            SetupError::BadDie(..) => "die out of bounds",
            SetupError::Requirement(_, name) => name,
        }
    }

    /// The reason in words.
    pub fn text(&self, game: &Game) -> String {
        match self {
            SetupError::Foreign => "the setup names something this game does not have".into(),
            SetupError::TileTaken(tile) => {
                format!("two pieces on {}, which holds one", game.tile_name(*tile))
            }
            SetupError::NoPieceLeft(owner, kind) => {
                let (owner, kind) = (game.player_name(*owner), game.kind_name(*kind));
                format!("{owner} has no piece left to be a {kind}")
            }
            SetupError::WrongPiece(piece) => {
                format!("{} cannot stand there, or is placed twice", game.piece_name(*piece))
            }
            SetupError::FlagsOnStack(tile) => {
                format!("flags on {}, which holds many pieces", game.tile_name(*tile))
            }
            SetupError::OutOfBounds(variable, found) => {
                let slot = game.layout.variable(*variable);
                let name = game.variable_name(*variable);
                format!("{name} is {found}, but must be from {} to {}", slot.min, slot.max)
            }
            SetupError::BadDie(die, shows) => {
                let sides = game.definition.dice[die.index()].sides;
                format!("die {} shows {shows}, but has the faces 1 to {sides}", game.die_name(*die))
            }
            SetupError::Requirement(_, name) => name.clone(),
        }
    }
}

impl fmt::Display for SetupErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.0.iter().map(SetupError::kind).collect();
        write!(f, "no valid state: {}", kinds.join(", "))
    }
}

impl std::error::Error for SetupErrors {}

/// The flags of a mask, in order.
pub(crate) fn flags_of(game: &Game, mask: u64) -> impl Iterator<Item = FlagId> {
    game.flags().filter(move |flag| mask >> flag.index() & 1 == 1)
}

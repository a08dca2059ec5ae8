//! The layers as data frames.

use std::sync::Arc;

use datafusion::prelude::{SessionContext, col, lit};
use senet_timeline::{Request, Timeline};
use senet_timeline_sql::{Shelf, context, layer};

fn counted(frame: datafusion::error::Result<datafusion::dataframe::DataFrame>) -> usize {
    let frame = frame.expect("it can be made");
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    runtime.block_on(frame.count()).expect("it can be counted")
}

#[test]
fn every_game_has_its_layers_as_data_frames() {
    let shelf = Arc::new(Shelf::default());
    let context: SessionContext = context(&shelf, 2);
    for entry in senet_registry::GAMES {
        let subject = shelf.find(entry.name).expect("it is registered");
        let (game, state) = (&subject.game, subject.game.start());
        let tiles = game.players().count() * game.tile_count();
        assert_eq!(counted(layer::perspectives(&context, &subject, &state)), tiles);
        let threats = layer::perspectives_with_threats(&context, &subject, &state);
        let threats = threats.and_then(|frame| frame.filter(col("threatened").eq(lit(true))));
        let attacked = game.players().map(|player| game.threatened_by_foes(&state, player).len());
        assert_eq!(counted(threats), attacked.sum::<usize>());
        let candidates = game.candidates(&state).len();
        assert_eq!(counted(layer::simulate(&context, &subject, &state)), candidates);
        let legal = game.filter_legal(&state, &game.candidates(&state)).len();
        assert_eq!(counted(layer::filter_legal(&context, &subject, &state)), legal);
        let timeline = Timeline::new(subject.clone(), Request::below(state.clone(), 1));
        let timeline = timeline.expect("it makes sense");
        let rows = game.legal_count(&state) as usize;
        assert_eq!(counted(layer::build_timeline(&context, &timeline)), rows, "{}", entry.name);
    }
}

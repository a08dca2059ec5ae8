//! What is told of a text that a player asks about: one event, several that it may mean, or a
//! whole turn.

use senet::notation::{Meant, TurnError};
use senet::render::Marks;
use senet::{Event, Turn};

use crate::answer::{self, Explanation};
use crate::context::Context;
use crate::failure::Failure;

/// An explanation, and what is marked on the board for it.
pub(crate) struct Told {
    pub(crate) explanation: Explanation,
    pub(crate) marks: Marks,
}

impl Told {
    /// Explains what a text means, or fails where it means nothing.
    pub(crate) fn of(context: &Context, text: &str) -> Result<Told, Failure> {
        let readings = context.readings(text);
        let is_legal = |event: &Event| context.position.accepts(*event);
        match readings {
            Ok(events) if events.iter().any(is_legal) => {
                Ok(Told::of_events(context, text, &events))
            }
            readings => match (readings, context.position.parse_turn(text)) {
                (_, Ok(Meant::Turn(turn))) if turn.len() > 1 => {
                    Ok(Told::of_turn(context, &Meant::Turn(turn).events()))
                }
                (Ok(events), _) => Ok(Told::of_events(context, text, &events)),
                (Err(_), Err(TurnError::Refused(refusal))) => {
                    let event = senet::excerpt(text.trim());
                    let said = format!("{event} is refused: {refusal}");
                    let explanation = Explanation::of_play(event, false, Vec::new(), said);
                    Ok(Told { explanation, marks: Marks::default() })
                }
                (Err(failure), _) => Err(failure),
            },
        }
    }

    /// Explains events of which a text means one.
    pub(crate) fn of_events(context: &Context, text: &str, events: &[Event]) -> Told {
        let explanation = Explanation::of(context, text, events);
        Told { explanation, marks: context.marks(events) }
    }

    /// Explains events that are legal one after the other.
    fn of_turn(context: &Context, events: &[Event]) -> Told {
        let mut now = Context { position: context.position.clone() };
        let (mut steps, mut marks) = (Vec::new(), Marks::default());
        for &event in events {
            marks = marks.explaining(&now.position.explain_event(event));
            steps.push(Explanation::new(&now, event));
            match now.position.apply(event) {
                Ok(step) => now.position = step.position,
                Err(_) => break,
            }
        }
        let turn = Turn { events: events.to_vec(), position: now.position };
        let event = context.position.notate_turn(&turn);
        let lines = steps.iter().map(|step| step.text.as_str());
        let first = format!("{event} is accepted");
        let said = std::iter::once(first.as_str()).chain(lines).collect::<Vec<_>>().join("\n");
        Told { explanation: Explanation::of_play(event, true, steps, said), marks }
    }
}

impl Explanation {
    /// What is said of a whole turn, with each of its events where it is legal.
    fn of_play(
        event: String,
        accepted: bool,
        steps: Vec<Explanation>,
        text: String,
    ) -> Explanation {
        let phase = steps.first().and_then(answer::Explanation::phase);
        let mut told = Explanation::bare(event, accepted, phase, text);
        told.steps = steps;
        told
    }
}

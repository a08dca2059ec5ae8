//! `senet analyse`: the best moves of a position, with what each is worth and how play goes on.

use senet_bots::{Bot, Limit, Moment, Spec, WIN};
use senet_core::{Event, Game, PlayerId, State, Turn};
use serde::Serialize;

use crate::context::{Context, Subject};
use crate::failure::{Code, Failure};
use crate::output::{Output, columns};
use crate::shelf::Edition;
use crate::{complete, opponent, progress};

const EXAMPLES: &str = "\
Examples:
  senet analyse chess --position '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1'
  senet analyse tic-tac-toe --position '3/1x1/3 o' --bot search:9 --lines 2
  senet analyse backgammon --position 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10' --bot search:1

Every turn that can be played is tried, and the opponent is asked what it thinks of the position
after it; where dice come next, of each roll. The value is that of the player to move, in the units
of the game's weights: hundredths of a pawn in chess. A win counts 30000, and is told as `wins`.";

/// Who judges when nobody is named.
pub(crate) const BOT: &str = "search:2";

/// How many moves are shown when no number is given.
pub(crate) const LINES: usize = 5;

/// Finds the best moves of a position.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// Who judges: search or mcts, with a budget as `duel` takes it.
    #[arg(long, value_name = "BOT", default_value = BOT)]
    #[arg(value_parser = complete::bots(), hide_possible_values = true)]
    bot: String,
    /// How many of the best moves are shown.
    #[arg(long, value_name = "N", default_value_t = LINES)]
    lines: usize,
}

/// The best moves of a position.
#[derive(Serialize)]
pub(crate) struct Answer<'g> {
    game: &'g str,
    position: String,
    player: &'g str,
    bot: String,
    moves: Vec<Judged>,
}

/// A turn and what it is worth.
#[derive(Serialize)]
struct Judged {
    notation: String,
    /// To the player to move; a win counts 30000.
    value: i32,
    /// How play is expected to go on, up to the next dice.
    line: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let answer = Answer::new(&context, &args.bot, args.lines)?;
    if output.is_json() {
        return Ok(output.json(&answer)?);
    }
    if answer.moves.is_empty() {
        output.line("no moves")?;
    }
    let row = |one: &Judged| [one.notation.clone(), worth(one.value), one.line.join(" ")];
    for line in columns(&answer.moves.iter().map(row).collect::<Vec<_>>()) {
        output.line(line)?;
    }
    Ok(())
}

impl<'g> Answer<'g> {
    /// What an opponent thinks of the moves of a position.
    pub(crate) fn new(
        context: &'g Context,
        bot: &str,
        lines: usize,
    ) -> Result<Answer<'g>, Failure> {
        let spec: Spec = bot
            .parse()
            .map_err(|error: senet_bots::SpecError| Failure::params(error.to_string()))?;
        let Context { edition: Edition { game, .. }, state } = context;
        if game.awaits_chance(state) {
            let message = "the dice decide first: give a position with dice, or apply a roll";
            return Err(Failure::new(Code::InvalidPosition, message, serde_json::Value::Null));
        }
        let weights = opponent::weights_of(&context.edition)?;
        let bot = spec.bot(game, weights.as_ref(), 0)?;
        Ok(Answer {
            game: game.name(),
            position: context.position(),
            player: context.player(),
            bot: spec.to_string(),
            moves: judged(context, bot, lines),
        })
    }
}

/// The best turns, the best first. Of turns that are worth the same, the first in the order of the
/// rules comes first.
fn judged(context: &Context, bot: Box<dyn Bot>, lines: usize) -> Vec<Judged> {
    let Context { edition: Edition { game, notation, .. }, state } = context;
    let player = game.view(state).player();
    let mut judge = Judge { game, bot, player };
    let turns = game.turns(state);
    let bar = progress::bar(turns.len() as u64, "moves");
    let mut judged: Vec<(i32, Vec<Event>, Turn)> = Vec::new();
    for turn in turns {
        let (value, line) = judge.value(&turn.state);
        judged.push((value, line, turn));
        bar.inc(1);
    }
    bar.finish_and_clear();
    judged.sort_by_key(|(value, _, _)| std::cmp::Reverse(*value));
    judged.truncate(lines);
    let write = |(value, line, turn): (i32, Vec<Event>, Turn)| Judged {
        notation: notation.notate_turn(game, state, &turn),
        value,
        line: written(context, &turn.state, &line),
    };
    judged.into_iter().map(write).collect()
}

/// Events, each written in the state it is played in.
fn written(context: &Context, from: &State, line: &[Event]) -> Vec<String> {
    let Edition { game, notation, .. } = &context.edition;
    let mut now = from.clone();
    let mut words = Vec::new();
    for &event in line {
        let Some(step) = game.attempt(&now, event) else { break };
        words.push(notation.notate(game, &now, event));
        now = step.state;
    }
    words
}

struct Judge<'g> {
    game: &'g Game,
    bot: Box<dyn Bot>,
    player: PlayerId,
}

impl Judge<'_> {
    /// What a state is worth to the player, and how play is expected to go on.
    fn value(&mut self, state: &State) -> (i32, Vec<Event>) {
        let game = self.game;
        if !game.has_legal(state) {
            let winner = game.outcome(state).and_then(|outcome| outcome.winner);
            return (
                winner.map_or(0, |winner| if winner == self.player { WIN } else { -WIN }),
                vec![],
            );
        }
        if game.awaits_chance(state) {
            return (self.mean(state), Vec::new());
        }
        let thought = self.bot.choose(&Moment::of(state), &Limit::NONE);
        let mine = game.view(state).player() == self.player;
        thought.map_or((0, Vec::new()), |thought| {
            (if mine { thought.value } else { -thought.value }, thought.line)
        })
    }

    /// The mean over all that chance may give.
    fn mean(&mut self, state: &State) -> i32 {
        let game = self.game;
        let (mut sum, mut all) = (0, 0);
        for chance in game.chances(state) {
            let Some(step) = game.attempt(state, chance.event) else { continue };
            let weight = chance.probability.weight as i64;
            sum += weight * i64::from(self.value(&step.state).0);
            all += weight;
        }
        (sum / all.max(1)) as i32
    }
}

/// A value as people read it.
fn worth(value: i32) -> String {
    match value {
        _ if value > WIN - 1_000 => "wins".to_owned(),
        _ if value < 1_000 - WIN => "loses".to_owned(),
        _ => format!("{value:+}"),
    }
}

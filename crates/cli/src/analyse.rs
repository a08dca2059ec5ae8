//! `senet analyse`: the best moves of a position, with what each is worth and how play goes on.

use senet::bots::{Bot, Limit, Spec, SpecError, WIN};
use senet::{Event, Match, PlayerId, Position, Turn};
use serde::Serialize;

use crate::context::{Context, Subject};
use crate::failure::{Code, Failure};
use crate::output::{Output, columns};
use crate::{complete, progress};

const EXAMPLES: &str = "\
Examples:
  senet analyse chess --position '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1'
  senet analyse tic-tac-toe --position '3/1x1/3 o' --bot search:9 --lines 2
  senet analyse backgammon --position 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10' --bot search:1

Every legal turn is tried, and the opponent evaluates the position after it, or after each roll
where dice come next. The value is that of the player to move, in the units
of the game's weights: hundredths of a pawn in chess. A win counts 30000, and is shown as `wins`.";

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
    /// The opponent that evaluates positions: search or mcts, with a budget as in `duel`.
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
        let spec: Spec =
            bot.parse().map_err(|error: SpecError| Failure::params(error.to_string()))?;
        if context.position.awaits_chance() {
            let message = "the dice decide first: give a position with dice, or apply a roll";
            return Err(Failure::new(Code::InvalidPosition, message, serde_json::Value::Null));
        }
        let game = context.game();
        let bot = game.bot(spec, 0);
        Ok(Answer {
            game: game.name(),
            position: context.position.to_string(),
            player: context.player(),
            bot: spec.to_string(),
            moves: judged(&context.position, bot, lines)?,
        })
    }
}

/// The best turns, the best first. Of turns that are worth the same, the first in the order of the
/// rules comes first.
fn judged(position: &Position, bot: Bot, lines: usize) -> Result<Vec<Judged>, Failure> {
    let mut judge = Judge { bot, player: position.player() };
    let turns = position.turns()?;
    let bar = progress::bar(turns.len() as u64, "moves");
    let mut judged: Vec<(i32, Vec<Event>, Turn)> = Vec::new();
    for turn in turns {
        let (value, line) = judge.value(&turn.position);
        judged.push((value, line, turn));
        bar.inc(1);
    }
    bar.finish_and_clear();
    judged.sort_by_key(|(value, _, _)| std::cmp::Reverse(*value));
    judged.truncate(lines);
    let write = |(value, line, turn): (i32, Vec<Event>, Turn)| Judged {
        notation: position.notate_turn(&turn),
        value,
        line: written(&turn.position, &line),
    };
    Ok(judged.into_iter().map(write).collect())
}

/// Events, each written in the position it is played in.
fn written(from: &Position, line: &[Event]) -> Vec<String> {
    from.line(line).map(|(before, step)| before.notate(step.event)).collect()
}

struct Judge {
    bot: Bot,
    player: PlayerId,
}

impl Judge {
    /// What a position is worth to the player, and how play is expected to go on.
    fn value(&mut self, position: &Position) -> (i32, Vec<Event>) {
        if !position.has_legal() {
            let winner = position.outcome().and_then(|outcome| outcome.winner);
            let value = winner.map_or(0, |winner| if winner == self.player { WIN } else { -WIN });
            return (value, Vec::new());
        }
        if position.awaits_chance() {
            return (self.mean(position), Vec::new());
        }
        let thought = self.bot.choose(&Match::at(position.clone()), &Limit::NONE);
        let thought = thought.expect("the opponent was made for this game");
        let mine = position.player() == self.player;
        thought.map_or((0, Vec::new()), |thought| {
            (if mine { thought.value } else { -thought.value }, thought.line)
        })
    }

    /// The mean over all that chance may give.
    fn mean(&mut self, position: &Position) -> i32 {
        let (mut sum, mut all) = (0, 0);
        for chance in position.chances() {
            let Ok(step) = position.apply(chance.event) else { continue };
            let weight = chance.probability.weight as i64;
            sum += weight * i64::from(self.value(&step.position).0);
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

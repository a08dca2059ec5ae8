//! `senet doc`: a page about a game.

use senet::define::{Listing, Rule, Truth, Wanted};
use senet::{Game, Viewer};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, counted};
use crate::play::aligned;
use crate::shelf;

const EXAMPLES: &str = "\
Examples:
  senet doc othello > othello.md
  senet doc my-game.senet";

/// Writes a page about a game in Markdown: its start, its rules in words, how it ends.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name, or a file.
    game: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let game = shelf::open(&args.game)?;
    let page = page(&game);
    if output.is_json() {
        return Ok(output.json(&json!({ "game": game.name(), "page": page }))?);
    }
    Ok(output.text(&page)?)
}

fn page(game: &Game) -> String {
    let definition = game.definition();
    let mut page = format!("# {}\n", game.name());
    let mut section = |text: String| {
        page.push('\n');
        page.push_str(&text);
    };
    if let Some(summary) = game.summary() {
        section(format!("{summary}\n"));
    }
    let players: Vec<&str> = definition.players.iter().map(|one| one.name.as_str()).collect();
    let pieces: Vec<&str> = definition.kinds.iter().map(|one| one.name.as_str()).collect();
    let mut there = format!("Players: {}.", players.join(", "));
    if !pieces.is_empty() {
        let tiles = counted(definition.tiles.len() as u64, "tile");
        there.push_str(&format!(" Board: {tiles}. Pieces: {}.", pieces.join(", ")));
    }
    section(format!("{there}\n"));
    let start = game.start();
    if !pieces.is_empty() {
        section(format!("```text\n{}\n```\n", start.draw().trim_end()));
    }
    if game.has_secrets() {
        let seen = start.observe(Viewer::Player(start.player())).table(game.rules());
        let player = game.player_name(start.player());
        let lines = aligned(&seen).join("\n");
        section(format!(
            "What {player} sees beside the board at the start:\n\n```text\n{lines}\n```\n"
        ));
    }
    section("## Rules\n".into());
    for phase in &definition.phases {
        if definition.phases.len() > 1 {
            section(format!("### {}\n\nOpen when {}.\n", phase.name, phase.when));
        }
        section(phase.rules.iter().map(told).collect());
    }
    section("## Endings\n".into());
    let endings = definition.endings.iter().map(|ending| {
        let winner = ending.winner.as_ref().map_or("a draw".into(), |seat| format!("{seat} wins"));
        format!("- **{}**: {winner} when {}\n", ending.name, ending.when)
    });
    section(endings.collect());
    let position = game.start();
    let event = position.legal().first().map(|event| position.notate(*event));
    section(format!(
        "## Notation\n\nThe start is written `{position}`{}.\n",
        event.map_or(String::new(), |event| format!(", and a first event `{event}`"))
    ));
    page
}

/// A rule in words.
fn told(rule: &Rule) -> String {
    let kinds = |kinds: &[String]| match kinds {
        [] => "any piece".to_owned(),
        kinds => kinds.join(" or "),
    };
    let wants = match &rule.wants {
        Wanted::Move(movement) => {
            format!("{} moves to a tile that is {}", kinds(&movement.kinds), movement.onto)
        }
        Wanted::Put(putting) => {
            format!("{} is put on a tile that is {}", kinds(&putting.kinds), putting.onto)
        }
        Wanted::Roll(rolling) => format!("{} are rolled", rolling.dice.join(" and ")),
        Wanted::Act(name) => format!("the act `{name}`"),
        Wanted::Pick(picking) => format!("the act `{}`, naming a tile", picking.act),
        Wanted::Draw(drawing) => format!("a card of {} is drawn to {}", drawing.from, drawing.to),
        Wanted::Chance(lots) => {
            let names: Vec<&str> = lots.iter().map(|lot| lot.name.as_str()).collect();
            format!("chance gives {}", names.join(" or "))
        }
    };
    let mut text = format!("- **{}**: {wants}", rule.name);
    if rule.when != Truth::Always {
        text.push_str(&format!("; only if {}", rule.when));
    }
    if rule.ensures != Truth::Always {
        text.push_str(&format!("; and afterwards {}", rule.ensures));
    }
    text.push_str(match rule.listing {
        Listing::Play => "\n",
        Listing::Aside => " (beside play)\n",
        Listing::Otherwise => " (where nothing else can be played)\n",
    });
    text
}

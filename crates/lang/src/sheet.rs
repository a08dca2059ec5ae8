//! The statements of a game put in order, those of the game it differs from first.

use std::collections::{BTreeMap, BTreeSet};

use senet_core::notation::nearest;

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{
    Board, Commit, Deal, Ending, Every, Expr, Flag, Item, ItemKind, LetBody, Name, PicturePart,
    Piece, Pile, Placement, Placing, Player, Rule, Sees, Test, Variable, Wants, WeightPart,
};

/// Everything that a game says, by what it is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) name: Name,
    pub(crate) about: Option<Name>,
    pub(crate) options: Vec<(Name, Expr)>,
    pub(crate) players: Vec<Player>,
    pub(crate) board: Vec<BoardPart>,
    pub(crate) regions: Vec<Region>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) flags: Vec<Flag>,
    pub(crate) marks: Vec<(Name, Option<Expr>)>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) dice: Vec<(Vec<Name>, Expr, Option<Name>)>,
    pub(crate) sees: Vec<Sees>,
    pub(crate) piles: Vec<Pile>,
    pub(crate) deals: Vec<Deal>,
    pub(crate) commits: Vec<Commit>,
    pub(crate) acts: Vec<Name>,
    pub(crate) setup: Vec<Placing>,
    pub(crate) lets: Vec<Let>,
    pub(crate) requirements: Vec<(Name, Expr)>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) every: Vec<Every>,
    pub(crate) endings: Vec<Ending>,
    pub(crate) tests: Vec<Test>,
    pub(crate) notation: Vec<Name>,
    pub(crate) picture: Vec<PicturePart>,
    pub(crate) weights: Vec<WeightPart>,
}

/// A part of the board.
#[derive(Clone, Debug)]
pub(crate) enum BoardPart {
    Shape(Board),
    Tiles(Vec<Name>, bool),
    Link(Name, Name, Name),
}

/// A region as written.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) name: Name,
    pub(crate) player: Option<Name>,
    pub(crate) tiles: Expr,
}

/// A name given by `let`.
#[derive(Clone, Debug)]
pub(crate) struct Let {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) body: LetBody,
}

/// A phase and its rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phase {
    pub(crate) name: Name,
    pub(crate) when: Option<Expr>,
    pub(crate) usage: Option<Name>,
    pub(crate) most: Option<Expr>,
    pub(crate) rules: Vec<(Rule, Span)>,
}

/// Things with a name that a variant may replace.
trait Named {
    fn name(&self) -> &Name;
}

macro_rules! named {
    ($($sort:ty => $name:expr),* $(,)?) => {$(
        impl Named for $sort {
            fn name(&self) -> &Name {
                let name: fn(&$sort) -> &Name = $name;
                name(self)
            }
        }
    )*};
}

named! {
    (Name, Expr) => |it| &it.0,
    (Name, Option<Expr>) => |it| &it.0,
    Piece => |it| &it.name,
    Flag => |it| &it.name,
    Variable => |it| &it.name,
    Pile => |it| &it.name,
    Commit => |it| &it.name,
    Let => |it| &it.name,
    Ending => |it| &it.name,
    (Rule, Span) => |it| &it.0.name,
}

/// Puts the statements of one file onto what is already there.
pub(crate) struct Fold<'a> {
    sheet: &'a mut Sheet,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// What this file has said already, by sort and name.
    said: BTreeSet<(&'static str, String)>,
    /// The names of each sort that were there before this file.
    inherited: BTreeMap<&'static str, BTreeSet<String>>,
    /// The phase that rules belong to.
    phase: Option<usize>,
}

impl<'a> Fold<'a> {
    pub(crate) fn new(sheet: &'a mut Sheet, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        sheet.tests.clear();
        sheet.about = None;
        let (said, inherited) = (BTreeSet::new(), BTreeMap::new());
        Fold { sheet, diagnostics, said, inherited, phase: None }
    }

    pub(crate) fn all(mut self, items: Vec<Item>) {
        for item in items {
            self.add(item);
        }
    }

    /// Whether this file says something of this sort and name for the first time.
    fn fresh(&mut self, sort: &'static str, name: &Name) -> bool {
        let fresh = self.said.insert((sort, name.text.clone()));
        if !fresh {
            let message = format!("a second {sort} is named `{}`", name.text);
            self.diagnostics.push(Diagnostic::error("second", name.span, message));
        }
        fresh
    }

    /// Whether this file says anything of this sort for the first time.
    fn first(&mut self, sort: &'static str) -> bool {
        self.said.insert((sort, String::new()))
    }

    fn add(&mut self, item: Item) {
        match item.kind {
            ItemKind::Game { name, .. } => {
                if self.first("game") {
                    self.sheet.name = name;
                } else {
                    let error = Diagnostic::error("second", name.span, "a file holds one game");
                    self.diagnostics.push(error.help("put the other game into a file of its own"));
                }
            }
            ItemKind::About(text) => self.sheet.about = Some(text),
            ItemKind::Choice { name, value } => {
                self.put("option", None, (name, value), |sheet| &mut sheet.options);
            }
            ItemKind::Players(players) => {
                if self.first("players") {
                    self.sheet.players.clear();
                }
                self.sheet.players.extend(players);
            }
            ItemKind::Board(board) => self.board(BoardPart::Shape(board)),
            ItemKind::Tiles { names, stacks } => self.board(BoardPart::Tiles(names, stacks)),
            ItemKind::Link(from, along, to) => self.board(BoardPart::Link(from, along, to)),
            ItemKind::Dice { names, sides, seen_by } => {
                if self.first("dice") {
                    self.sheet.dice.clear();
                }
                self.sheet.dice.push((names, sides, seen_by));
            }
            ItemKind::Sees(sees) => self.sheet.sees.push(sees),
            ItemKind::Deal(deal) => self.sheet.deals.push(deal),
            ItemKind::Acts(names) => self.sheet.acts.extend(names),
            ItemKind::Setup(placings) => {
                if self.first("setup") {
                    self.sheet.setup.clear();
                }
                self.sheet.setup.extend(placings);
            }
            ItemKind::Test(test) => self.sheet.tests.push(test),
            ItemKind::Notation(words) => self.sheet.notation = words,
            ItemKind::Picture(parts) => self.sheet.picture.extend(parts),
            ItemKind::Weights(parts) => self.sheet.weights.extend(parts),
            ItemKind::Without { what, name } => self.without(&what, &name),
            other => self.add_named(other, item.span),
        }
    }

    fn add_named(&mut self, kind: ItemKind, span: Span) {
        match kind {
            ItemKind::Region { name, player, tiles } => self.region(Region { name, player, tiles }),
            ItemKind::Piece(piece) => self.put("piece", None, piece, |sheet| &mut sheet.pieces),
            ItemKind::Flag(flag) => self.put("flag", None, flag, |sheet| &mut sheet.flags),
            ItemKind::Mark { name, tiles } => {
                self.put("mark", None, (name, tiles), |sheet| &mut sheet.marks);
            }
            ItemKind::Pile(pile) => self.put("pile", None, pile, |sheet| &mut sheet.piles),
            ItemKind::Commit(commit) => {
                self.put("commit", None, commit, |sheet| &mut sheet.commits);
            }
            ItemKind::Variable(variable) => {
                self.put("variable", None, variable, |sheet| &mut sheet.variables);
            }
            ItemKind::Let { name, parameters, body } => {
                self.put("let", None, Let { name, parameters, body }, |sheet| &mut sheet.lets);
            }
            ItemKind::Require { name, place, holds } => {
                self.put("require", place, (name, holds), |sheet| &mut sheet.requirements);
            }
            ItemKind::Phase { name, when, usage, most } => self.phase(name, when, usage, most),
            ItemKind::Rule(rule) => self.rule(rule, span),
            ItemKind::Every(every) => self.sheet.every.push(every),
            ItemKind::Ending(ending) => {
                self.put("ending", ending.place.clone(), ending, |sheet| &mut sheet.endings);
            }
            _ => {}
        }
    }

    /// Adds a thing that is said once, or puts it where the one of its name was.
    fn put<T: Named>(
        &mut self,
        sort: &'static str,
        place: Option<Placement>,
        one: T,
        list: impl Fn(&mut Sheet) -> &mut Vec<T>,
    ) {
        let names = |all: &Vec<T>| all.iter().map(|one| one.name().text.clone()).collect();
        let inherited = match self.inherited.get(sort) {
            Some(names) => names,
            None => self.inherited.entry(sort).or_insert(names(list(self.sheet))),
        };
        let is_new = !inherited.contains(&one.name().text);
        if !self.fresh(sort, one.name()) {
            return;
        }
        match place {
            // Among many names, those of this file are not looked through.
            None if is_new => list(self.sheet).push(one),
            place => self.place_in(place, one, |fold| list(fold.sheet)),
        }
    }

    fn board(&mut self, part: BoardPart) {
        if let BoardPart::Shape(board) = &part
            && self.first("board")
        {
            self.sheet.board.clear();
            // What was drawn and counted tile by tile belongs to the board that is left.
            let file = board.shape.span.file;
            self.sheet.weights.retain(|part| part.span().file == file);
            let tiles = |part: &PicturePart| matches!(part, PicturePart::Tiles { .. });
            self.sheet.picture.retain(|part| part.span().file == file || !tiles(part));
        }
        self.sheet.board.push(part);
    }

    fn region(&mut self, region: Region) {
        let key = match &region.player {
            Some(player) => format!("{}({})", region.name.text, player.text),
            None => region.name.text.clone(),
        };
        let key = Name { text: key, span: region.name.span };
        if self.fresh("region", &key) {
            let same = |one: &Region| {
                let player = one.player.as_ref().map(|name| &name.text);
                let whose = region.player.as_ref().map(|name| &name.text);
                one.name.text == region.name.text && player == whose
            };
            // A region that each player has his own of takes the place of one that all share.
            let other = |one: &Region| {
                one.name.text == region.name.text && one.player.is_some() != region.player.is_some()
            };
            let file = region.name.span.file;
            self.sheet.regions.retain(|one| one.name.span.file == file || !other(one));
            match self.sheet.regions.iter().position(same) {
                Some(at) => self.sheet.regions[at] = region,
                None => self.sheet.regions.push(region),
            }
        }
    }

    fn phase(&mut self, name: Name, when: Option<Expr>, usage: Option<Name>, most: Option<Expr>) {
        let phases = &mut self.sheet.phases;
        if let Some(at) = phases.iter().position(|phase| phase.name.text == name.text) {
            if when.is_some() {
                phases[at].when = when;
            }
            if usage.is_some() {
                phases[at].usage = usage;
            }
            if most.is_some() {
                phases[at].most = most;
            }
            self.phase = Some(at);
            return;
        }
        phases.push(Phase { name, when, usage, most, rules: Vec::new() });
        self.phase = Some(phases.len() - 1);
    }

    fn rule(&mut self, mut rule: Rule, span: Span) {
        if rule.name.text.is_empty() {
            rule.name.text = default_name(&rule.wants);
        }
        let named =
            |phase: &Phase| phase.rules.iter().any(|(one, _)| one.name.text == rule.name.text);
        let known = self.sheet.phases.iter().position(named);
        let at = match (self.phase, known) {
            (Some(at), _) | (None, Some(at)) => at,
            (None, None) => {
                if self.sheet.phases.is_empty() {
                    let name = Name { text: "play".into(), span };
                    self.sheet.phases.push(Phase { name, ..Phase::default() });
                }
                self.sheet.phases.len() - 1
            }
        };
        let key = format!("{at}/{}", rule.name.text);
        if !self.said.insert(("rule", key)) {
            let message = format!("a second rule is named `{}`", rule.name.text);
            let error = Diagnostic::error("second", rule.name.span, message);
            self.diagnostics.push(error.help("give it a name: `rule NAME: …`"));
            return;
        }
        let place = rule.place.clone();
        self.place_in(place, (rule, span), |fold| &mut fold.sheet.phases[at].rules);
    }

    fn place_in<T: Named>(
        &mut self,
        place: Option<Placement>,
        one: T,
        list: impl Fn(&mut Self) -> &mut Vec<T>,
    ) {
        let Some(place) = place else { return replace(list(self), one) };
        let (anchor, after) = match place {
            Placement::First => return list(self).insert(0, one),
            Placement::After(name) => (name, 1),
            Placement::Before(name) => (name, 0),
        };
        let all = list(self);
        all.retain(|other| other.name().text != one.name().text);
        match all.iter().position(|other| other.name().text == anchor.text) {
            Some(at) => all.insert(at + after, one),
            None => {
                let near = nearest(&anchor.text, all.iter().map(|one| one.name().text.as_str()));
                let message = format!("nothing here is named `{}`", anchor.text);
                let error = Diagnostic::error("unknown-name", anchor.span, message);
                self.diagnostics.push(error.near(near));
            }
        }
    }

    fn without(&mut self, what: &Name, name: &Name) {
        let sheet = &mut *self.sheet;
        let found = match what.text.as_str() {
            "rule" => {
                let mut found = Err(None);
                for phase in &mut sheet.phases {
                    let removed = remove(&mut phase.rules, name);
                    found = if removed.is_ok() { removed } else { found.or(removed) };
                }
                found
            }
            "ending" => remove(&mut sheet.endings, name),
            "require" => remove(&mut sheet.requirements, name),
            "flag" => remove(&mut sheet.flags, name),
            "mark" => remove(&mut sheet.marks, name),
            "piece" => remove(&mut sheet.pieces, name),
            "variable" => remove(&mut sheet.variables, name),
            "picture" => {
                sheet.picture.clear();
                Ok(())
            }
            "weights" => {
                sheet.weights.clear();
                Ok(())
            }
            "region" => {
                let before = sheet.regions.len();
                sheet.regions.retain(|region| region.name.text != name.text);
                if sheet.regions.len() < before { Ok(()) } else { Err(None) }
            }
            _ => {
                let message = format!("`{}` cannot be left out", what.text);
                let error = Diagnostic::error("syntax", what.span, message);
                let help = "write `rule`, `ending`, `require`, `region`, `flag`, `mark`, `piece`, `variable`, `picture` or `weights`";
                self.diagnostics.push(error.help(help));
                return;
            }
        };
        if let Err(near) = found {
            let message = format!("there is no {} named `{}`", what.text, name.text);
            let error = Diagnostic::error("unknown-name", name.span, message);
            self.diagnostics.push(error.near(near));
        }
    }
}

/// Puts a thing where one of its name was, or at the end.
fn replace<T: Named>(list: &mut Vec<T>, one: T) {
    match list.iter().position(|other| other.name().text == one.name().text) {
        Some(at) => list[at] = one,
        None => list.push(one),
    }
}

/// Removes a thing by name, or gives the name that was probably meant.
fn remove<T: Named>(list: &mut Vec<T>, name: &Name) -> Result<(), Option<String>> {
    match list.iter().position(|one| one.name().text == name.text) {
        Some(at) => {
            list.remove(at);
            Ok(())
        }
        None => Err(nearest(&name.text, list.iter().map(|one| one.name().text.as_str()))),
    }
}

/// What a rule without a name is called.
fn default_name(wants: &Wants) -> String {
    let list = |verb: &str, names: &[Name]| {
        let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        format!("{verb} {}", names.join(" or ")).trim_end().to_owned()
    };
    match wants {
        Wants::Move(kinds) => list("move", kinds),
        Wants::Put(kinds, _) => list("put", kinds),
        Wants::Roll(dice, _) => list("roll", dice),
        Wants::Act(name) | Wants::Pick(name) => name.text.clone(),
        Wants::Draw(from, to, _) => format!("draw {} to {}", from.text, to.text),
    }
}

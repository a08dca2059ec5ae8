//! Every name of a statement, with what it can stand for where it is written.

use super::{Index, Sort};
use crate::span::Span;
use crate::syntax::{
    Clause, Effect, EffectKind, Expect, Expr, ExprKind, Fate, Item, ItemKind, LetBody, Name,
    PicturePart, Piece, Placement, Placing, Player, Rule, Test, TestKind, Wants, Way, WeightPart,
};

/// What a name in an expression can be, in the order in which it is looked up.
const VALUES: [Sort; 11] = [
    Sort::Let,
    Sort::Region,
    Sort::Piece,
    Sort::Flag,
    Sort::Mark,
    Sort::Player,
    Sort::Option,
    Sort::Variable,
    Sort::Die,
    Sort::Tile,
    Sort::Direction,
];

pub(super) struct Walk<'i> {
    index: &'i mut Index,
    /// Names that hold only here, the innermost last.
    local: Vec<(String, usize)>,
    statement: Span,
}

impl Walk<'_> {
    /// Adds the names that a statement declares.
    pub(super) fn declare(index: &mut Index, item: &Item) {
        let mut add = |sort: Sort, name: &Name| {
            index.declare(sort, &name.text, name.span, item.span);
        };
        match &item.kind {
            ItemKind::Game { name, .. } => add(Sort::Game, name),
            ItemKind::Choice { name, .. } => add(Sort::Option, name),
            ItemKind::Players(players) => {
                for player in players {
                    add(Sort::Player, &player.name);
                    for (direction, _) in &player.directions {
                        add(Sort::Direction, direction);
                    }
                }
            }
            ItemKind::Board(board) => {
                for lines in &board.lines {
                    add(Sort::Direction, &lines.along);
                    lines.back.iter().for_each(|back| add(Sort::Direction, back));
                    lines.lines.iter().flatten().for_each(|tile| add(Sort::Tile, tile));
                }
            }
            ItemKind::Tiles { names, .. } => names.iter().for_each(|name| add(Sort::Tile, name)),
            ItemKind::Link(_, direction, _) => add(Sort::Direction, direction),
            ItemKind::Region { name, .. } => add(Sort::Region, name),
            ItemKind::Piece(piece) => add(Sort::Piece, &piece.name),
            ItemKind::Flag(flag) => add(Sort::Flag, &flag.name),
            ItemKind::Mark { name, .. } => add(Sort::Mark, name),
            ItemKind::Variable(variable) => add(Sort::Variable, &variable.name),
            ItemKind::Dice { names, .. } => names.iter().for_each(|name| add(Sort::Die, name)),
            ItemKind::Acts(names) => names.iter().for_each(|name| add(Sort::Act, name)),
            ItemKind::Let { name, .. } => add(Sort::Let, name),
            ItemKind::Require { name, .. } => add(Sort::Requirement, &inside(name)),
            ItemKind::Phase { name, .. } => add(Sort::Phase, name),
            ItemKind::Rule(rule) => {
                add(Sort::Rule, &rule.name);
                if let Wants::Act(act) | Wants::Pick(act) = &rule.wants {
                    add(Sort::Act, act);
                }
            }
            ItemKind::Ending(ending) => add(Sort::Ending, &inside(&ending.name)),
            ItemKind::Pile(pile) => add(Sort::Pile, &pile.name),
            ItemKind::Commit(commit) => {
                add(Sort::Variable, &commit.name);
                commit.acts.iter().for_each(|act| add(Sort::Act, act));
            }
            ItemKind::About(_)
            | ItemKind::Sees(_)
            | ItemKind::Deal(_)
            | ItemKind::Setup(_)
            | ItemKind::Every(_)
            | ItemKind::Without { .. }
            | ItemKind::Test(_)
            | ItemKind::Picture(_)
            | ItemKind::Weights(_)
            | ItemKind::Notation(_) => {}
        }
    }

    /// Adds the places where a statement uses names.
    pub(super) fn over(index: &mut Index, item: &Item) {
        Walk { index, local: Vec::new(), statement: item.span }.item(item);
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Game { base, .. } => self.each(Sort::Game, base),
            ItemKind::Choice { value, .. } => self.expr(value),
            ItemKind::Players(players) => self.players(players),
            ItemKind::Board(board) => {
                board.sizes.iter().chain(&board.along).for_each(|expr| self.expr(expr));
                self.each(Sort::Tile, &board.holes);
            }
            ItemKind::Link(from, _, to) => self.each(Sort::Tile, [from, to]),
            ItemKind::Region { player, tiles, .. } => {
                self.each(Sort::Player, player);
                self.expr(tiles);
            }
            ItemKind::Piece(piece) => self.piece(piece),
            ItemKind::Flag(flag) => {
                self.each(Sort::Rule, &flag.serves);
                self.each(Sort::Piece, &flag.starts_on);
            }
            ItemKind::Mark { tiles, .. } => tiles.iter().for_each(|tiles| self.expr(tiles)),
            ItemKind::Variable(variable) => {
                self.expr(&variable.bounds.0);
                self.expr(&variable.bounds.1);
                variable.start.iter().for_each(|start| self.expr(start));
                self.each(Sort::Variable, &variable.repetitions);
            }
            ItemKind::Dice { sides, .. } => self.expr(sides),
            ItemKind::Setup(placings) => placings.iter().for_each(|placing| self.placing(placing)),
            ItemKind::Let { parameters, body, .. } => self.definition(parameters, body),
            ItemKind::Require { place, holds, .. } => {
                self.placement(Sort::Requirement, place.as_ref());
                self.expr(holds);
            }
            ItemKind::Phase { when, most, .. } => {
                when.iter().chain(most).for_each(|part| self.expr(part));
            }
            ItemKind::Sees(_) | ItemKind::Pile(_) | ItemKind::Deal(_) | ItemKind::Commit(_) => {
                self.secret(&item.kind);
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Every(every) => {
                self.each(Sort::Piece, &every.kinds);
                self.each(Sort::Rule, &every.except);
                every.clauses.iter().for_each(|clause| self.clause(clause));
            }
            ItemKind::Ending(ending) => {
                self.placement(Sort::Ending, ending.place.as_ref());
                ending.winner.iter().for_each(|winner| self.expr(winner));
                self.expr(&ending.when);
                let numbers = [&ending.worth, &ending.most, &ending.pays];
                numbers.into_iter().flatten().for_each(|number| self.expr(number));
            }
            ItemKind::Without { what, name } => self.without(what, name),
            ItemKind::Test(test) => self.test(test),
            ItemKind::Picture(parts) => parts.iter().for_each(|part| self.picture(part)),
            ItemKind::Weights(parts) => parts.iter().for_each(|part| self.weight(part)),
            ItemKind::About(_)
            | ItemKind::Tiles { .. }
            | ItemKind::Acts(_)
            | ItemKind::Notation(_) => {}
        }
    }

    fn picture(&mut self, part: &PicturePart) {
        match part {
            PicturePart::Sign { kind, player, .. } => {
                self.name(Sort::Piece, kind);
                self.each(Sort::Player, player);
            }
            PicturePart::Color { player, .. } => self.name(Sort::Player, player),
            PicturePart::Tiles { .. } => {}
        }
    }

    fn weight(&mut self, part: &WeightPart) {
        match part {
            WeightPart::Stake(name) => self.name(Sort::Variable, name),
            WeightPart::View(player, _) => self.name(Sort::Player, player),
            WeightPart::Kind { kind, .. } => self.name(Sort::Piece, kind),
            WeightPart::Number(..) => {}
        }
    }

    fn players(&mut self, players: &[Player]) {
        for player in players {
            self.each(Sort::Direction, &player.facing);
            for (_, direction) in &player.directions {
                self.name(Sort::Direction, direction);
            }
        }
    }

    fn piece(&mut self, piece: &Piece) {
        for (player, count) in &piece.supply {
            self.name(Sort::Player, player);
            self.expr(count);
        }
        piece.attributes.iter().for_each(|(_, value)| self.expr(value));
        piece.ways.iter().for_each(|way| self.way(way));
    }

    /// A statement about cards or about who sees what.
    fn secret(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Sees(sees) => {
                let sort = match sees.what.text.as_str() {
                    "flag" => Some(Sort::Flag),
                    "mark" => Some(Sort::Mark),
                    _ => None,
                };
                sort.iter().for_each(|&sort| self.each(sort, &sees.name));
                sees.on.iter().for_each(|on| self.expr(on));
                self.each(Sort::Piece, &sees.shown);
            }
            ItemKind::Pile(pile) => {
                pile.cards.iter().filter_map(|(_, count)| count.as_ref()).for_each(|count| {
                    self.expr(count);
                });
            }
            ItemKind::Deal(deal) => {
                self.expr(&deal.count);
                self.each(Sort::Pile, [&deal.from, &deal.to]);
            }
            ItemKind::Commit(commit) => {
                commit.when.iter().for_each(|when| self.expr(when));
                self.effects(&commit.then);
            }
            _ => {}
        }
    }

    /// A name that can only be of one sort, or stand for such by `let`.
    fn name(&mut self, sort: Sort, name: &Name) {
        self.first(&[sort, Sort::Let], name);
    }

    fn each<'n>(&mut self, sort: Sort, names: impl IntoIterator<Item = &'n Name>) {
        names.into_iter().for_each(|name| self.name(sort, name));
    }

    /// Counts a place for the first of these sorts that has the name.
    fn first(&mut self, sorts: &[Sort], name: &Name) {
        let local = self.local.iter().rev().find(|(local, _)| *local == name.text);
        let found = match local {
            Some((_, symbol)) => Some(*symbol),
            None => sorts.iter().find_map(|sort| self.index.find(*sort, &name.text)),
        };
        if let Some(symbol) = found {
            self.index.symbols[symbol].places.push(name.span);
        }
    }

    /// Reads something inside which a further name holds.
    fn within(&mut self, name: &Name, read: impl FnOnce(&mut Self)) {
        let symbol = self.index.add(Sort::Local, &name.text, name.span, self.statement);
        self.local.push((name.text.clone(), symbol));
        read(self);
        self.local.pop();
    }

    fn definition(&mut self, parameters: &[Name], body: &LetBody) {
        match parameters.split_first() {
            Some((first, rest)) => self.within(first, |walk| walk.definition(rest, body)),
            None => match body {
                LetBody::Expr(expr) => self.expr(expr),
                LetBody::Effects(effects) => self.effects(effects),
            },
        }
    }

    fn placing(&mut self, placing: &Placing) {
        let Placing::List { player, kind, tiles } = placing else { return };
        self.name(Sort::Player, player);
        kind.iter().for_each(|kind| self.first(&[Sort::Piece, Sort::Tile], kind));
        for (on, count) in tiles {
            self.expr(on);
            count.iter().for_each(|count| self.expr(count));
        }
    }

    fn placement(&mut self, sort: Sort, place: Option<&Placement>) {
        if let Some(Placement::After(name) | Placement::Before(name)) = place {
            self.name(sort, &inside(name));
        }
    }

    fn without(&mut self, what: &Name, name: &Name) {
        let sort = match what.text.as_str() {
            "rule" => Sort::Rule,
            "ending" => Sort::Ending,
            "require" => Sort::Requirement,
            "region" => Sort::Region,
            "flag" => Sort::Flag,
            "mark" => Sort::Mark,
            "piece" => Sort::Piece,
            "variable" => Sort::Variable,
            _ => return,
        };
        self.name(sort, &inside(name));
    }

    fn test(&mut self, test: &Test) {
        for (option, value) in &test.with {
            self.name(Sort::Option, option);
            self.expr(value);
        }
        if let TestKind::Play { expect: Expect::Over(ending), .. } = &test.kind {
            self.name(Sort::Ending, &inside(ending));
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.placement(Sort::Rule, rule.place.as_ref());
        match &rule.wants {
            Wants::Move(kinds) | Wants::Put(kinds, _) => self.each(Sort::Piece, kinds),
            Wants::Roll(dice, _) => self.each(Sort::Die, dice),
            Wants::Draw(from, to, of) => {
                self.each(Sort::Pile, [from, to]);
                of.iter().for_each(|of| self.expr(of));
            }
            Wants::Act(_) | Wants::Pick(_) => {}
        }
        rule.clauses.iter().for_each(|clause| self.clause(clause));
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::From(expr)
            | Clause::Through(expr)
            | Clause::To(expr, _)
            | Clause::Where(expr)
            | Clause::Ensure(expr)
            | Clause::Rank(expr) => self.expr(expr),
            Clause::By(way, _) => self.way(way),
            Clause::Becoming(kinds) => self.each(Sort::Piece, kinds),
            Clause::Before(effects)
            | Clause::Then(effects)
            | Clause::Instead(effects)
            | Clause::Fails(effects) => self.effects(effects),
            Clause::Word(_) | Clause::SeenBy(_) => {}
        }
    }

    fn way(&mut self, way: &Way) {
        match way {
            Way::Step(along) | Way::Slide(along) | Way::First(along) => self.expr(along),
            Way::Leaper(one, two) => [one, two].into_iter().for_each(|expr| self.expr(expr)),
            Way::Far(near, far, along) => {
                self.expr(near);
                far.iter().for_each(|far| self.expr(far));
                self.expr(along);
            }
            Way::Path(steps, _) => self.each(Sort::Direction, steps),
            Way::Dice { dice, along, .. } => {
                self.each(Sort::Die, dice);
                self.expr(along);
            }
            Way::Hop { along, over, .. } => {
                self.expr(along);
                self.expr(over);
            }
            Way::Steps { name, along, count } => {
                self.expr(along);
                self.within(name, |walk| walk.expr(count));
            }
            Way::Anywhere(_) | Way::Stay(_) => {}
        }
    }

    fn effects(&mut self, effects: &[Effect]) {
        effects.iter().for_each(|effect| self.effect(&effect.kind));
    }

    fn effect(&mut self, effect: &EffectKind) {
        match effect {
            EffectKind::Capture(on, fate) => self.capture(on, fate),
            EffectKind::Clear(one) | EffectKind::Turn(one) | EffectKind::TurnWith(one) => {
                self.expr(one);
            }
            EffectKind::Shift(on, along) => {
                self.expr(on);
                self.expr(along);
            }
            EffectKind::Continue { by, stop, otherwise } => {
                self.each(Sort::Rule, by);
                self.each(Sort::Act, stop);
                self.effects(otherwise);
            }
            EffectKind::Shuffle(from, into) => self.each(Sort::Pile, [from, into]),
            EffectKind::Carry(moves) => {
                for (from, to) in moves {
                    self.expr(from);
                    self.expr(to);
                }
            }
            EffectKind::Label { verb, on, names } => {
                self.expr(on);
                let sort = if verb.text.ends_with("flag") { Sort::Flag } else { Sort::Mark };
                self.each(sort, names);
            }
            EffectKind::Change(on, kind) => {
                self.expr(on);
                self.name(Sort::Piece, kind);
            }
            EffectKind::Give(on, to) => {
                self.expr(on);
                self.expr(to);
            }
            EffectKind::Place(kind, owner, on) => {
                self.name(Sort::Piece, kind);
                owner.iter().for_each(|owner| self.expr(owner));
                self.expr(on);
            }
            EffectKind::Assign(variable, of, _, value) => {
                self.name(Sort::Variable, variable);
                of.iter().for_each(|of| self.expr(of));
                self.expr(value);
            }
            EffectKind::Unroll(dice) => self.each(Sort::Die, dice),
            EffectKind::Show(dice, value) => {
                self.each(Sort::Die, dice);
                self.expr(value);
            }
            EffectKind::Sow { from, along, skip, count } => {
                self.expr(from);
                self.expr(along);
                skip.iter().for_each(|skip| self.expr(skip));
                self.each(Sort::Variable, count);
            }
            EffectKind::If(..) | EffectKind::Each(..) | EffectKind::Repeat(..) => {
                self.control(effect);
            }
            EffectKind::Use(name, arguments) => {
                self.first(&[Sort::Let], name);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            EffectKind::Reset
            | EffectKind::SwapSeats
            | EffectKind::Custom(_)
            | EffectKind::Broken => {}
        }
    }

    fn capture(&mut self, on: &Expr, fate: &Fate) {
        self.expr(on);
        match fate {
            Fate::Tile(tile) => self.expr(tile),
            Fate::Hand(seat) => seat.iter().for_each(|seat| self.expr(seat)),
            Fate::Out => {}
        }
    }

    /// An effect with others inside.
    fn control(&mut self, effect: &EffectKind) {
        match effect {
            EffectKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.effects(then);
                self.effects(otherwise);
            }
            EffectKind::Each(name, domain, effects) => {
                self.expr(domain);
                self.within(name, |walk| walk.effects(effects));
            }
            EffectKind::Repeat(times, effects) => {
                self.expr(times);
                self.effects(effects);
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.first(&VALUES, &Name { text: name.clone(), span: expr.span });
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Dot(base, step) => {
                self.expr(base);
                self.name(Sort::Direction, step);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Of(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Complement(one)
            | ExprKind::Negative(one)
            | ExprKind::Not(one)
            | ExprKind::Any(one)
            | ExprKind::None(one)
            | ExprKind::Relevant(one)
            | ExprKind::Called(one, _) => self.expr(one),
            ExprKind::Tiles(ranges) => {
                for range in ranges {
                    self.name(Sort::Tile, &range.first);
                    self.each(Sort::Tile, &range.last);
                }
            }
            ExprKind::If(yes, condition, no) => {
                [yes, condition, no].into_iter().for_each(|one| self.expr(one));
            }
            ExprKind::Bind { name, domain, filter, body, .. } => {
                self.expr(domain);
                self.within(name, |walk| {
                    filter.iter().for_each(|filter| walk.expr(filter));
                    walk.expr(body);
                });
            }
            ExprKind::Line { length, of, along, .. } => {
                self.expr(length);
                self.expr(of);
                along.iter().for_each(|along| self.expr(along));
            }
            ExprKind::Band(_, first, last) => {
                self.expr(first);
                last.iter().for_each(|last| self.expr(last));
            }
            ExprKind::Pieces { who, kind, on } => {
                self.expr(who);
                self.each(Sort::Piece, kind);
                on.iter().for_each(|on| self.expr(on));
            }
            ExprKind::Turn(player) => self.name(Sort::Player, player),
            ExprKind::Filtered(set, truth) => {
                self.expr(set);
                self.expr(truth);
            }
            ExprKind::Number(_) | ExprKind::Drawn(_) | ExprKind::Broken => {}
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expr]) {
        self.first(&[Sort::Let], name);
        let sort = match name.text.as_str() {
            "kind" | "hand" => Some(Sort::Piece),
            "flag" => Some(Sort::Flag),
            "mark" => Some(Sort::Mark),
            "region" => Some(Sort::Region),
            "tile" => Some(Sort::Tile),
            "die" => Some(Sort::Die),
            "variable" => Some(Sort::Variable),
            _ => None,
        };
        let mut arguments = arguments.iter();
        if let (Some(sort), Some(first)) = (sort, arguments.clone().next())
            && let ExprKind::Name(text) = &first.kind
        {
            self.name(sort, &Name { text: text.clone(), span: first.span });
            arguments.next();
        }
        arguments.for_each(|argument| self.expr(argument));
    }
}

/// A name, with the place without the quotes it may stand in.
fn inside(text: &Name) -> Name {
    let mut name = text.clone();
    if name.span.end - name.span.start == name.text.len() as u32 + 2 {
        (name.span.start, name.span.end) = (name.span.start + 1, name.span.end - 1);
    }
    name
}

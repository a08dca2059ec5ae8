//! Words for phases, rules and endings.

use std::mem::take;

use super::owned;
use crate::written::{
    Deed, Derived, Drawing, Effect, Ending, EventKind, Hop, Landing, Listing, Lot, Movement,
    Number, Order, Pattern, Phase, Picking, Pips, Play, Preprocessor, Putting, Reach, Rolling,
    Rule, Seat, Set, Sight, Steps, Subject, Threat, Truth, Usage, Wanted, Way,
};

impl Phase {
    /// A phase with rules, which [`Phase::rule`] adds.
    pub fn leaf(name: impl Into<String>) -> Self {
        Phase { name: name.into(), ..Phase::default() }
    }

    /// A phase with phases inside.
    pub fn branch(name: impl Into<String>, phases: impl IntoIterator<Item = Phase>) -> Self {
        Phase { phases: phases.into_iter().collect(), ..Phase::leaf(name) }
    }

    /// Says when it is open, beside what was said before.
    #[must_use]
    pub fn when(mut self, truth: Truth) -> Self {
        self.when = take(&mut self.when).and(truth);
        self
    }

    /// Adds a preprocessor, after those already written.
    #[must_use]
    pub fn pre(mut self, preprocessor: Preprocessor) -> Self {
        self.pre.push(preprocessor);
        self
    }

    /// Says how much of what the dice show its moves must use.
    #[must_use]
    pub fn using(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Says which number a turn must bring as high as it can.
    #[must_use]
    pub fn reaching_most(mut self, number: impl Into<Number>) -> Self {
        self.most = Some(number.into());
        self
    }

    /// Adds a rule, after those already written.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }
}

impl Preprocessor {
    /// Takes every event of a kind and derives others from it, in order.
    pub fn new(
        name: impl Into<String>,
        on: EventKind,
        derive: impl IntoIterator<Item = Derived>,
    ) -> Self {
        Preprocessor {
            name: name.into(),
            on,
            when: Truth::Always,
            derive: derive.into_iter().collect(),
        }
    }

    /// Says when it takes them, beside what was said before.
    #[must_use]
    pub fn when(mut self, truth: Truth) -> Self {
        self.when = take(&mut self.when).and(truth);
        self
    }
}

impl Rule {
    fn new(name: impl Into<String>, wants: Wanted) -> Self {
        Rule {
            name: name.into(),
            wants,
            when: Truth::Always,
            before: Vec::new(),
            deed: Deed::Usual,
            after: Vec::new(),
            ensures: Truth::Always,
            listing: Listing::Play,
            rank: 0,
            fails: Vec::new(),
            seen_by: Sight::Everyone,
        }
    }

    /// A rule for pieces that go from a tile to a tile.
    pub fn moves(name: impl Into<String>, movement: Movement) -> Self {
        Rule::new(name, Wanted::Move(movement))
    }

    /// A rule for pieces that enter the board.
    pub fn puts(name: impl Into<String>, putting: Putting) -> Self {
        Rule::new(name, Wanted::Put(putting))
    }

    /// A rule for dice.
    pub fn rolls(name: impl Into<String>, rolling: Rolling) -> Self {
        Rule::new(name, Wanted::Roll(rolling))
    }

    /// A rule by which chance draws a card.
    pub fn draws(name: impl Into<String>, drawing: Drawing) -> Self {
        Rule::new(name, Wanted::Draw(drawing))
    }

    /// A rule by which chance does one of several things.
    pub fn chances(name: impl Into<String>, lots: impl IntoIterator<Item = Lot>) -> Self {
        Rule::new(name, Wanted::Chance(lots.into_iter().collect()))
    }

    /// Says who sees its events.
    #[must_use]
    pub fn seen_by(mut self, sight: Sight) -> Self {
        self.seen_by = sight;
        self
    }

    /// Adds what happens where something that the mover does not see makes the event impossible.
    #[must_use]
    pub fn fails(mut self, effect: Effect) -> Self {
        self.fails.push(effect);
        self
    }

    /// A rule for a named act.
    pub fn acts(name: impl Into<String>, action: impl Into<String>) -> Self {
        Rule::new(name, Wanted::Act(action.into()))
    }

    /// A rule for an act that names a tile of a set.
    pub fn picks(name: impl Into<String>, act: impl Into<String>, onto: Set) -> Self {
        Rule::new(name, Wanted::Pick(Picking { act: act.into(), onto }))
    }

    /// Says what must hold, beside what was said before.
    #[must_use]
    pub fn when(mut self, truth: Truth) -> Self {
        self.when = take(&mut self.when).and(truth);
        self
    }

    /// Adds what happens before the event's own deed.
    #[must_use]
    pub fn before(mut self, effect: Effect) -> Self {
        self.before.push(effect);
        self
    }

    /// Adds what happens after the event's own deed.
    #[must_use]
    pub fn then(mut self, effect: Effect) -> Self {
        self.after.push(effect);
        self
    }

    /// Adds several effects after the event's own deed.
    #[must_use]
    pub fn then_all(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.after.extend(effects);
        self
    }

    /// Says what must hold when all is done, beside what was said before.
    #[must_use]
    pub fn ensuring(mut self, truth: Truth) -> Self {
        self.ensures = take(&mut self.ensures).and(truth);
        self
    }

    /// Says which rank it has: where a rule of a lower rank has a legal event, its events are
    /// refused.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Makes it happen by itself where the phase has no other event.
    #[must_use]
    pub fn otherwise(mut self) -> Self {
        self.listing = Listing::Otherwise;
        self
    }

    /// Lists its events among the asides.
    #[must_use]
    pub fn aside(mut self) -> Self {
        self.listing = Listing::Aside;
        self
    }
}

impl Movement {
    /// Pieces of every kind, by their own patterns, to any target.
    pub fn any() -> Self {
        Movement::default()
    }

    /// Pieces of these kinds, by their own patterns, to any target.
    pub fn of(kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Movement { kinds: owned(kinds), ..Movement::default() }
    }

    /// Says what the tile of the mover must be, beyond holding it.
    #[must_use]
    pub fn source(mut self, is: Set) -> Self {
        self.source = is;
        self
    }

    /// Says by which pattern they travel, instead of their own.
    #[must_use]
    pub fn by(mut self, pattern: Pattern) -> Self {
        self.way = Way::Pattern(pattern);
        self
    }

    /// Says what every tile between source and target must be.
    #[must_use]
    pub fn through(mut self, is: Set) -> Self {
        self.through = is;
        self
    }

    /// Says what the target must be.
    #[must_use]
    pub fn onto(mut self, is: Set) -> Self {
        self.onto = is;
        self
    }

    /// Says that they go to the first occupied tile along one of these directions.
    #[must_use]
    pub fn to_first(mut self, along: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.way = Way::First(owned(along));
        self
    }

    /// Says that they hop along one of these directions over the next tile, which must be in a
    /// set, to the tile after it; [`Movement::from_afar`] and [`Movement::landing_anywhere`] say
    /// otherwise.
    #[must_use]
    pub fn hopping(
        mut self,
        along: impl IntoIterator<Item = impl Into<String>>,
        over: Set,
    ) -> Self {
        let (approach, landing) = (Reach::Once, Reach::Once);
        self.way = Way::Hop(Hop { along: owned(along), over, approach, landing });
        self
    }

    /// Says that the piece hopped over may stand any number of free tiles away.
    #[must_use]
    pub fn from_afar(mut self) -> Self {
        if let Way::Hop(hop) = &mut self.way {
            hop.approach = Reach::Repeat;
        }
        self
    }

    /// Says that a hop may end on any tile beyond, up to the next piece.
    #[must_use]
    pub fn landing_anywhere(mut self) -> Self {
        if let Way::Hop(hop) = &mut self.way {
            hop.landing = Reach::Repeat;
        }
        self
    }

    /// Says that they go a number of steps along one of these directions, which the number may
    /// call by a name.
    #[must_use]
    pub fn steps(
        mut self,
        name: impl Into<String>,
        along: impl IntoIterator<Item = impl Into<String>>,
        count: impl Into<Number>,
    ) -> Self {
        let (along, name) = (owned(along), Some(name.into()));
        self.way = Way::Steps(Steps { along, name, count: count.into() });
        self
    }

    /// Says that they go to any tile, passing none.
    #[must_use]
    pub fn anywhere(mut self) -> Self {
        self.way = Way::Anywhere;
        self
    }

    /// Says that they go as many steps along a direction as one of these dice shows.
    #[must_use]
    pub fn by_dice(
        mut self,
        dice: impl IntoIterator<Item = impl Into<String>>,
        along: impl Into<String>,
    ) -> Self {
        let (dice, along) = (owned(dice), along.into());
        self.way = Way::Dice(Pips { dice, along, landing: Landing::Exact });
        self
    }

    /// Says that they go to the last tile of a direction, which one of these dice more than
    /// reaches.
    #[must_use]
    pub fn short_of_dice(
        mut self,
        dice: impl IntoIterator<Item = impl Into<String>>,
        along: impl Into<String>,
    ) -> Self {
        let (dice, along) = (owned(dice), along.into());
        self.way = Way::Dice(Pips { dice, along, landing: Landing::Short });
        self
    }

    /// Says that moving so threatens nothing.
    #[must_use]
    pub fn harmless(mut self) -> Self {
        self.threat = Threat::Harmless;
        self
    }

    /// Says of which kinds the event must choose one that the mover becomes.
    #[must_use]
    pub fn choosing(mut self, kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.choice = owned(kinds);
        self
    }
}

impl Putting {
    /// Pieces of every kind, anywhere that has room.
    pub fn any() -> Self {
        Putting::default()
    }

    /// Pieces of these kinds, anywhere that has room.
    pub fn of(kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Putting { kinds: owned(kinds), ..Putting::default() }
    }

    /// Says where they may enter, beyond the tile having room.
    #[must_use]
    pub fn onto(mut self, is: Set) -> Self {
        self.onto = is;
        self
    }
}

impl Rolling {
    /// These dice rolled together; it matters which shows which number.
    pub fn of(dice: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Rolling { dice: owned(dice), order: Order::Matters }
    }

    /// Says that it does not matter which die shows which number.
    #[must_use]
    pub fn in_any_order(mut self) -> Self {
        self.order = Order::Ignored;
        self
    }
}

impl Ending {
    /// An ending that a player wins by 1; [`Ending::when`] says when it holds.
    pub fn win(name: impl Into<String>, winner: Seat) -> Self {
        Ending { winner: Some(winner), ..Ending::draw(name) }
    }

    /// An ending that nobody wins; [`Ending::when`] says when it holds.
    pub fn draw(name: impl Into<String>) -> Self {
        Ending {
            name: name.into(),
            of: Subject::Mover,
            when: Truth::Always,
            winner: None,
            score: Number::Is(1),
            most: None,
            pays: None,
            play: Play::Stops,
        }
    }

    /// An ending that the player wins who has the most of a number.
    pub fn most(name: impl Into<String>, number: impl Into<Number>) -> Self {
        Ending { most: Some(number.into()), ..Ending::draw(name) }
    }

    /// Says what each player gets, asked about that player.
    #[must_use]
    pub fn paying(mut self, number: impl Into<Number>) -> Self {
        self.pays = Some(number.into());
        self
    }

    /// Asks it about every player in turn instead of the player to move.
    #[must_use]
    pub fn of_each(mut self) -> Self {
        self.of = Subject::Each;
        self
    }

    /// Says when it holds, beside what was said before.
    #[must_use]
    pub fn when(mut self, truth: Truth) -> Self {
        self.when = take(&mut self.when).and(truth);
        self
    }

    /// Says how much the winner's team gets and every other player loses.
    #[must_use]
    pub fn worth(mut self, score: impl Into<Number>) -> Self {
        self.score = score.into();
        self
    }

    /// Declares the outcome but keeps the rules open.
    #[must_use]
    pub fn may_go_on(mut self) -> Self {
        self.play = Play::MayGoOn;
        self
    }
}

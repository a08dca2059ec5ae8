//! The pleasant way to write a [`Definition`] in Rust.
//!
//! A builder writes down what it is told and checks nothing; [`Definition::compile`] reports every
//! mistake at once. The words for the things inside a definition (`Phase::leaf`, `Rule::puts`,
//! `Truth::line`, …) are methods of those types.

mod board;
mod effect;
mod grid;
mod hex;
mod part;
mod rule;
mod track;

pub use board::Board;
pub use grid::{
    DIAGONALS, EAST, EIGHT, FOUR, Grid, LINES, NORTH, NORTH_EAST, NORTH_WEST, OPPOSITES, SOUTH,
    SOUTH_EAST, SOUTH_WEST, WEST,
};
pub use hex::{Hex, SIX};
pub use track::{BACKWARD, CLOCKWISE, COUNTER_CLOCKWISE, FORWARD, Track};

use crate::written::{
    BoardTile, Definition, Die, Ending, Flag, Kind, Mark, Phase, Piece, Placement, Player, Region,
    Relation, Requirement, Sight, Truth, Variable,
};

/// Writes a [`Definition`], a line for each thing the game has. Where a name is all there is to
/// say, a name will do; otherwise the method takes the written thing.
///
/// ```
/// use senet_core::builder::FOUR;
/// use senet_core::builder::Grid;
/// use senet_core::written::{Effect, Ending, Kind, Movement, Number, Pattern, Phase, Rule, Seat, Set, Who};
/// use senet_core::Builder;
///
/// let race = Builder::new("race")
///     .players(["left", "right"])
///     .board(Grid::new(4, 4))
///     .region("goal", ["d1", "d2", "d3", "d4"])
///     .kind(Kind::new("runner").travels(Pattern::steps(&FOUR)).attribute("worth", 1))
///     .pieces_on("left", "runner", ["a1", "a2"])
///     .pieces_on("right", "runner", ["a3", "a4"])
///     .phase(
///         Phase::leaf("play").rule(
///             Rule::moves("step to an empty tile", Movement::any().onto(Set::Empty))
///                 .then(Effect::Turn(Seat::Next)),
///         ),
///     )
///     .ending(
///         Ending::win("both are home", Seat::Mover)
///             .of_each()
///             .when(Number::pieces(Set::region("goal"), Who::Mover).equals(2)),
///     )
///     .build();
///
/// assert_eq!(race.tiles.len(), 16);
/// assert_eq!(race.pieces[1].name, "left-runner-2");
///
/// // A variant says only what differs.
/// let narrow = Builder::from(race)
///     .name("narrow race")
///     .edit(|race| race.regions[0].tiles.retain(|tile| tile != "d4"))
///     .build();
/// assert_eq!(narrow.regions[0].tiles, ["d1", "d2", "d3"]);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct Builder {
    definition: Definition,
}

impl From<Definition> for Builder {
    /// Starts from a game that is already written, for a variant that says only what differs.
    fn from(definition: Definition) -> Self {
        Builder { definition }
    }
}

impl Builder {
    /// Starts a game of this name, with nothing in it.
    pub fn new(name: impl Into<String>) -> Self {
        Builder::default().name(name)
    }

    /// The definition as written so far.
    pub fn build(self) -> Definition {
        self.definition
    }

    /// Changes anything that is already written.
    pub fn edit(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        change(&mut self.definition);
        self
    }

    /// Names the game anew.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.definition.name = name.into();
        self
    }

    /// Adds a player: a name, or a [`Player`] with a team or directions of its own.
    pub fn player(mut self, player: impl Into<Player>) -> Self {
        self.definition.players.push(player.into());
        self
    }

    /// Adds players, in order of play.
    pub fn players(mut self, players: impl IntoIterator<Item = impl Into<Player>>) -> Self {
        let players = players.into_iter().map(Into::into);
        self.definition.players.extend(players);
        self
    }

    /// Adds the tiles, directions and relations of a board. Directions that are already written
    /// are shared, so that several boards lie side by side.
    pub fn board(mut self, board: impl Into<Board>) -> Self {
        let board = board.into();
        self.definition.tiles.extend(board.tiles);
        for direction in board.directions {
            if !self.definition.directions.contains(&direction) {
                self.definition.directions.push(direction);
            }
        }
        self.definition.relations.extend(board.relations);
        self
    }

    /// Adds a tile: a name, or a [`BoardTile`] such as [`BoardTile::stack`].
    pub fn tile(mut self, tile: impl Into<BoardTile>) -> Self {
        self.definition.tiles.push(tile.into());
        self
    }

    /// Adds tiles that hold one piece each.
    pub fn tiles(mut self, tiles: impl IntoIterator<Item = impl Into<BoardTile>>) -> Self {
        let tiles = tiles.into_iter().map(Into::into);
        self.definition.tiles.extend(tiles);
        self
    }

    /// Adds tiles that hold any number of pieces.
    pub fn stacks(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tiles(names.into_iter().map(BoardTile::stack))
    }

    /// Adds a direction.
    pub fn direction(mut self, name: impl Into<String>) -> Self {
        self.definition.directions.push(name.into());
        self
    }

    /// Adds directions.
    pub fn directions(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.definition.directions.extend(owned(names));
        self
    }

    /// Adds a step that leads one way, read as a sentence: `("a", "east", "b")` leaves `a` towards
    /// the east and enters `b`.
    pub fn relation(
        self,
        from: impl Into<String>,
        direction: impl Into<String>,
        to: impl Into<String>,
    ) -> Self {
        self.relations([Relation::new(from, direction, to)])
    }

    /// Adds steps that are already written, such as those with a distance.
    pub fn relations(mut self, relations: impl IntoIterator<Item = Relation>) -> Self {
        self.definition.relations.extend(relations);
        self
    }

    /// Adds a step there and one back: `("a", ("east", "west"), "b")`.
    pub fn two_way(self, one: &str, (there, back): (&str, &str), other: &str) -> Self {
        self.relation(one, there, other).relation(other, back, one)
    }

    /// Adds a region that is the same for everyone.
    pub fn region(
        mut self,
        name: impl Into<String>,
        tiles: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.definition.regions.push(Region {
            name: name.into(),
            player: None,
            tiles: owned(tiles),
        });
        self
    }

    /// Adds a player's own region; each player may have one of the same name.
    pub fn region_of(
        mut self,
        player: impl Into<String>,
        name: impl Into<String>,
        tiles: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.definition.regions.push(Region {
            name: name.into(),
            player: Some(player.into()),
            tiles: owned(tiles),
        });
        self
    }

    /// Adds a flag: the name of a lasting one, or a [`Flag`] such as [`Flag::ephemeral`].
    pub fn flag(mut self, flag: impl Into<Flag>) -> Self {
        self.definition.flags.push(flag.into());
        self
    }

    /// Adds a mark that tiles can carry, none at the start.
    pub fn mark(mut self, name: impl Into<String>) -> Self {
        self.definition.marks.push(Mark { name: name.into(), tiles: Vec::new() });
        self
    }

    /// Adds a kind of piece: the name of one that does not travel, or a [`Kind`].
    pub fn kind(mut self, kind: impl Into<Kind>) -> Self {
        self.definition.kinds.push(kind.into());
        self
    }

    /// Adds one piece under a name of its own.
    pub fn piece(
        mut self,
        name: impl Into<String>,
        owner: impl Into<String>,
        kind: impl Into<String>,
    ) -> Self {
        self.definition.pieces.push(Piece {
            name: name.into(),
            owner: owner.into(),
            kind: kind.into(),
        });
        self
    }

    /// Adds like pieces that start off the board, named `owner-kind-1`, `owner-kind-2` and so on;
    /// a later call goes on counting.
    pub fn pieces(mut self, owner: &str, kind: &str, count: usize) -> Self {
        for _ in 0..count {
            self = self.next_piece(owner, kind).0;
        }
        self
    }

    /// Adds a like piece for each tile, named as [`Builder::pieces`] names them, and places it
    /// there. A tile listed twice gets two.
    pub fn pieces_on(
        mut self,
        owner: &str,
        kind: &str,
        tiles: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        for tile in tiles {
            let (builder, piece) = self.next_piece(owner, kind);
            self = builder.place(piece, tile);
        }
        self
    }

    fn next_piece(self, owner: &str, kind: &str) -> (Self, String) {
        let prefix = format!("{owner}-{kind}-");
        let numbered = |piece: &&Piece| piece.name.starts_with(&prefix);
        let number = self.definition.pieces.iter().filter(numbered).count() + 1;
        let name = format!("{prefix}{number}");
        (self.piece(&name, owner, kind), name)
    }

    /// Adds a die that shows 1 to `sides`.
    pub fn die(mut self, name: impl Into<String>, sides: u8) -> Self {
        let name = name.into();
        self.definition.dice.push(Die { name, sides, seen_by: Sight::Everyone });
        self
    }

    /// Adds a number that the state keeps, such as `Variable::new("score", 0, 10).per_player()`.
    pub fn variable(mut self, variable: Variable) -> Self {
        self.definition.variables.push(variable);
        self
    }

    /// Adds an act that is neither a move nor a put.
    pub fn action(mut self, name: impl Into<String>) -> Self {
        self.definition.actions.push(name.into());
        self
    }

    /// Places a piece on a tile at the start.
    pub fn place(self, piece: impl Into<String>, tile: impl Into<String>) -> Self {
        self.place_flagged(piece, tile, [] as [&str; 0])
    }

    /// Places a piece that carries flags on a tile at the start.
    pub fn place_flagged(
        mut self,
        piece: impl Into<String>,
        tile: impl Into<String>,
        flags: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.definition.setup.push(Placement {
            piece: piece.into(),
            tile: tile.into(),
            flags: owned(flags),
        });
        self
    }

    /// Adds what every state must satisfy; the name says what is wrong with one that does not.
    pub fn requirement(mut self, name: impl Into<String>, holds: Truth) -> Self {
        let name = name.into();
        self.definition.requirements.push(Requirement { name, holds });
        self
    }

    /// Adds a phase, after those already written.
    pub fn phase(mut self, phase: Phase) -> Self {
        self.definition.phases.push(phase);
        self
    }

    /// Adds an ending, after those already written.
    pub fn ending(mut self, ending: Ending) -> Self {
        self.definition.endings.push(ending);
        self
    }
}

fn owned(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    names.into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventKind;
    use crate::written::{
        Capacity, Comparison, Effect, Life, Movement, Number, Pattern, Preprocessor, Putting,
        Rolling, Rule, Seat, Set, Share, Standing, Tile, Wanted,
    };
    use crate::written::{Derived, Order, Play, Subject, Way, Who};

    fn everything() -> Definition {
        let test = Set::kind("stone") & (Set::flag("fresh") | Set::region("edge"));
        let movement = Movement::of(["stone"])
            .source(Set::Board)
            .by(Pattern::step("ahead"))
            .through(Set::Empty)
            .onto(test.clone())
            .choosing(["disc"]);
        Builder::new("everything")
            .player(Player::new("black").team("dark").facing("ahead", NORTH))
            .players(["white", "grey"])
            .board(Grid::new(2, 2))
            .board(Track::ring(3).board().prefixed("rim-"))
            .stacks(["cup", "box"])
            .direction("down")
            .relation("a1", "down", "cup")
            .relations([Relation::new("cup", "down", "box").distance(4)])
            .two_way("b1", ("down", "up"), "box")
            .directions(["up"])
            .region("edge", ["a1", "a2"])
            .region_of("black", "home", ["b1"])
            .flag("fresh")
            .flag(Flag::ephemeral("passing"))
            .kind(Kind::new("stone").travels(Pattern::Null).attribute("worth", 3))
            .kind("disc")
            .piece("the one", "grey", "disc")
            .pieces("black", "stone", 2)
            .pieces_on("black", "stone", ["a2", "b2"])
            .place_flagged("the one", "a1", ["fresh"])
            .die("first", 6)
            .variable(Variable::counter("score", 9).per_player().beside())
            .variable(Variable::new("tilt", -3, 3).starting(1))
            .action("pass")
            .requirement("too many", !Number::die("first").greater_than(6))
            .phase(Phase::branch(
                "all",
                [Phase::leaf("one")
                    .when(Truth::turn("black"))
                    .when(Truth::Stuck)
                    .pre(Preprocessor::new("walk", EventKind::Move, [Derived::EachStep]))
                    .rule(
                        Rule::moves("go", movement)
                            .when(Tile::first(Tile::To, EAST, test).is_in(Set::Board))
                            .before(Effect::capture(Set::tiles(["a1"])))
                            .then(Effect::Turn(Seat::Next)),
                    )
                    .rule(Rule::puts("put", Putting::of(["disc"]).onto(Set::region("edge"))))
                    .rule(Rule::rolls("roll", Rolling::of(["first"]).in_any_order()))
                    .rule(Rule::acts("rest", "pass"))
                    .rule(Rule::picks("point", "pass", Set::Board))],
            ))
            .ending(Ending::win("ahead", Seat::player("black")).of_each().worth(2).may_go_on())
            .build()
    }

    #[test]
    fn every_field_is_written() {
        let it = everything();
        assert_eq!(it.players[0].team.as_deref(), Some("dark"));
        assert_eq!(it.players[0].directions[0].direction, NORTH);
        assert_eq!(it.players.len(), 3);
        assert_eq!(it.tiles.last().map(|tile| tile.holds), Some(Capacity::Many));
        assert_eq!(it.regions[1].player.as_deref(), Some("black"));
        assert_eq!([it.flags[0].life, it.flags[1].life], [Life::Lasting, Life::Ephemeral]);
        assert_eq!(it.kinds[0].attributes[0].value, 3);
        assert_eq!(it.kinds[1].patterns, []);
        assert_eq!(it.dice[0].sides, 6);
        assert_eq!(it.variables[0].share, Share::PerPlayer);
        assert_eq!(it.variables[0].standing, Standing::Beside);
        assert_eq!((it.variables[1].min, it.variables[1].start), (-3, 1));
        assert_eq!(it.actions, ["pass"]);
        assert_eq!(it.requirements[0].name, "too many");
        assert_eq!(it.setup[2].flags, ["fresh"]);
    }

    #[test]
    fn phases_rules_and_endings_are_written() {
        let it = everything();
        let leaf = &it.phases[0].phases[0];
        assert_eq!(leaf.when, Truth::all([Truth::turn("black"), Truth::Stuck]));
        assert_eq!(leaf.pre[0].derive, [Derived::EachStep]);
        let kinds: Vec<EventKind> = leaf.rules.iter().map(|rule| rule.wants.kind()).collect();
        assert_eq!(kinds, EventKind::ALL);
        let Wanted::Move(movement) = &leaf.rules[0].wants else {
            panic!("the first rule moves");
        };
        assert_eq!(movement.way, Way::Pattern(Pattern::step("ahead")));
        assert_eq!(movement.choice, ["disc"]);
        assert_eq!((leaf.rules[0].before.len(), leaf.rules[0].after.len()), (1, 1));
        let Wanted::Roll(rolling) = &leaf.rules[2].wants else {
            panic!("the third rule rolls");
        };
        assert_eq!(rolling.order, Order::Ignored);
        let ending = &it.endings[0];
        assert_eq!((ending.of, ending.play), (Subject::Each, Play::MayGoOn));
        assert_eq!(ending.score, Number::Is(2));
    }

    #[test]
    fn written_out_and_read_back_it_is_the_same() {
        let written = serde_json::to_string(&everything()).expect("a definition is plain data");
        let read: Definition = serde_json::from_str(&written).expect("it was just written");
        assert_eq!(read, everything());
    }

    #[test]
    fn like_pieces_are_numbered_on() {
        let names: Vec<String> = everything().pieces.into_iter().map(|p| p.name).collect();
        let stones = ["black-stone-1", "black-stone-2", "black-stone-3", "black-stone-4"];
        assert_eq!(names, [&["the one"], &stones[..]].concat());
        let placed: Vec<String> = everything().setup.into_iter().map(|p| p.piece).collect();
        assert_eq!(placed, ["black-stone-3", "black-stone-4", "the one"]);
    }

    #[test]
    fn a_two_way_step_is_two_relations() {
        let relations = everything().relations;
        let there = Relation::new("b1", "down", "box");
        let back = Relation::new("box", "up", "b1");
        assert!(relations.ends_with(&[there, back]));
    }

    #[test]
    fn boards_side_by_side_share_their_directions() {
        let it = Builder::new("sides")
            .board(Grid::new(2, 2).board().prefixed("left-"))
            .board(Grid::new(3, 1).eight().board().prefixed("right-").stacking())
            .build();
        assert_eq!(it.directions[..4], FOUR);
        assert_eq!(it.directions[4..], DIAGONALS);
        assert_eq!(it.tiles[0], BoardTile::new("left-a1"));
        assert_eq!(it.tiles[4], BoardTile::stack("right-a1"));
        assert_eq!(it.relations[0], Relation::new("left-a1", NORTH, "left-a2"));
        assert_eq!(it.relations[8], Relation::new("right-a1", EAST, "right-b1"));
    }

    #[test]
    fn a_variant_says_only_what_differs() {
        let variant =
            Builder::from(everything()).name("variant").edit(|it| it.endings.clear()).build();
        let expected = Definition { name: "variant".into(), endings: Vec::new(), ..everything() };
        assert_eq!(variant, expected);
    }

    #[test]
    fn conditions_join_without_nesting() {
        let [a, b, c] = ["a", "b", "c"].map(Truth::turn);
        let all = Truth::all([a.clone(), b.clone(), c.clone()]);
        assert_eq!(Truth::Always.and(a.clone()).and(b.clone()).and(c.clone()), all);
        let any = Truth::any([a.clone(), b.clone(), c.clone()]);
        assert_eq!(a.or(b).or(c), any);
    }

    #[test]
    fn numbers_compare_and_add() {
        let sum = Number::die("first") + 1 + Number::pieces(Set::Board, Who::Foe);
        let parts =
            vec![Number::Die("first".into()), Number::Is(1), Number::pieces(Set::Board, Who::Foe)];
        let compared = Truth::Compare {
            left: Number::Sum(parts),
            is: Comparison::AtLeast,
            right: Number::Is(7),
        };
        assert_eq!(sum.at_least(7), compared);
    }
}

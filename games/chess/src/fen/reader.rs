//! Reads FEN and finds every mistake at once.

use senet_core::notation::{PositionError, PositionReason, excerpt, expected};
use senet_core::setup::Stand;
use senet_core::{KindId, PlayerId, State, TileId, VariableId};

use crate::fen::side_letter;
use crate::lexicon::{Lexicon, Wing};
use crate::notation::Castling;
use crate::uci::read_square;

/// After this many mistakes the rest of the text is not looked at.
const ENOUGH: usize = 32;

/// The fields that a position cannot do without, as they are asked for.
const NEEDED: [&str; 4] = [
    "the board is missing: write its rows from the last rank to the first, with `/` between them",
    "the side to move is missing: write `w` or `b` after the board",
    "the castling rights are missing: write `-` or letters such as `KQkq` after the side to move",
    "the en passant square is missing: write `-` or a square after the castling rights",
];

/// Reads a position, or says every reason why the text is none.
pub(crate) fn parse(lexicon: &Lexicon<'_>, text: &str) -> Result<State, PositionError> {
    let mut reader = Reader::new(lexicon, text);
    let most = if lexicon.checks.is_some() { 7 } else { 6 };
    let words: Vec<&str> = text.split_ascii_whitespace().take(most + 1).collect();
    reader.position(&words);
    match words.len() {
        5 => {
            let message = "the move number is missing: write it after the halfmove clock";
            reader.mistake(text.len(), "missing field", message);
            reader.clock(reader.at(words[4]), words[4]);
        }
        6.. => {
            reader.clock(reader.at(words[4]), words[4]);
            reader.number(reader.at(words[5]), words[5]);
        }
        _ => {}
    }
    if let (Some(word), Some(checks)) = (words.get(6), lexicon.checks) {
        reader.checks(word, checks);
    }
    if let Some(extra) = words.get(most) {
        reader.wrong(reader.at(extra), "extra field", extra, &format!("{most} fields"));
    }
    reader.finish()
}

/// A position being read.
pub(crate) struct Reader<'t> {
    pub(super) lexicon: &'t Lexicon<'t>,
    pub(super) text: &'t str,
    pub(super) player: Option<PlayerId>,
    /// Pieces with the byte of their letter; none if the board is not well formed.
    pub(super) pieces: Option<Vec<(Stand, usize)>>,
    pub(super) variables: Vec<(VariableId, PlayerId, i64)>,
    pub(super) reasons: Vec<PositionReason>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(lexicon: &'t Lexicon<'t>, text: &'t str) -> Reader<'t> {
        Reader {
            lexicon,
            text,
            player: None,
            pieces: None,
            variables: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// The byte at which a part of the text begins.
    pub(crate) fn at(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// A part of the text that cannot be read.
    pub(crate) fn wrong(&mut self, at: usize, kind: &str, what: &str, allowed: &str) {
        self.mistake(at, kind, &expected(allowed, &excerpt(what)));
    }

    /// Something that is read and cannot be.
    pub(crate) fn mistake(&mut self, at: usize, kind: &str, message: &str) {
        if self.reasons.len() < ENOUGH {
            let message = format!("at byte {at}: {message}");
            self.reasons.push(PositionReason { kind: kind.to_owned(), message, at: Some(at) });
        }
    }

    /// What is wrong so far.
    pub(crate) fn reasons(self) -> Vec<PositionReason> {
        self.reasons
    }

    /// Reads the four fields that are the position itself.
    pub(crate) fn position(&mut self, words: &[&'t str]) {
        for missing in NEEDED.iter().skip(words.len()) {
            self.mistake(self.text.len(), "missing field", missing);
        }
        if let Some(word) = words.first() {
            self.board(word);
        }
        if let Some(word) = words.get(1) {
            self.side(word);
        }
        if let Some(word) = words.get(2) {
            self.rights(word);
        }
        if let Some(word) = words.get(3) {
            self.en_passant(word);
        }
    }

    fn board(&mut self, word: &str) {
        let start = self.at(word);
        let height = usize::from(self.lexicon.height);
        let rows = word.split('/').count();
        let mut sound = rows == height;
        if !sound {
            self.wrong(start, "wrong number of rows", word, &format!("{height} rows"));
        }
        let mut pieces = Vec::new();
        for (row, text) in word.split('/').take(height).enumerate() {
            sound &= self.row(text, (height - 1 - row) as u8, &mut pieces);
        }
        self.pieces = sound.then_some(pieces);
    }

    /// Reads a row; whether it is as wide as the board and of known letters.
    fn row(&mut self, row: &str, rank: u8, pieces: &mut Vec<(Stand, usize)>) -> bool {
        let (start, width) = (self.at(row), usize::from(self.lexicon.width));
        let mut known = true;
        let mut file = 0;
        let mut rest = row;
        while let Some(letter) = rest.chars().next() {
            let at = self.at(rest);
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                match rest[..digits].parse::<usize>() {
                    Ok(empty) if letter != '0' => file += empty.min(width + 1),
                    _ => file = width + 1,
                }
                rest = &rest[digits..];
            } else {
                known &= self.piece(letter, at, (file, rank), pieces);
                file += 1;
                rest = &rest[letter.len_utf8()..];
            }
            if self.reasons.len() >= ENOUGH || file > width {
                break;
            }
        }
        if file != width {
            self.wrong(start, "wrong width", row, &format!("a row {width} squares wide"));
        }
        known && file == width
    }

    fn piece(
        &mut self,
        letter: char,
        at: usize,
        (file, rank): (usize, u8),
        pieces: &mut Vec<(Stand, usize)>,
    ) -> bool {
        let lexicon = self.lexicon;
        let kind = u8::try_from(letter).ok().and_then(|letter| lexicon.kind(letter));
        let Some(kind) = kind else {
            let letters = lexicon.known_letters();
            let allowed =
                format!("one of {letters}, upper case for White, or a number of empty squares");
            self.wrong(at, "unknown piece", letter.encode_utf8(&mut [0; 4]), &allowed);
            return false;
        };
        let owner = lexicon.players[usize::from(letter.is_ascii_lowercase())];
        if let Some(tile) = lexicon.tile(file as u8, rank) {
            pieces.push((Stand { tile, owner, kind, flags: 0, piece: None }, at));
        }
        true
    }

    fn side(&mut self, word: &str) {
        let lexicon = self.lexicon;
        let letter =
            |&player: &PlayerId| word.strip_prefix(side_letter(lexicon, player)) == Some("");
        self.player = lexicon.players.into_iter().find(letter);
        if self.player.is_none() {
            let letters = lexicon.players.map(|player| side_letter(lexicon, player));
            let allowed = format!("{} or {}", letters[0], letters[1]);
            self.wrong(self.at(word), "unknown side to move", word, &allowed);
        }
    }

    fn rights(&mut self, word: &str) {
        if word == "-" {
            return;
        }
        let mut given: Vec<(PlayerId, Wing)> = Vec::new();
        for (offset, letter) in word.char_indices() {
            let at = self.at(word) + offset;
            let text = &word[offset..offset + letter.len_utf8()];
            let files = 'a'..=(b'a' + self.lexicon.width - 1).into();
            let lower = letter.to_ascii_lowercase();
            if !matches!(lower, 'k' | 'q') && !files.contains(&lower) {
                let allowed = "-, or letters of KQkq or of files";
                self.wrong(at, "malformed castling right", text, allowed);
                if self.reasons.len() >= ENOUGH {
                    return;
                }
                continue;
            }
            if self.pieces.is_none() {
                continue;
            }
            let player = self.lexicon.players[usize::from(letter.is_ascii_lowercase())];
            match self.right(player, lower) {
                Ok((_, wing)) if given.contains(&(player, wing)) => {
                    let allowed = "one right to castle for each side and wing";
                    self.wrong(at, "malformed castling right", text, allowed);
                }
                Ok((rook, wing)) => {
                    given.push((player, wing));
                    self.flag(rook, 1 << self.lexicon.mint.index());
                }
                Err(why) => {
                    let message = format!("there is no castling right `{text}`: {why}");
                    self.mistake(at, "impossible castling right", &message);
                }
            }
        }
    }

    /// The rook that a letter gives the right to castle, and its wing, or why there is none.
    fn right(&self, player: PlayerId, letter: char) -> Result<(TileId, Wing), String> {
        let lexicon = self.lexicon;
        let name = lexicon.game.player_name(player);
        let home = lexicon.home(player);
        let mut kings = self.stands(player, lexicon.king).map(|tile| lexicon.square(tile));
        let Some(king) = kings.find(|king| king.rank == home) else {
            return Err(format!("{name} has no king on the first rank"));
        };
        let mut files: Vec<u8> = self
            .stands(player, lexicon.rook)
            .map(|tile| lexicon.square(tile))
            .filter(|rook| rook.rank == home)
            .map(|rook| rook.file)
            .collect();
        files.sort_unstable();
        let rook = match letter {
            'k' => files.last().copied().filter(|&file| file > king.file),
            'q' => files.first().copied().filter(|&file| file < king.file),
            file => files.iter().copied().find(|&rook| rook == file as u8 - b'a'),
        };
        let rook = rook.and_then(|file| Some((file, lexicon.wing(king.file, file)?)));
        let Some((rook, wing)) = rook else {
            return Err(format!("{name} has no rook there"));
        };
        let tile = |file| lexicon.tile(file, home).expect("a piece stands there");
        if lexicon.custom.castling == Castling::TwoSteps {
            let start = lexicon.game.start();
            let homes =
                lexicon.king_of(&start, player).zip(lexicon.castling_rook(&start, player, wing));
            if homes != Some((tile(king.file), tile(rook))) {
                return Err(format!("king and rook of {name} are not on their first squares"));
            }
        }
        Ok((tile(rook), wing))
    }

    /// The tiles of a player's pieces of a kind.
    fn stands(&self, player: PlayerId, kind: KindId) -> impl Iterator<Item = TileId> + '_ {
        let pieces = self.pieces.iter().flatten();
        let meant = move |stand: &&(Stand, usize)| stand.0.owner == player && stand.0.kind == kind;
        pieces.filter(meant).map(|(stand, _)| stand.tile)
    }

    fn flag(&mut self, tile: TileId, flag: u64) {
        let mut pieces = self.pieces.iter_mut().flatten();
        if let Some((stand, _)) = pieces.find(|(stand, _)| stand.tile == tile) {
            stand.flags |= flag;
        }
    }

    fn en_passant(&mut self, word: &str) {
        if word == "-" {
            return;
        }
        let lexicon = self.lexicon;
        let Some((tile, [])) = read_square(lexicon, word.as_bytes()) else {
            let allowed = "- or the name of a square";
            return self.wrong(self.at(word), "malformed en passant square", word, allowed);
        };
        let (Some(player), Some(pieces)) = (self.player, &self.pieces) else { return };
        let foe = lexicon.foe(player);
        let file = lexicon.square(tile).file;
        let [start, passed, end] = [1, 2, 3].map(|ahead| {
            lexicon.tile(file, lexicon.rank(foe, ahead)).expect("the board has four ranks")
        });
        let at = |tile| pieces.iter().find(|(stand, _)| stand.tile == tile).map(|(stand, _)| stand);
        let empty = at(start).is_none() && at(passed).is_none();
        let pawn = at(end).is_some_and(|pawn| pawn.owner == foe && pawn.kind == lexicon.pawn);
        if tile != passed || !empty || !pawn {
            let allowed = format!(
                "an empty square of rank {} that a pawn of the side not to move just passed over",
                lexicon.rank(foe, 2) + 1
            );
            return self.wrong(self.at(word), "impossible en passant square", word, &allowed);
        }
        self.flag(end, 1 << lexicon.passing.index());
    }

    pub(crate) fn clock(&mut self, at: usize, word: &str) {
        let lexicon = self.lexicon;
        match self.count(word, lexicon.clock) {
            Ok(clock) => self.variables.push((lexicon.clock, lexicon.players[0], clock)),
            Err(allowed) => self.wrong(at, "bad halfmove clock", word, &allowed),
        }
    }

    pub(crate) fn number(&mut self, at: usize, word: &str) {
        let lexicon = self.lexicon;
        // Some programs count from 0; the first move is the first.
        let zero = !word.is_empty() && word.bytes().all(|byte| byte == b'0');
        let counted = if zero { "1" } else { word };
        match self.count(counted, lexicon.number) {
            Ok(number) => self.variables.push((lexicon.number, lexicon.players[0], number)),
            Err(allowed) => self.wrong(at, "bad move number", word, &allowed),
        }
    }

    fn checks(&mut self, word: &str, variable: VariableId) {
        let counts = word.strip_prefix('+').and_then(|rest| rest.split_once('+'));
        let Some((white, black)) = counts else {
            let allowed = "the checks that each side has given, as +0+0";
            return self.wrong(self.at(word), "bad check count", word, allowed);
        };
        for (player, text) in self.lexicon.players.into_iter().zip([white, black]) {
            match self.count(text, variable) {
                Ok(count) => self.variables.push((variable, player, count)),
                Err(allowed) => self.wrong(self.at(text), "bad check count", text, &allowed),
            }
        }
    }

    /// Reads a variable's value, or says what is allowed.
    fn count(&self, word: &str, variable: VariableId) -> Result<i64, String> {
        let bounds = &self.lexicon.game.definition().variables[variable.index()];
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let value = word.parse().ok().filter(|value| (bounds.min..=bounds.max).contains(value));
        value
            .filter(|_| digits)
            .ok_or_else(|| format!("a number from {} to {}", bounds.min, bounds.max))
    }
}

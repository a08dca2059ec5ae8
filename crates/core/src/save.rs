//! Saved matches: JSON for people, a compact form for machines. Both name the definition and carry
//! a seal for each step, so that a change of any byte is found and placed. What depends on how many
//! steps there are comes after the steps, so that a saved match is continued by writing at its end.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;

use crate::event::Event;
use crate::game::Game;
use crate::hash;
use crate::history::Match;
use crate::notation::excerpt;
use crate::text;

const FORMAT: &str = "senet match 2";
const MAGIC: &[u8; 8] = b"SENETM2\n";

/// Why a saved match does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The step at which it fails, counted from 1; none where the head or the end is wrong.
    pub step: Option<usize>,
    /// What is wrong.
    pub problem: LoadProblem,
}

/// What is wrong with a saved match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadProblem {
    /// It is not a saved match at all, and why.
    NotAMatch(String),
    /// It is a match of another game or of other rules of this one.
    OtherGame {
        /// The game and definition hash found.
        found: String,
        /// Those of this game.
        allowed: String,
    },
    /// The beginning is no position of the game, and why.
    BadStart(String),
    /// The text is no event, and why.
    BadEvent(String),
    /// The event is refused, and why.
    Refused(String),
    /// The seal does not fit what the step did.
    Altered {
        /// The seal found.
        found: String,
        /// The seal that fits.
        allowed: String,
    },
    /// The bytes are not those that saving this match writes; the first that differs.
    NotAsWritten {
        /// Its number, counted from 0.
        byte: usize,
    },
    /// It ends too early.
    CutShort,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    game: String,
    definition: String,
    start: String,
    seal: String,
    steps: Vec<SavedStep>,
    now: usize,
    /// The seal over the last step, how many there are and which is now.
    end: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedStep {
    event: String,
    seal: String,
}

/// The form that a match is saved in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveForm {
    /// JSON, for people.
    Json,
    /// The compact form.
    Compact,
}

/// How far a match was saved, so that [`Match::save_after`] can continue from there.
#[derive(Clone)]
pub struct SaveMark {
    form: SaveForm,
    /// The match as it was written.
    written: Match,
    /// The seal over all steps of the match that was saved.
    seal: u64,
    /// How many bytes come before those that the next step replaces.
    offset: usize,
}

impl SaveMark {
    /// The byte at which what [`Match::save_after`] returns is to be written.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl Match {
    /// Writes the match as JSON. It begins at the position of its first state: which of two like
    /// pieces stands where is chosen anew when it is read.
    pub fn to_json(&self) -> String {
        let (bytes, _) = self.save(SaveForm::Json);
        String::from_utf8(bytes).expect("every part is text")
    }

    /// Writes the match in the compact form.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.save(SaveForm::Compact).0
    }

    /// Writes the match, and says how far, so that it can be continued.
    pub fn save(&self, form: SaveForm) -> (Vec<u8>, SaveMark) {
        let canonical = self.canonical();
        let mut bytes = match form {
            SaveForm::Json => canonical.json_head().into_bytes(),
            SaveForm::Compact => canonical.compact_head(),
        };
        let offset = canonical.save_steps(form, 0, &mut bytes);
        let seal = self.seal_at(self.len());
        (bytes, SaveMark { form, written: canonical, seal, offset })
    }

    /// What is to be written at [`SaveMark::offset`] so that the saved match becomes this one; none
    /// where this match does not continue the saved one.
    pub fn save_after(&self, mark: &SaveMark) -> Option<(Vec<u8>, SaveMark)> {
        let (form, first) = (mark.form, mark.written.len());
        if self.len() < first || self.seal_at(first) != mark.seal {
            return None;
        }
        let mut written = mark.written.clone();
        written.goto(first);
        for (event, _) in self.sealed_steps(first) {
            written.apply(event).ok()?;
        }
        written.goto(self.ply());
        let mut bytes = Vec::new();
        let offset = mark.offset + written.save_steps(form, first, &mut bytes);
        let seal = self.seal_at(self.len());
        Some((bytes, SaveMark { form, written, seal, offset }))
    }

    /// Writes the steps after the first ones, and the end; how many bytes come before the end.
    fn save_steps(&self, form: SaveForm, first: usize, bytes: &mut Vec<u8>) -> usize {
        for (index, (event, seal)) in self.sealed_steps(first).into_iter().enumerate() {
            match form {
                SaveForm::Json => {
                    let comma = if first + index > 0 { "," } else { "" };
                    let event = quoted(&text::format_event(self.game(), event));
                    let step = format!(
                        "{comma}\n    {{\n      \"event\": {event},\n      \"seal\": \"{seal:016x}\"\n    }}"
                    );
                    bytes.extend(step.into_bytes());
                }
                SaveForm::Compact => {
                    write_number(bytes, event.encode() + 1);
                    bytes.extend(seal.to_le_bytes());
                }
            }
        }
        let (offset, now, end) = (bytes.len(), self.ply(), end_seal(self));
        match form {
            SaveForm::Json => {
                let indent = if self.is_empty() { "" } else { "\n  " };
                let end = format!("{indent}],\n  \"now\": {now},\n  \"end\": \"{end:016x}\"\n}}\n");
                bytes.extend(end.into_bytes());
            }
            SaveForm::Compact => {
                // No step is written as zero.
                write_number(bytes, 0);
                write_number(bytes, now as u64);
                bytes.extend(end.to_le_bytes());
            }
        }
        offset
    }

    /// The JSON form up to its first step.
    fn json_head(&self) -> String {
        let game = self.game();
        let start = text::format_position(game, &self.first_state());
        format!(
            "{{\n  \"format\": {},\n  \"game\": {},\n  \"definition\": \"{:032x}\",\n  \
             \"start\": {},\n  \"seal\": \"{:016x}\",\n  \"steps\": [",
            quoted(FORMAT),
            quoted(game.name()),
            game.definition_hash(),
            quoted(&start),
            self.seal_at(0),
        )
    }

    /// The compact form up to its first step.
    fn compact_head(&self) -> Vec<u8> {
        let game = self.game();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(game.definition_hash().to_le_bytes());
        for text in [game.name(), &text::format_position(game, &self.first_state())] {
            write_number(&mut bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(self.seal_at(0).to_le_bytes());
        bytes
    }

    /// The same events from the first state as its text reads back.
    fn canonical(&self) -> Match {
        let first = self.first_state();
        let text = text::format_position(self.game(), &first);
        let Ok(start) = text::parse_position(self.game(), &text) else { return self.clone() };
        if start == first {
            return self.clone();
        }
        let mut canonical = Match::from_state(self.game().clone(), start);
        for (played, _) in self.steps() {
            if canonical.apply(played.event).is_err() {
                return self.clone();
            }
        }
        canonical.goto(self.ply());
        canonical
    }

    /// Reads a match from JSON and replays it, checking every step.
    pub fn from_json(game: Arc<Game>, json: &str) -> Result<Match, LoadError> {
        let saved: Saved = serde_json::from_str(json).map_err(|error| LoadError {
            step: step_of_error(json, &error),
            problem: not_a_match(error.to_string()),
        })?;
        if saved.format != FORMAT {
            let found = excerpt(&saved.format);
            return Err(whole(not_a_match(format!(
                "expected the format `{FORMAT}`, found `{found}`"
            ))));
        }
        let definition = u128::from_str_radix(&saved.definition, 16).ok();
        let mut replay = begin(game, &saved.game, definition, &saved.start, hex(&saved.seal))?;
        for (index, step) in saved.steps.iter().enumerate() {
            let event = text::parse_event(replay.game(), replay.state(), &step.event)
                .map_err(|error| at(index, LoadProblem::BadEvent(error.to_string())))?;
            play(&mut replay, index, event, hex(&step.seal))?;
        }
        finish(&mut replay, saved.now as u64)?;
        check(hex(&saved.end), end_seal(&replay)).map_err(whole)?;
        let steps = replay.len();
        let step = |written: &[u8], byte| step_of_line(lines_before(written, byte), steps);
        compare(json.as_bytes(), replay.to_json().as_bytes(), step)?;
        Ok(replay)
    }

    /// Reads a match from the compact form and replays it, checking every step.
    pub fn from_bytes(game: Arc<Game>, bytes: &[u8]) -> Result<Match, LoadError> {
        let mut rest = bytes;
        let cut = || whole(LoadProblem::CutShort);
        if rest.split_off(..MAGIC.len()).ok_or_else(cut)? != MAGIC {
            return Err(whole(not_a_match("it does not begin like a saved match".into())));
        }
        let definition = u128::from_le_bytes(read(&mut rest).ok_or_else(cut)?);
        let name = read_text(&mut rest)?;
        let start = read_text(&mut rest)?;
        let seal = u64::from_le_bytes(read(&mut rest).ok_or_else(cut)?);
        let mut replay = begin(game, name, Some(definition), start, Some(seal))?;
        loop {
            let index = replay.len();
            let cut = || at(index, LoadProblem::CutShort);
            let Some(code) = read_number(&mut rest).ok_or_else(cut)?.checked_sub(1) else { break };
            let seal = u64::from_le_bytes(read(&mut rest).ok_or_else(cut)?);
            let event = Event::decode(code).ok_or_else(|| {
                at(index, LoadProblem::BadEvent(format!("the number {code} is not an event")))
            })?;
            play(&mut replay, index, event, Some(seal))?;
        }
        let now = read_number(&mut rest).ok_or_else(cut)?;
        let end = u64::from_le_bytes(read(&mut rest).ok_or_else(cut)?);
        if !rest.is_empty() {
            // More bytes than an end has: a step was changed to look like one.
            let byte = bytes.len() - rest.len();
            return Err(at(replay.len(), LoadProblem::NotAsWritten { byte }));
        }
        finish(&mut replay, now)?;
        check(Some(end), end_seal(&replay)).map_err(whole)?;
        // A step that is not as written has a seal that does not fit, so only head and end remain.
        compare(bytes, &replay.to_bytes(), |_, _| None)?;
        Ok(replay)
    }

    /// The name of the game that a saved match is of, in either form, if it says one.
    pub fn saved_game(bytes: &[u8]) -> Option<String> {
        #[derive(Deserialize)]
        struct Head {
            game: String,
        }
        match bytes.strip_prefix(MAGIC) {
            Some(mut rest) => {
                read::<16>(&mut rest)?;
                read_text(&mut rest).ok().map(str::to_owned)
            }
            None => serde_json::from_slice::<Head>(bytes).ok().map(|head| head.game),
        }
    }

    /// Reads a match in either form.
    pub fn load(game: Arc<Game>, bytes: &[u8]) -> Result<Match, LoadError> {
        if bytes.starts_with(MAGIC) {
            return Match::from_bytes(game, bytes);
        }
        let json = std::str::from_utf8(bytes)
            .map_err(|error| whole(not_a_match(format!("neither form: {error}"))))?;
        Match::from_json(game, json)
    }
}

fn whole(problem: LoadProblem) -> LoadError {
    LoadError { step: None, problem }
}

fn at(index: usize, problem: LoadProblem) -> LoadError {
    LoadError { step: Some(index + 1), problem }
}

fn not_a_match(why: String) -> LoadProblem {
    LoadProblem::NotAMatch(why)
}

/// A text as JSON writes it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hex(seal: &str) -> Option<u64> {
    u64::from_str_radix(seal, 16).ok()
}

fn begin(
    game: Arc<Game>,
    name: &str,
    definition: Option<u128>,
    start: &str,
    seal: Option<u64>,
) -> Result<Match, LoadError> {
    if name != game.name() || definition != Some(game.definition_hash()) {
        let found = format!("{} {:032x}", excerpt(name), definition.unwrap_or(0));
        let allowed = format!("{} {:032x}", game.name(), game.definition_hash());
        return Err(whole(LoadProblem::OtherGame { found, allowed }));
    }
    let state = text::parse_position(&game, start)
        .map_err(|error| whole(LoadProblem::BadStart(error.to_string())))?;
    let replay = Match::from_state(game, state);
    check(seal, replay.seal_at(0)).map_err(whole)?;
    Ok(replay)
}

fn play(
    replay: &mut Match,
    index: usize,
    event: Event,
    seal: Option<u64>,
) -> Result<(), LoadError> {
    replay.apply(event).map_err(|rejection| {
        let reasons = rejection.reasons.iter().map(|reason| replay.game().reason_text(*reason));
        at(index, LoadProblem::Refused(reasons.collect::<Vec<_>>().join("; ")))
    })?;
    check(seal, replay.seal()).map_err(|problem| at(index, problem))
}

fn check(found: Option<u64>, allowed: u64) -> Result<(), LoadProblem> {
    if found == Some(allowed) {
        return Ok(());
    }
    let found = found.map_or("no hexadecimal number".into(), |seal| format!("{seal:016x}"));
    Err(LoadProblem::Altered { found, allowed: format!("{allowed:016x}") })
}

fn finish(replay: &mut Match, now: u64) -> Result<(), LoadError> {
    if usize::try_from(now).is_ok_and(|now| replay.goto(now)) {
        return Ok(());
    }
    let steps = replay.len();
    Err(whole(not_a_match(format!("`now` is {now}, but the match has {steps} steps"))))
}

/// Whether the bytes are those that saving writes; anything else was changed by someone. `step`
/// tells the step that a byte of what is written lies in.
fn compare(
    found: &[u8],
    written: &[u8],
    step: impl Fn(&[u8], usize) -> Option<usize>,
) -> Result<(), LoadError> {
    if found == written {
        return Ok(());
    }
    let byte = found.iter().zip(written).take_while(|(one, two)| one == two).count();
    Err(LoadError { step: step(written, byte), problem: LoadProblem::NotAsWritten { byte } })
}

/// The seal over the end of a match: its last seal, how many steps there are and which is now.
fn end_seal(one: &Match) -> u64 {
    let last = one.seal_at(one.len());
    hash::of_words([last, one.len() as u64, one.ply() as u64].into_iter()) as u64
}

fn lines_before(written: &[u8], byte: usize) -> usize {
    written[..byte].iter().filter(|&&one| one == b'\n').count()
}

/// Lines of the JSON form before its steps, of each step, and after them.
const LINES: [usize; 3] = [7, 4, 4];

/// The step that a line of the JSON form lies in.
fn step_of_line(line: usize, steps: usize) -> Option<usize> {
    let step = line.checked_sub(LINES[0])? / LINES[1] + 1;
    (step <= steps).then_some(step)
}

/// The step in which a saved match stops being JSON. Of a text that does not even begin like one
/// nothing can be said.
fn step_of_error(json: &str, error: &serde_json::Error) -> Option<usize> {
    let head = format!("{{\n  \"format\": \"{FORMAT}\",\n");
    let lines = json.lines().count().checked_sub(LINES[0] + LINES[2])?;
    let steps = lines.div_ceil(LINES[1]);
    // A line break that is read and found wrong counts as the line before it.
    let line = error.line().checked_sub(if error.column() == 0 { 2 } else { 1 });
    step_of_line(line.filter(|_| json.starts_with(&head))?, steps)
}

/// Writes a number in groups of seven bits, the lowest first.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *rest.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn read<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    rest.split_off(..N)?.try_into().ok()
}

fn read_text<'b>(rest: &mut &'b [u8]) -> Result<&'b str, LoadError> {
    let length = read_number(rest).and_then(|length| usize::try_from(length).ok());
    let text = length.filter(|&length| length <= rest.len()).and_then(|n| rest.split_off(..n));
    let text = text.ok_or_else(|| whole(LoadProblem::CutShort))?;
    std::str::from_utf8(text).map_err(|error| whole(not_a_match(error.to_string())))
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = self.step {
            write!(f, "step {step}: ")?;
        }
        match &self.problem {
            LoadProblem::NotAMatch(why) => write!(f, "not a saved match: {why}"),
            LoadProblem::OtherGame { found, allowed } => {
                write!(f, "this is a match of {found}, and the game is {allowed}")
            }
            LoadProblem::BadStart(why) => write!(f, "the start: {why}"),
            LoadProblem::BadEvent(why) => write!(f, "the event: {why}"),
            LoadProblem::Refused(why) => write!(f, "the event is refused: {why}"),
            LoadProblem::Altered { found, allowed } => {
                write!(f, "altered: the seal is {found}, but the events give {allowed}")
            }
            LoadProblem::NotAsWritten { byte } => {
                write!(f, "altered: byte {byte} differs from what saving this match writes")
            }
            LoadProblem::CutShort => f.write_str("cut short: more bytes are needed"),
        }
    }
}

impl std::error::Error for LoadError {}

//! Answers about one file.

use std::str::FromStr;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CompletionItem, CompletionItemKind,
    DocumentSymbol, Documentation, Hover, HoverContents, Location, MarkupContent, MarkupKind,
    Position, Range, SymbolKind, TextEdit, Uri, WorkspaceEdit,
};

use super::document::{Document, range_in};
use crate::format::format;
use crate::parser::STATEMENTS;
use crate::span::Span;
use crate::symbol::{Index, Sort, Symbol};
use crate::token::{Token, TokenKind, tokens};
use crate::value::value_at_start;
use crate::word::{Group, WORDS, words};

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

/// The token at a position.
fn token(document: &Document, position: Position) -> Option<Token> {
    let byte = document.byte(position) as u32;
    let (tokens, _) = tokens(0, document.text());
    let spoken = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Symbol);
    let here =
        |token: &&Token| spoken(token) && (token.span.start..=token.span.end).contains(&byte);
    let found = tokens.iter().filter(here);
    found.max_by_key(|token| token.kind == TokenKind::Word).copied()
}

/// What a word means, and what it is worth at the start.
pub(super) fn hover(document: &Document, position: Position) -> Option<Hover> {
    let token = token(document, position)?;
    let text = &document.text()[token.span.range()];
    let index = document.index();
    let symbol = index.at(document.byte(position) as u32);
    let mut parts = Vec::new();
    let span = match symbol {
        Some((symbol, span)) => {
            parts.push(told(&index, symbol));
            span
        }
        None => {
            let known = words(text).map(|word| format!("`{}` {}", word.form, word.meaning));
            parts.extend(known);
            token.span
        }
    };
    let asks = symbol.is_none_or(|(symbol, _)| is_value(symbol.sort));
    let name = symbol.map_or(text, |(symbol, _)| symbol.name.as_str());
    if let Some(value) = value_at_start(&document.source, &*document.library, name).filter(|_| asks)
    {
        parts.push(format!("At the start: {value}"));
    }
    if parts.is_empty() {
        return None;
    }
    let contents = HoverContents::Markup(markdown(parts.join("\n\n")));
    Some(Hover { contents, range: Some(document.range(span)) })
}

/// What a name is, with the statement that declares it.
fn told(index: &Index, symbol: &Symbol) -> String {
    let source = index.sources.get(usize::from(symbol.statement.file));
    let statement = source.and_then(|source| source.text.get(symbol.statement.range()));
    let place = match source.filter(|_| symbol.declared.file > 0) {
        Some(source) => format!(" of `{}`", source.name),
        None => String::new(),
    };
    let statement = statement.map_or(String::new(), |text| format!("\n\n```senet\n{text}\n```"));
    format!("{} `{}`{place}{statement}", symbol.sort.word(), symbol.name)
}

/// Whether things of a sort have a value.
fn is_value(sort: Sort) -> bool {
    !matches!(
        sort,
        Sort::Game
            | Sort::Act
            | Sort::Phase
            | Sort::Rule
            | Sort::Ending
            | Sort::Requirement
            | Sort::Local
    )
}

/// The sorts of names and the groups of words that may stand where a value is written.
const VALUE_SORTS: [Sort; 11] = [
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
    Sort::Local,
];
const VALUE_GROUPS: [Group; 8] = [
    Group::Set,
    Group::Tile,
    Group::Number,
    Group::Truth,
    Group::Part,
    Group::Direction,
    Group::Seat,
    Group::Way,
];

/// What may be written at a position.
pub(super) fn completion(document: &Document, position: Position) -> Vec<CompletionItem> {
    let byte = document.byte(position);
    let (all, _) = tokens(0, document.text());
    let before: Vec<Token> =
        all.into_iter().filter(|token| (token.span.end as usize) <= byte).collect();
    let spelled = |token: &Token| &document.text()[token.span.range()];
    // A word that ends at the position is being written.
    let written = before.last().is_some_and(|token| token.kind == TokenKind::Word);
    let done = &before[..before.len() - usize::from(written)];
    let line = done.iter().rev().take_while(|token| token.kind != TokenKind::Newline);
    let line: Vec<&str> = line.filter(|token| !token.is_trivia()).map(spelled).collect::<Vec<_>>();
    let index = document.index();
    let mut items = Vec::new();
    let last = line.first().copied().unwrap_or("");
    let groups: &[Group] = match (last, line.last().copied().unwrap_or("")) {
        ("", _) => {
            let starts = WORDS.iter().filter(|word| STATEMENTS.contains(&word.text));
            let starts = starts.filter(|word| word.group == Group::Statement);
            items.extend(starts.map(keyword));
            return items;
        }
        (".", _) => &[Group::Direction],
        ("board", _) => &[Group::Board],
        (":", "piece") => &[Group::Way],
        (":" | "aside" | "otherwise", "rule" | "aside" | "otherwise") => {
            let wants = ["move", "put", "roll", "act", "pass", "aside", "otherwise"];
            let known = WORDS.iter().filter(|word| word.group == Group::Statement);
            items.extend(known.filter(|word| wants.contains(&word.text)).map(keyword));
            return items;
        }
        ("move" | "put" | "becoming", _) => {
            items.extend(named(&index, &[Sort::Piece]));
            &[Group::Part, Group::Way]
        }
        ("step" | "slide" | "along", _) => &[Group::Direction],
        ("then" | "before" | "instead" | ";", _) => {
            items.extend(named(&index, &[Sort::Let, Sort::Variable]));
            &[Group::Effect]
        }
        ("test", _) => &[Group::Test],
        ("is", "game") => {
            let names = document.library.names();
            items.extend(names.into_iter().map(|name| item(name, CompletionItemKind::FILE)));
            return items;
        }
        _ => {
            items.extend(named(&index, &VALUE_SORTS));
            &VALUE_GROUPS
        }
    };
    if groups.contains(&Group::Direction) {
        items.extend(named(&index, &[Sort::Direction]));
        for name in senet_core::builder::EIGHT {
            items.push(item(name.to_owned(), CompletionItemKind::ENUM_MEMBER));
        }
        if last == "." {
            items.extend(words("around").map(keyword));
        }
    }
    items.extend(WORDS.iter().filter(|word| groups.contains(&word.group)).map(keyword));
    items.retain(|item| item.label.starts_with(char::is_alphabetic));
    items.sort_by(|one, other| one.label.cmp(&other.label));
    items.dedup_by(|one, other| one.label == other.label);
    items
}

fn item(label: String, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label, kind: Some(kind), ..CompletionItem::default() }
}

fn keyword(word: &crate::word::Word) -> CompletionItem {
    let about = format!("`{}` {}\n\n```senet\n{}\n```", word.form, word.meaning, word.example);
    CompletionItem {
        detail: Some(word.form.to_owned()),
        documentation: Some(Documentation::MarkupContent(markdown(about))),
        ..item(word.text.to_owned(), CompletionItemKind::KEYWORD)
    }
}

fn named<'i>(index: &'i Index, sorts: &'i [Sort]) -> impl Iterator<Item = CompletionItem> + 'i {
    let symbols = index.symbols.iter().filter(|symbol| sorts.contains(&symbol.sort));
    symbols.map(|symbol| CompletionItem {
        detail: Some(symbol.sort.word().to_owned()),
        ..item(symbol.name.clone(), CompletionItemKind::VARIABLE)
    })
}

/// Where a name is declared. A shipped game has no address, so that nothing is found there.
pub(super) fn definition(document: &Document, position: Position) -> Option<Location> {
    let index = document.index();
    let (symbol, _) = index.at(document.byte(position) as u32)?;
    location(document, &index, symbol.declared)
}

fn location(document: &Document, index: &Index, span: Span) -> Option<Location> {
    if span.file == 0 {
        return Some(Location::new(Uri::from_str(&document.uri).ok()?, document.range(span)));
    }
    let source = index.sources.get(usize::from(span.file))?;
    let path = std::path::Path::new(&source.name);
    let path = path.is_absolute().then_some(path)?;
    let uri = Uri::from_str(&address(path.to_str()?)).ok()?;
    Some(Location::new(uri, range_in(&source.text, span)))
}

/// The address of a file.
fn address(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let mut address = String::from("file://");
    for byte in path.bytes() {
        match plain(byte) {
            true => address.push(char::from(byte)),
            false => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// Every place where a name stands.
pub(super) fn references(document: &Document, position: Position) -> Option<Vec<Location>> {
    let index = document.index();
    let (symbol, _) = index.at(document.byte(position) as u32)?;
    let places = symbol.places.iter();
    Some(places.filter_map(|span| location(document, &index, *span)).collect())
}

/// The range of the name that can be renamed at a position.
pub(super) fn renamed_range(document: &Document, position: Position) -> Option<Range> {
    let index = document.index();
    let (symbol, span) = index.at(document.byte(position) as u32)?;
    (symbol.declared.file == 0).then(|| document.range(span))
}

/// The edits that give a name another.
pub(super) fn rename(
    document: &Document,
    position: Position,
    name: &str,
) -> Result<WorkspaceEdit, String> {
    let index = document.index();
    let found = index.at(document.byte(position) as u32);
    let (symbol, _) = found.ok_or("no name stands here that can be changed")?;
    if symbol.declared.file > 0 {
        let owner = &index.sources[usize::from(symbol.declared.file)].name;
        return Err(format!("`{}` is declared in {owner}: change it there", symbol.name));
    }
    check_name(symbol.sort, name)?;
    if symbol.sort != Sort::Local && index.names(symbol.sort).any(|known| known == name) {
        return Err(format!("there is a {} named `{name}` already", symbol.sort.word()));
    }
    let own = symbol.places.iter().filter(|span| span.file == 0);
    let edits = own.map(|span| TextEdit::new(document.range(*span), name.to_owned()));
    edit(document, edits.collect())
}

/// Whether a text can name a thing of a sort.
fn check_name(sort: Sort, name: &str) -> Result<(), String> {
    let (found, wrong) = tokens(0, name);
    let quoted = matches!(sort, Sort::Ending | Sort::Requirement);
    let phrase = matches!(sort, Sort::Rule | Sort::Phase);
    let words = found.iter().filter(|token| token.kind == TokenKind::Word).count();
    let spaces = found.iter().filter(|token| token.kind == TokenKind::Space).count();
    let fits = match (quoted, phrase) {
        (true, _) => !name.is_empty() && !name.contains(['"', '\n', '\r']),
        (_, true) => wrong.is_empty() && words > 0 && words + spaces == found.len(),
        _ => words == 1 && found.len() == 1,
    };
    match fits {
        true => Ok(()),
        false => {
            let shown = senet_core::notation::excerpt(name);
            Err(format!(
                "`{shown}` cannot name a {}: write letters, digits and hyphens",
                sort.word()
            ))
        }
    }
}

/// Some edits of the file itself.
fn edit(document: &Document, edits: Vec<TextEdit>) -> Result<WorkspaceEdit, String> {
    let uri = Uri::from_str(&document.uri).map_err(|error| error.to_string())?;
    #[allow(clippy::mutable_key_type, reason = "the protocol has a map by address")]
    let changes = [(uri, edits)].into_iter().collect();
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// The names that the file declares, for an outline.
#[allow(deprecated, reason = "the type has a field that may not be left out")]
pub(super) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let index = document.index();
    let own = index.symbols.iter().filter(|symbol| {
        symbol.declared.file == 0 && symbol.sort != Sort::Local && !symbol.name.is_empty()
    });
    let told = own.map(|symbol| DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.sort.word().to_owned()),
        kind: match symbol.sort {
            Sort::Rule | Sort::Act | Sort::Ending => SymbolKind::FUNCTION,
            Sort::Phase => SymbolKind::NAMESPACE,
            Sort::Piece | Sort::Player => SymbolKind::CLASS,
            Sort::Option => SymbolKind::CONSTANT,
            _ => SymbolKind::VARIABLE,
        },
        tags: None,
        deprecated: None,
        range: document.range(symbol.statement),
        selection_range: document.range(symbol.declared),
        children: None,
    });
    told.collect()
}

/// The edit that makes the file neat; none where it cannot be read.
pub(super) fn formatted(document: &Document) -> Option<Vec<TextEdit>> {
    let neat = format(document.text()).ok()?;
    if neat == document.text() {
        return Some(Vec::new());
    }
    let whole = Span::new(0, 0, document.text().len());
    Some(vec![TextEdit::new(document.range(whole), neat)])
}

/// What can be mended by itself inside a range.
pub(super) fn actions(document: &Document, range: Range) -> Vec<CodeActionOrCommand> {
    let (start, end) = (document.byte(range.start) as u32, document.byte(range.end) as u32);
    let found = document.found().into_iter().filter(|one| {
        one.span.file == 0 && one.span.start <= end.max(start) && start <= one.span.end
    });
    let mended = found.filter_map(|one| {
        let replacement = one.replacement?;
        let edits = vec![TextEdit::new(document.range(one.span), replacement.clone())];
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("write `{replacement}`"),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(edit(document, edits).ok()?),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    });
    mended.collect()
}

//! The language server: what an editor asks about game files while they are written.
//!
//! A file is read anew after every change, which takes a millisecond or two, so that there is
//! nothing to keep in step. Positions are those of the protocol: lines and UTF-16 units from 0.

mod answer;
mod document;

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest,
    PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{
    CodeActionProviderCapability, CompletionOptions, HoverProviderCapability, OneOf,
    PublishDiagnosticsParams, RenameOptions, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::file::Library;
pub use document::Document;

/// Where the games are found that a file may be based on, by the path of the file.
pub type Libraries<'l> = dyn Fn(Option<PathBuf>) -> Box<dyn Library> + 'l;

/// What the server can do, as the protocol wants to know it.
pub fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".into(), ":".into(), " ".into()]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        ..ServerCapabilities::default()
    }
}

/// Serves an editor over standard input and output until it says goodbye.
///
/// # Errors
/// Where the editor does not keep to the protocol, or the pipe breaks.
pub fn serve_stdio(libraries: &Libraries<'_>) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection, libraries);
    drop(connection);
    served?;
    threads.join().map_err(|error| error.to_string())
}

/// Serves an editor until it says goodbye.
///
/// # Errors
/// Where the editor does not keep to the protocol.
pub fn serve(connection: &Connection, libraries: &Libraries<'_>) -> Result<(), String> {
    let capabilities = serde_json::to_value(capabilities()).map_err(|error| error.to_string())?;
    connection.initialize(capabilities).map_err(|error| error.to_string())?;
    let mut server = Server { libraries, documents: BTreeMap::new() };
    for message in &connection.receiver {
        let answers = match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                    return Ok(());
                }
                vec![Message::Response(server.answer(request))]
            }
            Message::Notification(note) => server.note(note),
            Message::Response(_) => Vec::new(),
        };
        for answer in answers {
            connection.sender.send(answer).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The files that an editor has open.
pub struct Server<'l> {
    libraries: &'l Libraries<'l>,
    documents: BTreeMap<String, Document>,
}

impl<'l> Server<'l> {
    /// A server that has no file open.
    pub fn new(libraries: &'l Libraries<'l>) -> Server<'l> {
        Server { libraries, documents: BTreeMap::new() }
    }

    /// An open file, by its address.
    pub fn document(&self, uri: &str) -> Option<&Document> {
        self.documents.get(uri)
    }

    /// Takes in what the editor says without wanting an answer; gives what it should show.
    pub fn note(&mut self, note: Notification) -> Vec<Message> {
        let uri = match note.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(opened) = read::<lsp_types::DidOpenTextDocumentParams>(note.params) else {
                    return Vec::new();
                };
                let uri = opened.text_document.uri;
                let library = (self.libraries)(path(uri.as_str()));
                let document = Document::new(uri.as_str(), opened.text_document.text, library);
                self.documents.insert(uri.as_str().to_owned(), document);
                uri
            }
            DidChangeTextDocument::METHOD => {
                let Some(changed) = read::<lsp_types::DidChangeTextDocumentParams>(note.params)
                else {
                    return Vec::new();
                };
                let uri = changed.text_document.uri;
                let Some(document) = self.documents.get_mut(uri.as_str()) else {
                    return Vec::new();
                };
                for change in changed.content_changes {
                    document.change(change.range, &change.text);
                }
                uri
            }
            DidCloseTextDocument::METHOD => {
                let Some(closed) = read::<lsp_types::DidCloseTextDocumentParams>(note.params)
                else {
                    return Vec::new();
                };
                self.documents.remove(closed.text_document.uri.as_str());
                closed.text_document.uri
            }
            _ => return Vec::new(),
        };
        vec![self.shown(uri)]
    }

    /// What is wrong with a file, for the editor to show.
    fn shown(&self, uri: Uri) -> Message {
        let document = self.documents.get(uri.as_str());
        let diagnostics = document.map_or(Vec::new(), Document::diagnostics);
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        Message::Notification(Notification::new(PublishDiagnostics::METHOD.into(), params))
    }

    /// Answers a question.
    pub fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = match method.as_str() {
            HoverRequest::METHOD => self
                .asked(params, |document, at: Value| answer::hover(document, read_position(&at)?)),
            Completion::METHOD => self.asked(params, |document, at: Value| {
                Some(answer::completion(document, read_position(&at)?))
            }),
            GotoDefinition::METHOD => self.asked(params, |document, at: Value| {
                answer::definition(document, read_position(&at)?)
            }),
            References::METHOD => self.asked(params, |document, at: Value| {
                answer::references(document, read_position(&at)?)
            }),
            PrepareRenameRequest::METHOD => self.asked(params, |document, at: Value| {
                answer::renamed_range(document, read_position(&at)?)
            }),
            DocumentSymbolRequest::METHOD => {
                self.asked(params, |document, _: Value| Some(answer::symbols(document)))
            }
            Formatting::METHOD => {
                self.asked(params, |document, _: Value| answer::formatted(document))
            }
            CodeActionRequest::METHOD => {
                self.asked(params, |document, at: lsp_types::CodeActionParams| {
                    Some(answer::actions(document, at.range))
                })
            }
            Rename::METHOD => {
                let wanted = read::<lsp_types::RenameParams>(params);
                let edit = wanted.and_then(|wanted| {
                    let at = wanted.text_document_position;
                    let document = self.documents.get(at.text_document.uri.as_str())?;
                    Some(answer::rename(document, at.position, &wanted.new_name))
                });
                match edit {
                    Some(Err(why)) => {
                        return Response::new_err(id, ErrorCode::InvalidParams as i32, why);
                    }
                    edit => to_value(edit.and_then(Result::ok)),
                }
            }
            _ => {
                let message = format!("`{method}` is not a request that this server answers");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        Response::new_ok(id, answered)
    }

    /// The answer about a document that a question names; null where there is none.
    fn asked<P: DeserializeOwned, T: Serialize>(
        &self,
        params: Value,
        answer: impl FnOnce(&Document, P) -> Option<T>,
    ) -> Value {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let document = uri.and_then(|uri| self.documents.get(uri));
        let params = read::<P>(params.clone());
        to_value(document.zip(params).and_then(|(document, params)| answer(document, params)))
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn read_position(params: &Value) -> Option<lsp_types::Position> {
    read(params.get("position")?.clone())
}

fn to_value<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// The path of a file, by its address.
fn path(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        let code = [rest.clone().next(), rest.clone().nth(1)];
        match (byte, code) {
            (b'%', [Some(high), Some(low)]) => {
                let text = [high, low];
                let digits = std::str::from_utf8(&text).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest.nth(1);
            }
            _ => bytes.push(byte),
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

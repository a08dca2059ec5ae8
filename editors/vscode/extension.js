// Starts `senet lsp` and joins it to the editor.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("senet").get("path", "senet");
  const server = { command, args: ["lsp"] };
  const options = { documentSelector: [{ language: "senet" }] };
  client = new LanguageClient("senet", "Senet", server, options);
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };

// Starts `sconce lsp` and lets it answer for the documents that are TorchScript.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const settings = vscode.workspace.getConfiguration("sconce");
  const command = settings.get("path", "sconce");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  const documentSelector = [
    { language: "torchscript-graph" },
    { language: "python", pattern: settings.get("pythonFiles", "**/*.py") },
  ];
  client = new LanguageClient("sconce", "Sconce", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`Sconce: ${command} lsp does not start: ${error.message}. The setting sconce.path says where sconce is.`);
  }
};

exports.deactivate = () => client?.stop();

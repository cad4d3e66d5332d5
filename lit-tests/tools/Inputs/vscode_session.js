// Runs the extension for Visual Studio Code without the editor: its settings are those of the arguments (`name=value`), and its client starts what the extension
// says as vscode-languageclient does, opens one document and prints what the server publishes of it.

const { spawn } = require("child_process");
const Module = require("module");
const path = require("path");

const FOLDER = process.argv[2];
const manifest = require(path.join(FOLDER, "package.json"));
const declared = manifest.contributes.configuration.properties;
const given = new Map(process.argv.slice(3).map((setting) => setting.split("=")));
const TEXT = "import torch\n\ndef f(x: int) -> int:\n    return x + y\n";

const TransportKind = { stdio: 0 };

class LanguageClient {
  constructor(id, name, server, client) {
    Object.assign(this, { server, client, asked: new Map(), read: Buffer.alloc(0), next: 1 });
  }

  async start() {
    const { command, args, transport } = this.server;
    if (transport !== TransportKind.stdio) throw new Error("another transport");
    this.process = spawn(command, [...args, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    const started = new Promise((resolve, reject) => this.process.on("spawn", resolve).on("error", reject));
    await started;
    this.process.stdout.on("data", (bytes) => this.receive(bytes));
    const { capabilities } = await this.request("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
    console.log("answers:", Object.keys(capabilities).filter((name) => name.endsWith("Provider")).sort().join(" "));
    this.send({ method: "initialized", params: {} });
    const published = new Promise((resolve) => (this.published = resolve));
    const selected = this.client.documentSelector.find((one) => one.language === "python");
    console.log("selected:", this.client.documentSelector.map((one) => [one.language, one.pattern].join(" ").trim()).join(", "));
    const document = { uri: "file:///m.py", languageId: selected.language, version: 1, text: TEXT };
    this.send({ method: "textDocument/didOpen", params: { textDocument: document } });
    for (const { range, message } of (await published).diagnostics) {
      console.log(`${range.start.line}:${range.start.character}: ${message.split("\n")[0]}`);
    }
  }

  async stop() {
    await this.request("shutdown", null);
    this.send({ method: "exit" });
    console.log("status", await this.ended);
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  request(method, params) {
    const id = this.next++;
    this.send({ id, method, params });
    return new Promise((resolve) => this.asked.set(id, resolve));
  }

  receive(bytes) {
    this.read = Buffer.concat([this.read, bytes]);
    for (;;) {
      const end = this.read.indexOf("\r\n\r\n");
      const length = end < 0 ? NaN : Number(/Content-Length: (\d+)/.exec(this.read.toString("latin1", 0, end))[1]);
      if (!(this.read.length >= end + 4 + length)) return;
      const message = JSON.parse(this.read.toString("utf8", end + 4, end + 4 + length));
      this.read = this.read.subarray(end + 4 + length);
      if (message.id !== undefined) this.asked.get(message.id)?.(message.result);
      if (message.method === "textDocument/publishDiagnostics") this.published(message.params);
    }
  }
}

// What the editor has for its extensions, as far as this one asks.
const vscode = {
  workspace: {
    getConfiguration: (section) => ({
      get: (name, otherwise) => given.get(name) ?? declared[`${section}.${name}`].default ?? otherwise,
    }),
  },
  window: { showErrorMessage: (message) => console.log("message:", message) },
};

const provided = { vscode, "vscode-languageclient/node": { LanguageClient, TransportKind } };
const load = Module._load;
Module._load = (name, ...rest) => provided[name] ?? load(name, ...rest);

async function main() {
  const extension = require(path.resolve(FOLDER, manifest.main));
  await extension.activate();
  await extension.deactivate();
}

main();

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function options() {
  const { kubeVersion, featureGates, exclude, debounce } = vscode.workspace.getConfiguration("dractl");
  return { kubeVersion, featureGates, exclude, debounce };
}

async function start() {
  const command = vscode.workspace.getConfiguration("dractl").get("command") || "dractl";
  client = new LanguageClient(
    "dractl",
    "dractl",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "yaml" }, { language: "json" }],
      initializationOptions: options(),
      synchronize: {
        configurationSection: "dractl",
        fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,json}"),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `dractl: cannot start "${command} lsp": ${error.message}. Run pip install 'dractl[lsp]', or set dractl.command.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) {
    await running.stop();
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("dractl.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

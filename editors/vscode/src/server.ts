// The language server: `map lsp`, on its standard streams.

import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

import { limits, program } from './settings';

/** The server, which is started again when its settings change. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;

  /** Starts it, or says why it cannot be started. Colours, snippets and pictures go without it. */
  async start(): Promise<void> {
    const path = program();
    const run = { command: path, args: ['lsp'], transport: TransportKind.stdio };
    this.client = new LanguageClient('map', 'MAP', { run, debug: run }, {
      documentSelector: [{ language: 'map', scheme: 'file' }, { language: 'map', scheme: 'untitled' }],
      initializationOptions: { verification: limits() },
    });
    try {
      await this.client.start();
    } catch (error) {
      this.client = undefined;
      const why = error instanceof Error ? error.message : String(error);
      const open = 'Open Settings';
      const chosen = await vscode.window.showErrorMessage(`“${path} lsp” cannot be started: ${why}`, open);
      if (chosen === open) {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'map.path');
      }
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Has the server verify a scene; the verdict appears above it. */
  async verify(uri: vscode.Uri, scene: string): Promise<void> {
    if (this.client?.isRunning() !== true) {
      void vscode.window.showWarningMessage('The language server of MAP is not running.');
      return;
    }
    await vscode.commands.executeCommand('map.verify', this.client.code2ProtocolConverter.asUri(uri), scene);
  }

  dispose(): void {
    void this.stop();
  }
}

// The extension for MAP: its commands, and the language server.

import * as vscode from 'vscode';

import { showCounterexample, showRoles } from './pictures';
import { sceneAt, scenes } from './scenes';
import { Server } from './server';
import { inTerminal } from './terminal';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server();
  const command = (name: string, does: (...args: never[]) => Promise<void>) => {
    const told = async (...args: never[]) => {
      try {
        await does(...args);
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(name, told));
  };

  // The lenses above scenes. (`map.verify` is the server's own.)
  command('map.run', async (uri: string, scene?: string) => inTerminal('run', vscode.Uri.parse(uri), scene ?? undefined));
  command('map.step', async (uri: string, scene?: string) => inTerminal('step', vscode.Uri.parse(uri), scene ?? undefined));

  command('map.runScene', async () => withScene((document, scene) => inTerminal('run', document.uri, scene)));
  command('map.stepScene', async () => withScene((document, scene) => inTerminal('step', document.uri, scene)));
  command('map.verifyScene', async () => withScene((document, scene) => server.verify(document.uri, scene)));
  command('map.showRoles', async () => withScene(showRoles));
  command('map.showCounterexample', async () => withScene(showCounterexample));
  command('map.restartServer', async () => server.restart());

  context.subscriptions.push(
    server,
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('map.path') || change.affectsConfiguration('map.verification')) {
        void server.restart();
      }
    }),
  );
  await server.start();
}

/** Does something with the scene that the cursor is in. */
async function withScene(does: (document: vscode.TextDocument, scene: string) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'map') {
    void vscode.window.showWarningMessage('Open a MAP file first.');
    return;
  }
  const [text, cursor] = [editor.document.getText(), editor.document.offsetAt(editor.selection.active)];
  const scene = scenes(text).length === 0 ? undefined : sceneAt(text, cursor);
  if (scene === undefined) {
    void vscode.window.showWarningMessage('There is no scene in this file.');
    return;
  }
  await does(editor.document, scene);
}

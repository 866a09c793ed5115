// Plays scenes in a terminal.

import * as path from 'node:path';
import * as vscode from 'vscode';

import { play } from './commandline';
import { program } from './settings';

/** Runs a scene, or steps through it. The file is saved first: the program reads it. */
export async function inTerminal(verb: 'run' | 'step', uri: vscode.Uri, scene: string | undefined): Promise<void> {
  if (uri.scheme !== 'file') {
    void vscode.window.showWarningMessage(`Save the text to a file first: “map ${verb}” reads files.`);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) {
    return;
  }
  // A process of its own, so that no shell sees the names.
  const process = new vscode.ProcessExecution(program(), play(verb, uri.fsPath, scene), { cwd: path.dirname(uri.fsPath) });
  const name = scene === undefined ? verb : `${verb} ${scene}`;
  const task = new vscode.Task({ type: 'map', verb }, vscode.TaskScope.Workspace, name, 'MAP', process, []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    focus: verb === 'step',
    clear: true,
  };
  await vscode.tasks.executeTask(task);
}

// The chart of a counterexample, and the graph of roles.

import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

import * as commandline from './commandline';
import { page } from './page';
import { type Output, run } from './program';
import { casts } from './scenes';
import { limits, program } from './settings';

/** Shows what each role does. */
export async function showRoles(document: vscode.TextDocument, scene: string): Promise<void> {
  const output = await run(program(), commandline.roles(scene), document.getText(), folder(document));
  if (output.code === 0) {
    show(`Roles of ${scene}`, path.basename(document.fileName), output.stdout);
  } else {
    complain(output);
  }
}

/** Verifies a scene, and shows the run that violates it. */
export async function showCounterexample(document: vscode.TextDocument, scene: string): Promise<void> {
  const cast = await chosenCast(casts(document.getText(), scene));
  if (cast === undefined) {
    return;
  }
  const own = await fs.mkdtemp(path.join(os.tmpdir(), 'map-'));
  try {
    const options = { location: vscode.ProgressLocation.Notification, title: `Verifying ${scene}`, cancellable: true };
    await vscode.window.withProgress(options, async (_, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => { abort.abort(); });
      await verifyAndShow(document, scene, cast, path.join(own, 'trace.json'), abort.signal);
    });
  } finally {
    await fs.rm(own, { recursive: true, force: true });
  }
}

async function verifyAndShow(
  document: vscode.TextDocument, scene: string, cast: string[], trace: string, signal: AbortSignal,
): Promise<void> {
  const [text, cwd] = [document.getText(), folder(document)];
  const args = commandline.verify(scene, cast, limits(document.uri), trace);
  const verdict = await run(program(), args, text, cwd, signal);
  const said = verdict.stdout.replace(/^<stdin>\s*/, '').trim();
  switch (verdict.code) {
    case null:
      return;
    case commandline.exit.holds:
    case commandline.exit.limit:
      void vscode.window.showInformationMessage(`There is no counterexample: ${said}`);
      return;
    case commandline.exit.violation: {
      const chart = await run(program(), commandline.chart(trace), text, cwd, signal);
      if (chart.code === 0) {
        show(`Counterexample of ${scene}`, [said, cast.join(' ')].join('\n').trim(), chart.stdout);
      } else if (chart.code !== null) {
        complain(chart);
      }
      return;
    }
    default:
      complain(verdict);
  }
}

/** Asks under which cast, if the text mentions several. */
async function chosenCast(found: string[][]): Promise<string[] | undefined> {
  if (found.length < 2) {
    return found[0] ?? [];
  }
  const items = found.map(cast => ({ label: cast.join(' ') || '(as the file says)', cast }));
  return (await vscode.window.showQuickPick(items, { title: 'Verify under which cast and bounds?' }))?.cast;
}

function folder(document: vscode.TextDocument): string {
  return document.uri.scheme === 'file' ? path.dirname(document.uri.fsPath) : os.homedir();
}

/** The first lines of what the program had to say. */
function complain(output: Output): void {
  const said = (output.stderr || output.stdout).split('\n').slice(0, 3).join('\n').trim();
  void vscode.window.showErrorMessage(said === '' ? `map ended with exit code ${output.code ?? 'none'}` : said);
}

/** One panel for each title, which later pictures replace. */
const panels = new Map<string, vscode.WebviewPanel>();

function show(title: string, caption: string, svg: string): void {
  let panel = panels.get(title);
  if (panel === undefined) {
    const options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
    panel = vscode.window.createWebviewPanel('map.picture', title, vscode.ViewColumn.Beside, options);
    panel.onDidDispose(() => panels.delete(title));
    panels.set(title, panel);
  }
  panel.webview.html = page(title, caption, svg);
  panel.reveal(undefined, true);
}

// Draws the colours of the extension for the book, with VS Code's own themes: `node scripts/pictures.mjs`. It needs
// Chromium, and writes docs/book/src/how-to/vscode-light.png and vscode-dark.png. (Those in the book were then reduced to 256
// colours.)

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { INITIAL, registry } from './grammar.mjs';

const sample = await readFile(new URL('sample.map', import.meta.url), 'utf8');

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The sample as a page with a theme. */
async function page(name) {
  const path = createRequire(import.meta.url).resolve(`tm-themes/themes/${name}.json`);
  const theme = JSON.parse(await readFile(path, 'utf8'));
  const { 'editor.background': background, 'editor.foreground': foreground } = theme.colors;
  const textmate = await registry({ name, settings: [{ settings: { background, foreground } }, ...theme.tokenColors] });
  const grammar = await textmate.loadGrammar('source.map');
  const colours = textmate.getColorMap();
  let state = INITIAL;
  const lines = sample.trimEnd().split('\n').map(line => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, state);
    state = ruleStack;
    let html = '';
    for (let at = 0; at < tokens.length; at += 2) {
      const colour = colours[(tokens[at + 1] >>> 15) & 0x1ff];
      html += `<span style="color:${colour}">${escaped(line.slice(tokens[at], tokens[at + 2] ?? line.length))}</span>`;
    }
    return html;
  });
  const style = `margin:0;padding:14px 18px;font:12px/17px 'DejaVu Sans Mono',monospace;background:${background}`;
  return `<!DOCTYPE html><meta charset="utf-8"><body style="${style}"><pre style="margin:0;font:inherit">${lines.join('\n')}</pre>`;
}

const book = fileURLToPath(new URL('../../../docs/book/src/how-to/', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'map-pictures-'));
for (const [theme, name] of [['light-plus', 'vscode-light.png'], ['dark-plus', 'vscode-dark.png']]) {
  const html = join(folder, `${theme}.html`);
  await writeFile(html, await page(theme));
  const height = sample.trimEnd().split('\n').length * 17 + 28;
  execFileSync('chromium', [
    '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--disable-lcd-text', `--window-size=740,${height}`,
    `--screenshot=${join(book, name)}`, pathToFileURL(html).href,
  ], { stdio: 'ignore' });
}
await rm(folder, { recursive: true });

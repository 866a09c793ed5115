// The TextMate grammar as VS Code uses it: its own engine, with its own regular expressions.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
const path = new URL('../syntaxes/map.tmLanguage.json', import.meta.url);

/** The registry, with a theme or without. */
export async function registry(theme) {
  const onigLib = oniguruma.loadWASM((await readFile(wasm)).buffer).then(() => ({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }));
  const loadGrammar = async scope =>
    scope === 'source.map' ? textmate.parseRawGrammar(await readFile(path, 'utf8'), path.pathname) : null;
  return new textmate.Registry({ onigLib, loadGrammar, ...(theme === undefined ? {} : { theme }) });
}

export const { INITIAL } = textmate;

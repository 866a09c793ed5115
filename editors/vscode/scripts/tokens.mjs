// Prints what the TextMate grammar finds in each file that standard input names, a path a line. A line of output for each
// file: a JSON array with a token each as `[start, end, scope]`, in bytes, with its innermost scope.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { INITIAL, registry } from './grammar.mjs';

const grammar = await (await registry()).loadGrammar('source.map');
for (const path of (await text(process.stdin)).split('\n').filter(line => line !== '')) {
  const found = [];
  let state = INITIAL;
  let base = 0;
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const ascii = Buffer.byteLength(line) === line.length;
    const byte = at => base + (ascii ? Math.min(at, line.length) : Buffer.byteLength(line.slice(0, at)));
    for (const { startIndex, endIndex, scopes } of tokens) {
      found.push([byte(startIndex), byte(endIndex), scopes.at(-1)]);
    }
    base += Buffer.byteLength(line) + 1;
  }
  console.log(JSON.stringify(found));
}

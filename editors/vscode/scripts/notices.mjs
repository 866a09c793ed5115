// Writes the licences of the packages that esbuild has put into the extension: `node scripts/notices.mjs META OUT`, where
// META is what esbuild's `--metafile` wrote.

import { readFile, readdir, writeFile } from 'node:fs/promises';

const [, , meta, out] = process.argv;
const inputs = Object.keys(JSON.parse(await readFile(meta, 'utf8')).inputs);
const folders = inputs.map(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
const notices = [];
for (const folder of [...new Set(folders)].sort()) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} has no text of its licence`);
  }
  notices.push(`${name} ${version} (${license})\n\n${(await readFile(`${folder}/${file}`, 'utf8')).trim()}\n`);
}
await writeFile(out, `This extension contains these packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`);

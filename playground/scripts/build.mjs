// Makes the page: `node scripts/build.mjs ENGINE.wasm OUT.html NOTICES.txt`, where NOTICES.txt is about the crates in the
// engine. Everything is in it: the engine compressed, the script, the style, the text that it begins with, and the
// licences of what was bundled. It prints what it weighs.

import { build } from 'esbuild';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const [, , wasm, out, notices] = process.argv;
if (notices === undefined) {
  throw new Error('usage: node scripts/build.mjs ENGINE.wasm OUT.html NOTICES-OF-THE-ENGINE.txt');
}
/** The text that the page begins with, one of the library's. */
const FIRST = 'english-auction/auction.map';

const source = path => new URL(`../src/${path}`, import.meta.url).pathname;

/** A script as one text, and the files that are in it. */
async function bundle(entry, format) {
  const { outputFiles, metafile } = await build({
    entryPoints: [source(entry)], bundle: true, minify: true, format, target: 'es2022', write: false, metafile: true,
    legalComments: 'none', logLevel: 'warning',
  });
  // Within HTML, a script ends at the first of these.
  return { text: outputFiles[0].text.replaceAll('</script', '<\\/script'), inputs: Object.keys(metafile.inputs) };
}

/** The licences of the packages that are in the bundles. */
async function licences(inputs) {
  const folders = inputs.map(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  const texts = [];
  for (const folder of [...new Set(folders)].sort()) {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    if (file === undefined) {
      throw new Error(`${name} has no text of its licence`);
    }
    texts.push(`${name} ${version} (${license})\n\n${(await readFile(`${folder}/${file}`, 'utf8')).trim()}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The bytes of a part of the engine: so many that there are some ten of them, in whole letters of base64. */
const PART = 3 * 65536;

/** The engine in parts, each with a script behind it that hands it over. */
function parts(bytes) {
  const data = [];
  for (let at = 0; at < bytes.length; at += PART) {
    data.push(`<script type="text/plain">${bytes.subarray(at, at + PART).toString('base64')}</script>`);
    data.push('<script>program.part(document.currentScript.previousElementSibling)</script>');
  }
  return [...data, '<script>program.part()</script>'].join('\n');
}

/** A text that is put between tags of a script; within HTML, a script ends at the first `</script`. */
function plain(text) {
  if (/<\/script|<!--/i.test(text)) {
    throw new Error('the text cannot be put into a page');
  }
  return text;
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const page = await bundle('main.ts', 'esm');
const load = await bundle('load.ts', 'iife');
const worker = await bundle('engine/worker.ts', 'iife');
const contents = {
  '/*STYLE*/': await readFile(source('style.css'), 'utf8'),
  '<!--NOTICES-->': escaped(`${await readFile(notices, 'utf8')}\n${await licences([...page.inputs, ...worker.inputs])}`),
  '/*FIRST*/': plain(await readFile(new URL(`../../protocols/${FIRST}`, import.meta.url), 'utf8')),
  '/*WORKER*/': worker.text,
  '/*LOAD*/': load.text,
  '<!--ENGINE-->': parts(gzipSync(await readFile(wasm), { level: 9 })),
  '/*SCRIPT*/': page.text,
};
let html = await readFile(source('index.html'), 'utf8');
for (const [place, content] of Object.entries(contents)) {
  html = html.replace(place, () => content);
}
await writeFile(out, html);

const size = bytes => `${Math.round(bytes / 1024)} KiB`;
const figures = [size(html.length), size(gzipSync(html, { level: 9 }).length), size(brotliCompressSync(html).length)];
console.log(`${out}: ${figures[0]}, ${figures[1]} with gzip, ${figures[2]} with brotli`);

// What opens the page from elsewhere: a report that has the page in it, and the book beside it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { BUILT, launch, watched } from './browser.ts';

/** The command line. */
const MAP = process.env['MAP'] ?? '../target/debug/map';

let browser: Browser;
let folder: string;
before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'map-playground-'));
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

test('a report that is live goes on from its steps', async () => {
  const report = join(folder, 'report.html');
  const dialogue = '../protocols/english-auction/published-corrected.map';
  const flags = ['--agents', 'bidder=2', '--rounds', 'bidloop=2', '--report', report, '--live', BUILT];
  assert.throws(() => execFileSync(MAP, ['verify', dialogue, ...flags], { stdio: 'ignore' }), { status: 1 });
  const { context, page, strays } = await watched(browser, [pathToFileURL(report).href]);
  await page.goto(pathToFileURL(report).href);
  await page.click('[data-go=back]');
  const steps = Number(/^\d+/.exec(await page.innerText('.at'))?.[0]);
  const opened = context.waitForEvent('page');
  await page.click('[data-go=live]');
  const playground = await opened;
  await playground.waitForSelector('#panel-step .choices button');
  assert.equal(await playground.locator('#panel-step .history li').count(), steps);
  assert.equal(await playground.inputValue('#cast input[data-part=bidder]'), '2');
  await playground.click('#panel-step .choices button');
  await playground.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length === count, steps + 1);
  assert.deepEqual(strays, []);
  await context.close();
});

test('the book opens its scenes', async () => {
  const text = 's[\n    agent(!A, %a) = x("<&") => agent(_, %b)\n    agent($b, %b) = waitfor x(_) <= agent(_, %a)\n]\n';
  const head = (await readFile('../docs/book/theme/head.hbs', 'utf8')).replaceAll('{{ path_to_root }}', '../');
  const code = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const chapter = `<!DOCTYPE html><head><link rel="icon" href="data:,">${head}</head><pre><code class="language-map">${code}</code></pre>`;
  const pages = new Map([
    ['/part/chapter.html', chapter],
    ['/play/index.html', await readFile(BUILT, 'utf8')],
  ]);
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '', 'http://localhost').pathname);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { context, page, strays } = await watched(browser, [root]);
  await page.goto(`${root}part/chapter.html`);
  await page.click('text=Open in the playground');
  await page.waitForSelector('body[data-ready]');
  assert.equal((await page.innerText('.cm-content')).trimEnd(), text.trimEnd());
  assert.match(await page.innerText('#found'), /no errors/);
  assert.deepEqual(strays, []);
  await context.close();
  server.close();
});

test('without a playground beside it the book has no such links', async () => {
  const head = await readFile('../docs/book/theme/head.hbs', 'utf8');
  const file = join(folder, 'chapter.html');
  await writeFile(file, `<head>${head.replaceAll('{{ path_to_root }}', '')}</head><pre><code class="language-map">s[ ]</code></pre>`);
  const { context, page } = await watched(browser, [pathToFileURL(file).href]);
  await page.goto(pathToFileURL(file).href);
  assert.equal(await page.locator('text=Open in the playground').count(), 0);
  await context.close();
});

// What can go wrong has a clear word each time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { fragment } from '../src/link.ts';
import type { Shared } from '../src/link.ts';
import { PAGE, Window, launch, watched } from './browser.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const HEARD = 's[\n    agent(!A, %a) = x() => agent(_, %b)\n    agent($b, %b) = waitfor x() <= agent(_, %a)\n]\n';

function link(shared: Partial<Shared>): Promise<string> {
  return fragment({ text: HEARD, cast: {}, flags: '', tab: 'verify', initial: [], steps: [], ...shared });
}

/** The agents of a queue, each of which may do anything at any time: more states than anybody has memory for. */
const LARGE = `s[
    agent(!A, %a) = start() => agent(_, %b) then agent(go)
    agent(!A, %a, go) = waitfor (x() <= agent($b, %b) then y() => agent($b, %b) then agent(go))
    agent($b, %b) = (waitfor start() <= agent(_, %a)) then agent(talk)
    agent($b, %b, talk) = x() => agent(_, %a) then (waitfor y() <= agent(_, %a)) then agent(talk)
]
`;

test('a search is stopped, and memory has a limit', async () => {
  const flags = '--reductions none --mailbox 1000';
  const window = await Window.open(browser, `#${await link({ text: LARGE, cast: { b: 9 }, flags })}`);
  const { page } = window;
  await page.click('#panel-verify button.primary');
  await page.waitForFunction(() => /states/.test(document.querySelector('#panel-verify .progress')?.textContent ?? ''));
  await page.click('#panel-verify button:text-is("Stop")');
  await page.waitForSelector('#panel-verify .stopped');
  assert.match(await page.innerText('#panel-verify .output'), /Stopped/);
  await page.click('.options summary');
  await page.fill('#limit-memory', '8');
  assert.match(await window.ask('verify'), /inconclusive[^]*memory/);
  await page.fill('#limit-memory', '1024');
  await page.fill('#limit-states', '100');
  assert.match(await window.ask('verify'), /inconclusive[^]*states/);
  await page.fill('#limit-states', '0');
  await page.fill('#limit-seconds', '0.5');
  assert.match(await window.ask('verify'), /inconclusive[^]*time/);
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('a text that does not parse', async () => {
  const window = await Window.open(browser, `#${await link({ text: 's[ agent(' })}`);
  for (const tab of ['run', 'verify', 'weather', 'any']) {
    assert.match(await window.ask(tab), /error/, tab);
  }
  await window.page.click('#tab-step');
  await window.page.waitForSelector('#panel-step .refused');
  await window.page.click('#format');
  await window.page.waitForFunction(() => document.getElementById('notice')?.textContent !== '');
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('the deepest text, and one that is too deep', async () => {
  const nested = (depth: number) => `s[\n    agent(!A, %a) = ${'('.repeat(depth)}skip${')'.repeat(depth)}\n]\n`;
  const window = await Window.open(browser, `#${await link({ text: nested(190) })}`);
  assert.match(await window.ask('verify'), /terminates/);
  const deeper = await Window.open(browser, `#${await link({ text: nested(5000) })}`);
  assert.match(await deeper.ask('verify'), /error/);
  assert.deepEqual([...window.strays, ...deeper.strays], []);
  await window.close();
  await deeper.close();
});

test('links of other versions, damaged ones, and steps that do not fit', async () => {
  for (const [bad, words] of [
    ['#0.abc', /another version/],
    ['#1.abc', /damaged/],
    [`#${(await link({})).slice(0, 40)}`, /damaged/],
    ['#nonsense', /another version/],
  ] as const) {
    const window = await Window.open(browser, bad);
    assert.match(await window.page.innerText('#notice'), words, bad);
    assert.match(await window.page.innerText('.cm-content'), /agent/);
    await window.close();
  }
  const window = await Window.open(browser, `#${await link({ tab: 'step', steps: ['0.0.act', '0.0.act'] })}`);
  await window.page.waitForSelector('#panel-step [role=alert]');
  assert.match(await window.page.innerText('#panel-step [role=alert]'), /step 2 cannot be taken/);
  await window.picture('old-link');
  const strange = await Window.open(browser, `#${await link({ tab: 'nowhere', cast: { zzz: 3 } })}`);
  assert.match(await strange.ask('verify'), /terminates/);
  await strange.close();
  await window.close();
});

test('what people write stays text', async () => {
  const text = HEARD.replace('s[', '// <img src=x onerror=alert(1)>\ns[').replaceAll('x()', 'x("<script>alert(1)</script>")');
  const window = await Window.open(browser, `#${await link({ text, flags: "--property '<b>'" })}`);
  window.page.on('dialog', dialog => {
    window.strays.push(dialog.message());
    void dialog.dismiss();
  });
  await window.ask('verify');
  await window.ask('run');
  assert.equal(await window.page.locator('.output b:text("<b>"), .output img').count(), 0);
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('ten tabs', async () => {
  const window = await Window.open(browser);
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const page = await window.context.newPage();
      await page.goto(PAGE);
      await page.waitForSelector('body[data-ready]', { timeout: 60_000 });
      await page.click('#tab-verify');
      await page.click('#panel-verify button.primary');
      return page;
    }),
  );
  for (const page of pages) {
    await page.waitForSelector('#panel-verify .scene', { timeout: 60_000 });
    assert.match(await page.innerText('#panel-verify .output'), /terminates/);
  }
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('the first diagnostics', async () => {
  const times: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    const { context, page } = await watched(browser, [PAGE]);
    await page.goto(PAGE);
    // Whoever waits for an element puts a large script into the page, which takes its time, too.
    const time = await page.evaluate(() => new Promise<number>(resolve => {
      const observer = new PerformanceObserver(list => {
        list.getEntriesByName('checked').forEach(it => {
          resolve(it.startTime);
        });
      });
      observer.observe({ type: 'mark', buffered: true });
    }));
    times.push(time);
    assert.match(await page.innerText('#found'), /no errors/);
    await context.close();
  }
  times.sort((one, other) => one - other);
  const [best = 0, , middle = 0] = times;
  process.stdout.write(`ready, with diagnostics: best ${best.toFixed(0)} ms, middle of five ${middle.toFixed(0)} ms after the page began to load\n`);
});

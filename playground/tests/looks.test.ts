// How the page looks and reads: every width, light and dark, and for screen readers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { fragment } from '../src/link.ts';
import { TALK, Window, launch } from './browser.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing serious is in the way of a screen reader, ${colorScheme}`, async () => {
    const window = await Window.open(browser, '', { colorScheme });
    const { page } = window;
    const require = createRequire(join(process.cwd(), 'package.json'));
    await page.addScriptTag({ content: await readFile(require.resolve('axe-core/axe.min.js'), 'utf8') });
    await window.choose('english-auction', 'published-corrected');
    for (const tab of ['check', 'run', 'verify', 'weather', 'any', 'step']) {
      await (tab === 'check' || tab === 'step' ? page.click(`#tab-${tab}`) : window.ask(tab));
      if (tab === 'step') {
        await window.exploring();
      }
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } };
        return (await axe.run()).violations;
      });
      const serious = found.filter(it => it.impact === 'serious' || it.impact === 'critical');
      assert.deepEqual(serious.map(it => `${it.id}: ${it.nodes[0]?.html ?? ''}`), [], tab);
    }
    await window.close();
  });
}

for (const [width, colorScheme] of [[390, 'light'], [390, 'dark'], [768, 'light'], [1280, 'dark'], [2560, 'light']] as const) {
  test(`the page fits into ${width} pixels, ${colorScheme}`, async () => {
    const viewport = { width, height: width === 390 ? 844 : 1000 };
    const window = await Window.open(browser, '', { colorScheme, viewport });
    await window.choose('english-auction', 'published-corrected');
    await window.ask('verify');
    await window.picture(`width-${width}-${colorScheme}`, width === 390);
    await window.page.click('#panel-verify figure button');
    await window.page.waitForSelector('#panel-step .history');
    await window.picture(`width-${width}-${colorScheme}-step`, width === 390);
    await window.page.click('#panel-step button:text-is("From the start")');
    await window.exploring();
    await window.picture(`width-${width}-${colorScheme}-exploring`, true);
    const wide = await window.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await window.close();
  });
}

for (const [width, colorScheme] of [[390, 'light'], [390, 'dark'], [1280, 'light'], [1280, 'dark']] as const) {
  test(`what can happen next fits into ${width} pixels, ${colorScheme}`, async () => {
    const viewport = { width, height: width === 390 ? 844 : 1000 };
    const link = await fragment({ text: TALK, cast: { b: 9 }, flags: '', tab: 'step', initial: [], steps: [] });
    const window = await Window.open(browser, `#${link}`, { colorScheme, viewport });
    const { page } = window;
    const next = page.locator('#panel-step .steps [data-next]');
    for (let step = 1; step <= 2; step += 1) {
      await next.last().click();
      await page.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length === count, step);
      // The page has come to rest where the next step can be chosen.
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-next') === '1');
    }
    await page.locator('#panel-step .steps').scrollIntoViewIfNeeded();
    await window.picture(`next-${width}-${colorScheme}`);
    await window.choose('english-auction', 'auction');
    await page.waitForSelector('#panel-step .history', { state: 'detached' });
    await page.click('#panel-step .steps [data-next]');
    await page.waitForSelector('#panel-step .history li');
    await page.locator('#panel-step .steps').scrollIntoViewIfNeeded();
    await window.picture(`next-auction-${width}-${colorScheme}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await window.close();
  });
}

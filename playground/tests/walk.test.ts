// A person's walk through the page, with pictures.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { fragment } from '../src/link.ts';
import { TALK, Window, launch } from './browser.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('somebody breaks the auction, mends it, and shares its deadlock', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  assert.match(await page.innerText('#found'), /no errors/);
  await window.picture('1-opened');

  await page.click('.cm-content');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('auction[ ');
  await page.waitForSelector('.cm-lint-marker-error');
  assert.match(await page.innerText('#found'), /error/);
  await window.picture('2-broken');

  await page.keyboard.press('Control+z');
  await page.waitForSelector('.cm-lint-marker-error', { state: 'detached' });

  await window.choose('english-auction', 'published-corrected');
  // The numbers of the version before it are not those of this one.
  assert.equal(await page.inputValue('#cast input[data-part=bidder]'), '1');
  assert.match(await window.ask('verify'), /deadlock/);
  await page.waitForSelector('#panel-verify svg.map-chart');
  await window.picture('3-deadlock');

  await page.click('#panel-verify figure button');
  await page.waitForSelector('#panel-step .history');
  assert.match(await page.innerText('#panel-step .standing'), /deadlock/);
  const whole = await page.locator('#panel-step .history li').count();
  await page.click('#panel-step button:text-is("Back")');
  await page.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length === count - 1, whole);
  await page.click('#panel-step .choices button');
  await page.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length === count, whole);
  await window.picture('4-steps');

  // A click on the chart goes back, another way leads elsewhere, and both are in the tree.
  await page.locator('#panel-step svg [data-step="2"]').first().click({ force: true });
  await page.waitForFunction(() => document.querySelectorAll('#panel-step .history li').length === 2);
  const ways = await page.locator('#panel-step .choices button').count();
  await page.locator('#panel-step .choices button').nth(ways - 1).click();
  await page.waitForFunction(() => document.querySelectorAll('#panel-step .history li').length === 3);
  await window.picture('5-elsewhere');

  const link = page.url();
  const other = await Window.open(browser, link.slice(link.indexOf('#')));
  await other.page.waitForSelector('#panel-step .history');
  assert.equal(await other.page.locator('#panel-step .history li').count(), 3);
  assert.equal(await other.page.innerText('#panel-step .history'), await page.innerText('#panel-step .history'));
  await other.picture('6-shared');
  assert.deepEqual([...window.strays, ...other.strays], []);
  await other.close();
  await window.close();
});

test('every tab answers', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  assert.match(await window.ask('run'), /!Auctioneer/);
  await window.picture('run');
  await page.click('#panel-run button:text-is("Go through it")');
  await page.waitForSelector('#panel-step .history');
  assert.match(await window.ask('verify'), /terminates/);
  // Without a bound on the raises, one of the weathers takes as long as it may.
  await page.click('.options summary');
  await page.fill('#flags', '--rounds bidloop=1');
  await page.keyboard.press('Tab');
  assert.match(await window.ask('any'), /any number/);
  await window.picture('any');
  assert.match(await window.ask('weather'), /lossy:1/);
  await window.picture('weather');
  await page.click('#tab-check');
  await page.click('#panel-check button');
  await page.waitForSelector('#panel-check svg.map-graph');
  await window.picture('roles');
  await page.click('#tab-step');
  await page.click('#panel-step .graph summary');
  await page.waitForSelector('#panel-step .states svg.map-graph');
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('what can happen next is chosen in the chart', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await window.choose('english-auction', 'published-corrected');
  await page.click('#tab-step');
  const ahead = page.locator('#panel-step .steps [data-next]');
  const taken = (count: number) =>
    page.waitForFunction(steps => document.querySelectorAll('#panel-step .history li').length === steps, count);
  await ahead.first().waitFor();
  const buttons = await page.locator('#panel-step .choices button').allInnerTexts();
  const names = await ahead.evaluateAll(parts => parts.map(it => it.getAttribute('aria-label') ?? ''));
  assert.equal(names.length, buttons.length);
  names.forEach((name, index) => {
    const words = buttons[index]?.replace(/ line \d+$/, '') ?? 'no button';
    assert.ok(name.startsWith(`${words}: ${index + 1})`), `${name}: ${words}`);
  });

  // With the mouse, which marks the place in the text.
  await ahead.first().hover();
  await page.waitForSelector('.cm-content .map-here');
  await ahead.first().click();
  await taken(1);
  assert.ok(names[0]?.startsWith(`${await page.innerText('#panel-step .history')}: `));
  // With the keyboard: the first of the steps that follow has the focus.
  for (const [count, key] of [[2, 'Enter'], [3, ' '], [4, 'Enter']] as const) {
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-next') === '1');
    await page.keyboard.press(key);
    await taken(count);
  }
  await window.picture('10-next');
  // Below, what has been taken leads back.
  await page.locator('#panel-step .steps [data-step="1"]').click();
  await taken(1);
  assert.equal(await page.locator('#panel-step .steps [data-step]').count(), 1);

  // Of much that can happen, something of everybody is drawn, and all if it is wanted.
  const link = await fragment({ text: TALK, cast: { b: 9 }, flags: '', tab: 'step', initial: [], steps: [] });
  const many = await Window.open(browser, `#${link}`);
  await many.page.waitForSelector('#panel-step .steps [data-next]');
  const drawn = many.page.locator('#panel-step .steps [data-next]');
  const said = await drawn.evaluateAll(parts => parts.map(it => it.getAttribute('aria-label')?.split(' ')[0]));
  assert.equal(new Set(said).size, 9);
  assert.equal(said.length, 12);
  await many.picture('11-much-next');
  await many.page.locator('#panel-step .steps [data-more]').focus();
  await many.page.keyboard.press('Enter');
  await many.page.waitForFunction(() => document.querySelectorAll('#panel-step .steps [data-next]').length === 81);
  await many.page.waitForFunction(() => document.activeElement?.getAttribute('data-next') === '1');
  assert.equal(await many.page.locator('#panel-step .steps [data-more]').count(), 0);
  await drawn.nth(80).click();
  await many.page.waitForSelector('#panel-step .history li');
  assert.match(await many.page.innerText('#panel-step .history'), /9/);
  assert.deepEqual([...window.strays, ...many.strays], []);
  await many.close();
  await window.close();
});

test('somebody asks from here, and goes on with the counterexample', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await window.choose('english-auction', 'published-corrected');
  await page.click('#tab-step');
  for (let step = 1; step <= 2; step += 1) {
    await page.click('#panel-step .choices button');
    await page.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length === count, step);
  }
  const taken = await page.innerText('#panel-step .history');
  await page.click('#panel-step .from-here button.primary');
  await page.waitForSelector('#panel-step .from-here .scene.bad');
  assert.match(await page.innerText('#panel-step .from-here .output'), /After these 2 steps[^]*deadlock/);
  await page.locator('#panel-step .from-here').scrollIntoViewIfNeeded();
  await window.picture('7-from-here');
  await page.click('#panel-step .from-here figure button');
  await page.waitForFunction(() => document.querySelectorAll('#panel-step .history li').length > 2);
  assert.ok((await page.innerText('#panel-step .history')).startsWith(taken));
  assert.match(await page.innerText('#panel-step .standing'), /deadlock/);
  assert.equal(await page.locator('#panel-step .from-here .outdated').count(), 1);

  // A formula is read from here on; what looks back remembers.
  await page.click('#panel-step button:text-is("Back")');
  await page.selectOption('#from-here-what', 'formula');
  const ask = async (formula: string) => {
    await page.fill('#from-here-formula', formula);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#panel-step .from-here .output:not(.outdated) > *');
    return page.innerText('#panel-step .from-here .output');
  };
  assert.match(await ask('eventually before !Auctioneer asks getValue'), /holds/);
  assert.match(await ask('eventually !Auctioneer asks getValue'), /violated/);
  assert.match(await ask('eventually perhaps'), /error/);
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('the state graph leads to its states', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await window.choose('english-auction', 'published-corrected');
  await page.click('#tab-step');
  await page.click('#panel-step .graph summary');
  await page.waitForSelector('#panel-step .states .here');
  assert.match(await page.innerText('#panel-step .states p'), /All 33 states/);
  assert.match(await page.innerText('#panel-step .states'), /!Bidder waits for start/);
  await page.locator('#panel-step .graph').scrollIntoViewIfNeeded();
  await window.picture('8-whole-graph');
  await page.locator('#panel-step .states [data-state="4"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#panel-step .states [data-state="4"].here');
  assert.ok((await page.locator('#panel-step .history li').count()) > 0);

  // A large one is drawn around where one is.
  await page.click('#panel-step button:text-is("From the start")');
  await page.waitForSelector('#panel-step .states [data-state="0"].here');
  await page.fill('#most-states', '12');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => /The 12 states nearest/.test(document.querySelector('#panel-step .states p')?.textContent ?? ''));
  const before = await page.locator('#panel-step .history li').count();
  await page.locator('#panel-step .states [data-state="3"]').click();
  await page.waitForFunction(count => document.querySelectorAll('#panel-step .history li').length > count, before);
  await page.waitForSelector('#panel-step .states [data-state="0"].here');
  await window.picture('9-nearest-states');
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('the cast is chosen by sliders', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  const first = await window.ask('verify');
  const slider = page.locator('#cast input[data-part=bidder]');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('#panel-verify .outdated');
  assert.notEqual(await window.ask('verify'), first);
  await page.click('.options summary');
  await page.fill('#flags', '--no-such-flag');
  await page.keyboard.press('Tab');
  assert.match(await window.ask('verify'), /no-such-flag/);
  await window.close();
});

test('the editor completes, explains, renames, goes to definitions and mends', async () => {
  const window = await Window.open(browser, '');
  const { page } = window;
  const fill = async (text: string) => {
    await page.click('.cm-content');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await fill('s[\n    agent(!A, %a) = x() => agent(_, %b)\n    agent($b, %b) = waitfor y() <= agent(_, %a)\n]\n');
  await page.waitForSelector('.cm-lint-marker');
  await page.hover('.cm-lint-marker');
  await page.waitForSelector('.cm-tooltip-lint .cm-diagnostic');
  await window.picture('diagnostic');
  await page.mouse.move(0, 0);
  await page.locator('.cm-lintRange').first().hover();
  await page.waitForSelector('.cm-diagnosticAction, .hover');
  await page.keyboard.press('Escape');

  await fill('s[\n    agent(!A, %a) = x() => agent(_, %b)\n    agent($b, %b) = waitfor x() <= agent(_, %a)\n]\n');
  await page.waitForSelector('.cm-lint-marker', { state: 'detached' });
  await page.locator('.map-performative').first().click();
  await page.keyboard.press('F2');
  await page.fill('#new-name', 'greet');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.cm-content')?.textContent.match(/greet\(\)/g)?.length === 2);
  await page.click('#define');
  await page.locator('.map-performative').first().hover();
  await page.waitForSelector('.hover');
  await page.click('.cm-content');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('pro');
  await page.waitForSelector('.cm-tooltip-autocomplete li');
  await window.picture('completion');
  await page.keyboard.press('Escape');
  await fill('s[\nagent(!A, %a) = x() => agent(_, %b)\n    agent($b, %b) = waitfor x() <= agent(_, %a)\n]\n');
  await page.click('#format');
  await page.waitForFunction(() => document.querySelectorAll('.cm-line')[1]?.textContent.startsWith('    agent'));
  assert.deepEqual(window.strays, []);
  await window.close();
});

test('the keyboard is enough', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await page.focus('#tab-check');
  for (let tab = 0; tab < 3; tab += 1) {
    await page.keyboard.press('ArrowRight');
  }
  assert.equal(await page.getAttribute('#tab-verify', 'aria-selected'), 'true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#panel-verify .output > *');
  // Escape, then Tab, leaves the editor.
  await page.focus('.cm-content');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement?.className), 'cm-content');
  await window.close();
});

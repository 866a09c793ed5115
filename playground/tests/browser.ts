// The page in a browser, as the tests open it.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const root = process.cwd();

/** The file that was built. */
export const BUILT = join(root, 'dist/index.html');

/** The same as an address. */
export const PAGE = pathToFileURL(BUILT).href;

/** Where pictures of the page go. */
const PICTURES = join(root, 'dist/screenshots');

/** Nine who each say one of nine things, and one who hears the first: much can happen next. */
export const TALK = `s[
    agent(!A, %a) = waitfor (say(_) <= agent(_, %b) then skip)
    agent($b, %b) = $n = number() then say($n) => agent(_, %a)
] procedure number() in 1..9
`;

/** A browser without a network. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['MAP_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** A window, and what it should not have done: requests that left these addresses, errors, complaints. */
interface Watched {
  context: BrowserContext;
  page: Page;
  strays: string[];
}

/** Opens an empty window from which only these addresses, and what begins with them, may be asked for. */
export async function watched(browser: Browser, own: string[], options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const strays: string[] = [];
  context.on('request', request => {
    if (![...own, 'blob:', 'data:'].some(it => request.url().startsWith(it))) {
      strays.push(request.url());
    }
  });
  context.on('weberror', error => strays.push(String(error.error())));
  context.on('console', message => {
    if (message.type() === 'error') {
      strays.push(message.text());
    }
  });
  return { context, page: await context.newPage(), strays };
}

/** The page in a window of its own. */
export class Window {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly strays: string[],
  ) {}

  static async open(browser: Browser, fragment = '', options: BrowserContextOptions = {}): Promise<Window> {
    const { context, page, strays } = await watched(browser, [PAGE], options);
    await page.goto(PAGE + fragment);
    await page.waitForSelector('body[data-ready]');
    return new Window(context, page, strays);
  }

  /** Chooses a version of a protocol of the library. */
  async choose(protocol: string, version: string): Promise<void> {
    await this.page.selectOption('#protocol', protocol);
    await this.page.selectOption('#version', version);
  }

  /** Opens a tab, presses its main button, and waits for what comes out. */
  async ask(tab: string): Promise<string> {
    const { page } = this;
    await page.click(`#tab-${tab}`);
    await page.click(`#panel-${tab} button.primary`);
    await page.waitForSelector(`#panel-${tab} .output > *`, { timeout: 120_000 });
    return page.innerText(`#panel-${tab} .output`);
  }

  /** In the tab of steps, opens the state graph and asks from here. */
  async exploring(): Promise<void> {
    const { page } = this;
    await page.click('#panel-step .graph summary');
    await page.waitForSelector('#panel-step .states .here');
    await page.click('#panel-step .from-here button.primary');
    await page.waitForSelector('#panel-step .from-here .scene');
  }

  /** A picture of the page as it is. */
  async picture(name: string, fullPage = false): Promise<void> {
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

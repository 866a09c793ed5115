// The page in a browser, as the tests open it.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const root = process.cwd();

/** The page that was built. */
export const PAGE = pathToFileURL(join(root, 'dist/index.html')).href;

/** Where pictures of the page go. */
const PICTURES = join(root, 'dist/screenshots');

/** A browser without a network. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['MAP_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--allow-file-access-from-files'],
  });
}

/** A window, and every request that left the page, or a message that it complained. */
export class Window {
  readonly strays: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, fragment = '', options: BrowserContextOptions = {}): Promise<Window> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const window = new Window(context, page);
    const isOwn = (url: string) => url.startsWith(PAGE) || url.startsWith('blob:') || url.startsWith('data:');
    context.on('request', request => {
      if (!isOwn(request.url())) {
        window.strays.push(request.url());
      }
    });
    page.on('pageerror', error => window.strays.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error') {
        window.strays.push(message.text());
      }
    });
    await page.goto(PAGE + fragment);
    await page.waitForSelector('body[data-ready]');
    return window;
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

  /** A picture of the page as it is. */
  async picture(name: string, fullPage = false): Promise<void> {
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

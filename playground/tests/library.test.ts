// Every line `//@ verify` of the library: the page says what the native program says, to the state and to the step.
// Lines with more states than the limit are compared, too: both stop at the same state.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import type { Protocol, SceneAnswer } from '../src/engine/answers.ts';
import { Window, launch } from './browser.ts';

/** The most states of a search, and its most seconds in any number. */
const STATES = Number(process.env['MAP_STATES'] ?? '20000');

/** The native program. */
const NATIVE = process.env['MAP_WEB'] ?? '../target/debug/map-web';

/** What differs between machines. */
const OF_THE_MACHINE = ['seconds', 'peak_memory_bytes', 'states_memory_bytes', 'states_per_second'];

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

type Answer = { ok: unknown } | { error: unknown };

function native(request: unknown): Answer {
  const output = execFileSync(NATIVE, { input: JSON.stringify(request), maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] });
  return JSON.parse(output.toString()) as Answer;
}

/** The same without what differs between machines, and without words, which name times. */
function comparable(value: unknown): unknown {
  const without = (key: string, it: unknown) => (OF_THE_MACHINE.includes(key) || key === 'said' ? undefined : it);
  return JSON.parse(JSON.stringify(value, without));
}

test('every verdict of the library is the native one', { timeout: 3_600_000 }, async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await page.evaluate(async () => {
    const content = (id: string) => document.getElementById(id)?.textContent ?? '';
    const packed = Uint8Array.from(atob(content('engine').trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    const worker = new Worker(URL.createObjectURL(new Blob([content('worker')])));
    worker.postMessage({ module });
    Object.assign(globalThis, {
      askEngine: (request: string) =>
        new Promise(resolve => {
          const begun = performance.now();
          worker.onmessage = ({ data }: MessageEvent<{ answer?: string; broken?: string; progress?: string }>) => {
            if (data.progress === undefined) {
              resolve({ ...data, milliseconds: performance.now() - begun });
            }
          };
          worker.postMessage({ request });
        }),
    });
  });
  interface Timed {
    answer?: string;
    broken?: string;
    milliseconds: number;
  }
  const asked = (request: unknown) =>
    page.evaluate(
      text => (globalThis as unknown as { askEngine: (request: string) => Promise<Timed> }).askEngine(text),
      JSON.stringify(request),
    );

  const library = (native({ ask: 'library' }) as { ok: Protocol[] }).ok;
  const times: number[] = [];
  const stopped: string[] = [];
  for (const protocol of library) {
    for (const version of protocol.versions) {
      const lines = version.text.split('\n').map(line => /^\/\/@ verify(.*?)=> *([^,]*)(.*)$/.exec(line));
      for (const line of lines.filter(it => it !== null)) {
        const [, flags = '', verdict = '', rest = ''] = line;
        const name = `${protocol.name}/${version.name}${flags}`;
        const request = { ask: 'verify', text: version.text, flags: flags.trim(), limits: { states: STATES } };
        const { answer, broken, milliseconds } = await asked(request);
        assert.ok(answer !== undefined, `${name}: ${broken ?? ''}`);
        times.push(milliseconds);
        const ours = JSON.parse(answer) as { ok: { scenes: SceneAnswer[] } };
        assert.deepEqual(comparable(ours), comparable(native(request)), name);
        const [scene] = ours.ok.scenes;
        const output = scene?.output as { verdict?: string; limit?: string; trace?: unknown[] };
        if (output.limit !== undefined) {
          stopped.push(name);
        } else if (!flags.includes('=any') && ours.ok.scenes.length === 1) {
          assert.equal(output.verdict, verdict.trim(), name);
          const steps = /, (\d+) steps?\b/.exec(rest)?.[1];
          assert.ok(steps === undefined || output.trace?.length === Number(steps), `${name}: ${steps ?? ''} steps`);
        }
      }
    }
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
  const figures = `${times.length} lines: half within ${at(0.5)}, nine in ten within ${at(0.9)}, all within ${at(0.999)}`;
  process.stdout.write(`${figures}\nmore than ${STATES} states: ${stopped.join('; ') || 'none'}\n`);
  assert.ok(times.length > 100);
  assert.deepEqual(window.strays, []);

  const paper = library.find(it => it.name === 'english-auction')?.versions.find(it => it.name === 'published-corrected');
  const request = { ask: 'verify', text: paper?.text, flags: '--agents bidder=3 --rounds bidloop=2 --keep-going' };
  const begun = performance.now();
  native(request);
  const took = performance.now() - begun;
  const { milliseconds } = await asked(request);
  process.stdout.write(`the published auction, three bidders: ${milliseconds.toFixed(0)} ms here, ${took.toFixed(0)} ms natively\n`);
  await window.close();
});

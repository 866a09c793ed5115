// Every line `//@ verify` of the library: the page says what the native program says, with as many states, transitions
// and steps.
// Lines with more states than the limit are named: of these only the verdicts are compared.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import type { Protocol, SceneAnswer } from '../src/engine/answers.ts';
import type { Program } from '../src/engine/program.ts';
import { Window, launch } from './browser.ts';

/** The most states of a search, and its most seconds in any number. */
const STATES = Number(process.env['MAP_STATES'] ?? '2000');

/** The native program. */
const NATIVE = process.env['MAP_WEB'] ?? '../target/debug/map-web';

/** What a verdict says in numbers. */
interface Figures {
  verdict: string;
  trace?: unknown[];
  states: number;
  transitions: number;
}

interface Verified {
  ok: { scenes: SceneAnswer[] };
}

/** How many there are of something in a line `//@`; `undefined` if it does not say so. */
function counted(line: string, what: string): number | undefined {
  const found = new RegExp(`, (\\d+) ${what.replace(/s$/, 's?')}\\b`).exec(line.split('reduced')[0] ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

function verdictsOf(answer: Verified): string {
  return JSON.stringify(answer.ok.scenes.map(scene => scene.output['verdict']));
}

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

/**
 * Runs: agents that are alike are put in order by hashes, which differ between machines of 32 and of 64 bits. So of several
 * runs that are equally short, another one may be found, and a search that spares steps may spare others.
 */
const OF_RUNS = ['choices', 'trace', 'steps'];

/** As text, without what differs between machines, without words, which name times, and of each run its length. */
function comparable(answer: Answer, isReduced: boolean): string {
  const compared = (key: string, it: unknown) => {
    if (OF_THE_MACHINE.includes(key) || key === 'said' || key === 'chart' || (isReduced && key === 'transitions')) {
      return undefined;
    }
    return OF_RUNS.includes(key) && Array.isArray(it) ? it.length : it;
  };
  return JSON.stringify(answer, compared, 1);
}

/** The first line in which two texts differ, of both. */
function difference(ours: string, theirs: string): string {
  const [one, other] = [ours.split('\n'), theirs.split('\n')];
  const at = one.findIndex((line, index) => line !== other[index]);
  return `here ${one[at]?.trim() ?? ''}, natively ${other[at]?.trim() ?? ''}`;
}

test('every verdict of the library is the native one', { timeout: 3_600_000 }, async () => {
  const window = await Window.open(browser);
  const { page } = window;
  await page.evaluate(async () => {
    const worker = await (globalThis as unknown as { program: Program }).program.worker();
    Object.assign(globalThis, {
      askEngine: (request: string) =>
        new Promise(resolve => {
          const begun = performance.now();
          worker.onmessage = ({ data }: MessageEvent<{ answer?: string; broken?: string }>) => {
            if (data.answer !== undefined || data.broken !== undefined) {
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
  const different: string[] = [];
  for (const protocol of library) {
    for (const version of protocol.versions) {
      const lines = version.text.split('\n').map(line => /^\/\/@ verify(.*?)=> *([^,]*)(.*)$/.exec(line));
      for (const line of lines.filter(it => it !== null)) {
        const [, flags = '', verdict = '', rest = ''] = line;
        const name = `${protocol.name}/${version.name}${flags}`;
        for (const more of flags.includes('=any') ? [''] : ['', ' --reductions none --keep-going']) {
          const request = { ask: 'verify', text: version.text, flags: flags.trim() + more, limits: { states: STATES } };
          const { answer, broken, milliseconds } = await asked(request);
          if (answer === undefined) {
            different.push(`${name}${more}: ${broken ?? ''}`);
            continue;
          }
          if (more === '') {
            times.push(milliseconds);
          }
          const ours = JSON.parse(answer) as Verified;
          const theirs = native(request) as Verified;
          // A search may have found something before it came to its limit.
          const isWhole = !/"inconclusive"|"limit":"/.test(answer);
          if (!isWhole) {
            stopped.push(`${name}${more}`);
          }
          const both = [ours, theirs].map(it => (isWhole ? comparable(it, more === '') : verdictsOf(it)));
          if (both[0] !== both[1]) {
            different.push(`${name}${more}: ${difference(both[0] ?? '', both[1] ?? '')}`);
          }
          if (isWhole && more !== '' && ours.ok.scenes.length === 1) {
            const expected = [verdict.trim(), ...['steps', 'states', 'transitions'].map(what => counted(rest, what))];
            const { trace, states, transitions, verdict: found } = ours.ok.scenes[0]?.output as unknown as Figures;
            const counts = [found, trace?.length, states, transitions];
            expected.forEach((it, index) => {
              if (it !== undefined && it !== counts[index]) {
                different.push(`${name}: ${it} in the file, here ${counts[index] ?? ''}`);
              }
            });
          }
        }
      }
    }
  }
  times.sort((one, other) => one - other);
  const quick = times.filter(it => it <= 200).length;
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
  const figures = `${times.length} lines: half within ${at(0.5)}, nine in ten within ${at(0.9)}, all within ${at(0.999)}; ${quick} within 200 ms`;
  process.stdout.write(`${figures}\nmore than ${STATES} states: ${stopped.join('; ') || 'none'}\n`);
  assert.deepEqual(different, []);
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

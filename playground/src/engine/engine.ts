// The engine as the page sees it: requests, answers, progress, and a way to stop.

import type { Answers, Progress, Request } from './answers.ts';
import type { Program } from './program.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Why there is no answer. `kind` is the engine's, or says that it was stopped, or broke down. */
export class Refusal extends Error {
  constructor(
    readonly kind: 'request' | 'flags' | 'text' | 'internal' | 'stopped' | 'broken',
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  request: string;
  resolve: (answer: unknown) => void;
  reject: (why: Refusal) => void;
  progress: (progress: Progress) => void;
}

/** One worker, which answers requests one after the other. */
export class Engine {
  private worker: Worker | undefined;
  private readonly queue: Waiting[] = [];

  constructor(private readonly program: Program) {}

  /** Asks; rejects with a {@link Refusal}. */
  ask<R extends Request>(request: R, progress: (progress: Progress) => void = () => undefined): Promise<Answers[R['ask']]> {
    return new Promise((resolve, reject) => {
      this.queue.push({
        request: JSON.stringify(request),
        resolve: answer => {
          resolve(answer as Answers[R['ask']]);
        },
        reject,
        progress,
      });
      if (this.queue.length === 1) {
        void this.next();
      }
    });
  }

  /** Ends what is being done, and what waits. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const waiting of this.queue.splice(0)) {
      waiting.reject(new Refusal('stopped', 'Stopped: nothing is known of what was not searched.'));
    }
  }

  private async next(): Promise<void> {
    const waiting = this.queue[0];
    if (waiting === undefined) {
      return;
    }
    try {
      const worker = await this.started();
      if (this.queue[0] === waiting) {
        worker.postMessage({ request: waiting.request } satisfies ToWorker);
      }
    } catch (thrown) {
      this.done({ broken: String(thrown) });
    }
  }

  private async started(): Promise<Worker> {
    if (this.worker !== undefined) {
      return this.worker;
    }
    const worker = await this.program.worker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      this.hear(data);
    };
    worker.onerror = event => {
      this.done({ broken: event.message });
    };
    this.worker = worker;
    return worker;
  }

  private hear(message: FromWorker): void {
    if ('module' in message || 'begun' in message) {
      return;
    }
    if ('progress' in message) {
      this.queue[0]?.progress(JSON.parse(message.progress) as Progress);
    } else {
      this.done(message);
    }
  }

  private done(message: Exclude<FromWorker, { progress: string } | { module: WebAssembly.Module } | { begun: true }>): void {
    const waiting = this.queue.shift();
    if ('broken' in message) {
      waiting?.reject(new Refusal('broken', broken(message.broken)));
    } else {
      const answer = JSON.parse(message.answer) as { ok: unknown } | { error: { kind: Refusal['kind']; message: string } };
      if ('ok' in answer) {
        waiting?.resolve(answer.ok);
      } else {
        waiting?.reject(new Refusal(answer.error.kind, answer.error.message));
      }
    }
    void this.next();
  }
}

/** What is said when the program ends without an answer. */
function broken(said: string): string {
  if (/memory|alloc|unreachable/i.test(said) && !said.includes('panicked')) {
    return 'The search needs more memory than the browser gives it. Lower the limit of states or memory, or use fewer agents.';
  }
  if (/call stack|stack overflow|RangeError/i.test(said)) {
    return 'The text nests too deeply for this browser.';
  }
  return `The engine broke down; this is a defect of MAP, please report it with the text.\n${said}`;
}

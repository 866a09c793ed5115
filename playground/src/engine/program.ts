// The program as the page sees it: it comes in parts, and is compiled by a worker.

import type { FromWorker, ToWorker } from './worker.ts';

/**
 * The program that the page contains. Its parts are handed to a worker as the page is read, which compiles it, and gives it
 * back for others.
 */
export class Program {
  private readonly code: string;
  private readonly module: Promise<WebAssembly.Module>;
  /** The first worker is there. */
  readonly begun: Promise<void>;
  /** The worker that compiles it, until somebody has it. */
  private first: Worker | undefined;

  constructor() {
    const code = document.getElementById('worker')?.textContent ?? '';
    this.code = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const first = new Worker(this.code);
    this.first = first;
    this.module = new Promise((resolve, reject) => {
      first.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        if ('module' in data) {
          resolve(data.module);
        } else if ('broken' in data) {
          reject(new Error(data.broken));
        }
      });
    });
    this.begun = new Promise(resolve => {
      first.addEventListener('message', () => {
        resolve();
      }, { once: true });
    });
    // Whoever asks for a worker hears of it.
    this.module.catch(() => undefined);
  }

  /** The next part; the last one has no element. */
  part(element?: Element | null): void {
    this.first?.postMessage({ part: element?.textContent ?? '' } satisfies ToWorker);
    element?.remove();
  }

  /** A worker that has the program, or will have it. */
  async worker(): Promise<Worker> {
    const { first } = this;
    this.first = undefined;
    if (first !== undefined) {
      return first;
    }
    const worker = new Worker(this.code);
    worker.postMessage({ module: await this.module } satisfies ToWorker);
    return worker;
  }
}

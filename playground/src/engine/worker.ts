// The worker: runs the engine once for each request.

import { Packed } from './packed.ts';
import { run } from './wasi.ts';

/** From the page: first the program, compiled or in parts, the last of which is empty; then requests. */
export type ToWorker = { module: WebAssembly.Module } | { part: string } | { request: string };

/**
 * To the page: the program, if it came in parts; to a request progress while it works, then an answer, or what the program
 * said when it broke down.
 */
export type FromWorker = { begun: true } | { module: WebAssembly.Module } | { progress: string } | { answer: string } | { broken: string };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage: (message: FromWorker) => void;
};
let packed: Packed | undefined;
let arrived: (module: WebAssembly.Module | Promise<WebAssembly.Module>) => void;
/** Requests may come before it. */
const program = new Promise<WebAssembly.Module>(resolve => {
  arrived = resolve;
});

scope.onmessage = ({ data }) => {
  if ('module' in data) {
    arrived(data.module);
  } else if ('part' in data) {
    unpack(data.part);
  } else {
    void program.then(module => {
      scope.postMessage(answer(module, data.request));
    }, isBroken);
  }
};

function unpack(part: string): void {
  if (packed === undefined) {
    packed = new Packed();
    packed.module.then(module => {
      scope.postMessage({ module });
    }, isBroken);
    arrived(packed.module);
  }
  if (part === '') {
    packed.end();
  } else {
    packed.add(part);
  }
}

function isBroken(why: unknown): void {
  scope.postMessage({ broken: String(why) });
}

function answer(module: WebAssembly.Module, request: string): FromWorker {
  const output = new TextDecoder();
  const error = new TextDecoder();
  let answered = '';
  let line = '';
  const said: string[] = [];
  try {
    run(module, {
      input: new TextEncoder().encode(request),
      output: bytes => {
        answered += output.decode(bytes, { stream: true });
      },
      error: bytes => {
        const lines = (line + error.decode(bytes, { stream: true })).split('\n');
        line = lines.pop() ?? '';
        for (const whole of lines) {
          if (whole.startsWith('{')) {
            scope.postMessage({ progress: whole });
          } else {
            said.push(whole);
          }
        }
      },
    });
    return { answer: answered };
  } catch (thrown) {
    return { broken: [...said, line, String(thrown)].filter(it => it !== '').join('\n') };
  }
}

scope.postMessage({ begun: true });

// The worker: runs the engine once for each request.

import { run } from './wasi.ts';

/** From the page: first the program, then requests. */
export type ToWorker = { module: WebAssembly.Module } | { request: string };

/** To the page: progress while it works, then an answer, or what the program said when it broke down. */
export type FromWorker = { progress: string } | { answer: string } | { broken: string };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage: (message: FromWorker) => void;
};
let program: WebAssembly.Module | undefined;

scope.onmessage = ({ data }) => {
  if ('module' in data) {
    program = data.module;
  } else if (program !== undefined) {
    scope.postMessage(answer(program, data.request));
  }
};

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

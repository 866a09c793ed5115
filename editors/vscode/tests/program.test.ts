import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chart, play, roles, verify } from '../src/commandline';
import { NotFound, run } from '../src/program';

const cwd = process.cwd();

test('a program that is not there is told apart', async () => {
  await assert.rejects(run('/nowhere/map', [], '', cwd), NotFound);
});

test('exit code, output and input', async () => {
  const script = 'process.stdin.on("data", d => process.stdout.write(d)).on("end", () => process.exit(4))';
  assert.deepEqual(await run(process.execPath, ['-e', script], 'a text', cwd), { code: 4, stdout: 'a text', stderr: '' });
});

test('a program that does not read its input is no error', async () => {
  const output = await run(process.execPath, ['-e', 'process.exit(3)'], 'x'.repeat(1 << 20), cwd);
  assert.equal(output.code, 3);
});

test('a program is ended on request', async () => {
  const abort = new AbortController();
  const ended = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], '', cwd, abort.signal);
  abort.abort();
  assert.equal((await ended).code, null);
});

test('command lines', () => {
  const limits = { time: '5m', memory: '2GiB', states: 1000, threads: null };
  assert.equal(
    verify('s', ['--agents', 'a=2'], limits, 't.json').join(' '),
    'verify - --scene s --agents a=2 --quiet --color never --save-trace t.json --time-limit 5m --max-memory 2GiB ' +
      '--max-states 1000',
  );
  assert.equal(chart('t.json').join(' '), 'render t.json --file - --as svg --color never');
  assert.equal(roles('s').join(' '), 'render - --scene s --as svg --color never');
  assert.deepEqual(play('run', 'a file.map', undefined), ['run', 'a file.map']);
  assert.deepEqual(play('step', 'a.map', 's'), ['step', 'a.map', '--scene', 's']);
});

// The Rust test that calls this one sets MAP to the program that has just been built, if there is one.
test('the program understands the command lines', { skip: process.env.MAP === undefined }, async () => {
  const map = process.env.MAP ?? '';
  const stuck = 's[\n    agent(!A, %a) = waitfor m() <= agent(_, %b)\n    agent(!B, %b) = skip\n]\n';
  const { mkdtemp, rm } = await import('node:fs/promises');
  const folder = await mkdtemp(`${(await import('node:os')).tmpdir()}/map-test-`);
  try {
    const trace = `${folder}/trace.json`;
    const limits = { time: '60s', memory: '1GiB', states: 100000, threads: 1 };
    const verdict = await run(map, verify('s', [], limits, trace), stuck, cwd);
    assert.equal(verdict.code, 1, verdict.stderr);
    assert.match(verdict.stdout, /deadlock/);
    for (const args of [chart(trace), roles('s')]) {
      const picture = await run(map, args, stuck, cwd);
      assert.equal(picture.code, 0, picture.stderr);
      assert.match(picture.stdout, /^<svg /);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { casts, sceneAt, scenes } from '../src/scenes';

const text = `//@ verify => terminates
//@ verify --agents bidder=2 --rounds bidloop=2 => deadlock, 9 steps
//@ verify --agents bidder=2 --rounds bidloop=2 => deadlock, 9 steps
//@ verify --scene second --network lossy:1,crash:1 => terminates
//@ verify --save-trace /etc/passwd => terminates
//@ verify --agents 'a b' => terminates
// comment[ and "string[ in a comment
procedure p() in {a, b}
first[
    agent(!A, %a) = m("not[") => agent(_, %b) /* nor[ this
    one[ */
]
second [ agent(!A, %a) = skip ]
`;

test('scenes are found, and nothing in comments and strings', () => {
  assert.deepEqual(scenes(text).map(scene => scene.name), ['first', 'second']);
  assert.deepEqual(scenes('// nothing'), []);
});

test('the scene at the cursor', () => {
  assert.equal(sceneAt(text, 0), 'first');
  assert.equal(sceneAt(text, text.indexOf('not[')), 'first');
  assert.equal(sceneAt(text, text.length), 'second');
  assert.equal(sceneAt('', 0), undefined);
});

test('casts are those of the lines about the scene, without flags that write files', () => {
  assert.deepEqual(casts(text, 'first'), [[], ['--agents', 'bidder=2', '--rounds', 'bidloop=2']]);
  assert.deepEqual(casts(text, 'second'), [['--network', 'lossy:1,crash:1']]);
  for (const flag of ['--report a.html', '--junit a', '--save-test a', '--with spin', '--agents', '-q']) {
    assert.deepEqual(casts(`//@ verify ${flag} => terminates\ns[ ]`, 's'), [], flag);
  }
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

// The tests are run in the folder of the extension.
interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    configuration: { properties: Record<string, unknown> };
    languages: { configuration: string }[];
    grammars: { path: string }[];
    snippets: { path: string }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}
const { contributes, capabilities } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const sources = readdirSync('src').map(name => readFileSync(`src/${name}`, 'utf8')).join('\n');

test('every command is registered, and has a place in the menus', () => {
  const commands = contributes.commands.map(({ command }) => command);
  assert.ok(commands.length > 0);
  for (const command of commands) {
    assert.ok(sources.includes(`command('${command}',`), `${command} is not registered`);
  }
  for (const { command } of Object.values(contributes.menus).flat()) {
    assert.ok(commands.includes(command), `${command} is in a menu, and does not exist`);
  }
  // Those of the lenses belong to the client; `map.verify` and `map.cancel` to the server.
  assert.ok(sources.includes("command('map.run',") && sources.includes("command('map.step',"));
  assert.ok(!sources.includes("command('map.verify',") && !sources.includes("command('map.cancel',"));
});

test('every setting is used', () => {
  for (const name of Object.keys(contributes.configuration.properties)) {
    // The client reads `map.trace.server` by itself.
    const last = name.split('.').at(-1) ?? '';
    assert.ok(name === 'map.trace.server' || new RegExp(`'${last}'`).test(sources), name);
  }
  assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations, ['map.path']);
});

test('every file that the manifest names is there', () => {
  const { languages, grammars, snippets } = contributes;
  const files = [...languages.map(it => it.configuration), ...grammars.map(it => it.path), ...snippets.map(it => it.path)];
  for (const file of files) {
    assert.ok(existsSync(file), file);
    JSON.parse(readFileSync(file, 'utf8'));
  }
});

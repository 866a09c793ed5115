// What an agent does, through the reference client: `node session.mjs MAP ROOT`, with the binary and a folder in which
// there is deadlock.map. Fails at the first answer that is not as it should be.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, root] = process.argv.slice(2);
const client = new Client({ name: "map-test", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args: ["mcp", "--root", root] }));
assert.equal(client.getServerVersion().name, "map");
assert.match(client.getInstructions(), /map:\/\/reference/);

const { tools } = await client.listTools();
assert.deepEqual(tools.map((it) => it.name), [
  "check", "verify", "run", "explain", "format", "library", "conform", "render", "cheatsheet",
]);
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

// It reads what there is, starts from a protocol, and finds it right.
const { resources } = await client.listResources();
assert.ok(resources.length > 10);
const reference = await client.readResource({ uri: "map://reference" });
assert.match(reference.contents[0].text, /^# /);
const ballot = await call("library", { action: "read", name: "ballot" });
const right = await call("verify", { text: ballot.content[0].text, structured: true });
assert.equal(right.isError, false);
assert.equal(right.structuredContent.verdict, "terminates");

// A text with an error, one with a defect, and the mended one.
const wrong = await call("check", { text: "s[ agent(!A, %a) = skp ]", structured: true });
assert.equal(wrong.isError, false);
assert.equal(wrong.structuredContent.files[0].errors, 1);
const defect = await call("verify", { path: "deadlock.map", structured: true });
assert.equal(defect.isError, false);
assert.equal(defect.structuredContent.verdict, "deadlock");
assert.ok(defect.structuredContent.trace.length > 0);
assert.match(defect.content[0].text, /deadlock/);
const outside = await call("check", { path: "../deadlock.map" });
assert.equal(outside.isError, true);
assert.match(outside.content[0].text, /path/);
await assert.rejects(call("shell", {}), (error) => error.code === -32602);

// A search that nobody waits for any more.
const abort = new AbortController();
const endless = `s[
  agent(!A, %a) = $x = p() then agent(loop, $x)
  agent(!A, %a, loop, $x) = $y = p() then m($x, $y) => agent(!B, %b) then agent(loop, $y)
  agent(!B, %b) = agent(loop) agent(!B, %b, loop) = (waitfor m(_, $y) <= agent(_, %a)) then agent(loop)
]
procedure p()`;
const searching = call("verify", { text: endless, flags: "--mailbox 4000000000" }, { signal: abort.signal });
abort.abort("enough");
await assert.rejects(searching);
// The next one has its turn.
const next = await call("verify", { text: "s[ agent(!A, %a) = skip ]", structured: true });
assert.equal(next.structuredContent.verdict, "terminates");

await client.close();
console.log("as it should be");

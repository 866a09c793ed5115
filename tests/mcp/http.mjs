// Agents behind a guard over streamable HTTP, through the reference client: `node http.mjs ADDRESS TOKENS`, where
// ADDRESS is that of a guard of trips.map, and TOKENS its file. Fails at the first answer that is not as it should be.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, tokens] = process.argv.slice(2);
const token = (name) => readFileSync(tokens, "utf8").match(new RegExp(`^${name} = "(.*)"$`, "m"))[1];
const seat = async (name, path = name) => {
  const client = new Client({ name: "map-test", version: "1.0.0" });
  const headers = { Authorization: `Bearer ${token(name)}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp/${path}`), { requestInit: { headers } }));
  const call = (tool, args = {}) => client.callTool({ name: tool, arguments: args });
  return { client, call };
};
const said = (answer) => answer.content[0].text;

const desk = await seat("desk");
let flights = await seat("flights");
const hotels = await seat("hotels");
await assert.rejects(seat("hotels", "desk"));
const { tools } = await desk.client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["may_i", "send", "receive", "owe"]);
assert.match(desk.client.getInstructions(), /You are `desk`[^]*You owe a message: one of\n- quote\(a number from 1 to 10\)/);

// Flights wait, and the desk begins.
const waiting = flights.call("receive");
const quoted = await desk.call("send", { performative: "quote", args: [8] });
assert.equal(quoted.isError, false);
const arrived = await waiting;
assert.equal(said(arrived), "- quote(8) from desk\n");
assert.deepEqual(arrived.structuredContent.received.items[0].args, [8]);

// A refusal says what to send instead, and the client does so: after it has come back, too.
const refused = await flights.call("send", { performative: "offer", args: [9] });
assert.equal(refused.isError, true);
assert.match(said(refused), /^Refused \(wrong_content\)[^]*offer\(a number from 1 to 8\) to desk/);
await flights.client.close();
flights = await seat("flights");
assert.equal((await flights.call("send", { performative: "offer", args: [8] })).isError, false);

assert.equal(said(await hotels.call("receive")), "- quote(8) from desk\n");
assert.equal((await hotels.call("send", { performative: "offer", args: [4] })).isError, false);

let offers = 0;
while (offers < 2) offers += (await desk.call("receive")).structuredContent.received.items.length;
// The offers are too dear together.
assert.equal((await desk.call("send", { performative: "cancel" })).isError, false);
for (const supplier of [flights, hotels]) {
  assert.equal(said(await supplier.call("receive")), "- cancel() from desk\n");
  assert.equal((await supplier.call("send", { performative: "cancelled" })).isError, false);
}
let cancelled = 0;
while (cancelled < 2) cancelled += (await desk.call("receive")).structuredContent.received.items.length;
assert.match(said(await desk.call("receive")), /your part is over/);
for (const { client } of [desk, flights, hotels]) await client.close();
console.log("as it should be");

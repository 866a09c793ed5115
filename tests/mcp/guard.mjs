// Agents behind a guard, through the reference client: `node guard.mjs MAP ADDRESS TOKENS`, where a guard of trips.map
// listens. Fails at the first answer that is not as it should be.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, at, tokens] = process.argv.slice(2);
const seat = async (name) => {
  const client = new Client({ name: "map-test", version: "1.0.0" });
  const args = ["guard", "--mcp", "--at", at, "--as", name, "--tokens", tokens];
  const transport = new StdioClientTransport({ command, args });
  await client.connect(transport);
  const call = (tool, args = {}, options) => client.callTool({ name: tool, arguments: args }, undefined, options);
  return { client, call, pid: transport.pid };
};
const said = (answer) => answer.content[0].text;

const desk = await seat("desk");
let flights = await seat("flights");
const hotels = await seat("hotels");
const { tools } = await desk.client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["may_i", "send", "receive", "owe"]);
assert.match(desk.client.getInstructions(), /You are `desk`[^]*You owe a message: one of\n- quote\(a number from 1 to 10\)/);
assert.match(flights.client.getInstructions(), /You may wait for quote\(_\)/);

// Flights wait, and the desk begins.
const waiting = flights.call("receive");
const quoted = await desk.call("send", { performative: "quote", args: [8] });
assert.equal(quoted.isError, false);
assert.ok(quoted.structuredContent.accepted.seq > 0);
const arrived = await waiting;
assert.equal(said(arrived), "- quote(8) from desk\n");
assert.deepEqual(arrived.structuredContent.received.items[0].args, [8]);
const owed = (await desk.call("owe")).structuredContent.owed;
assert.deepEqual(owed.to_me.map((debt) => debt.performatives), [["offer", "soldOut"], ["offer", "soldOut"]]);
assert.deepEqual((await flights.call("owe")).structuredContent.owed.mine.performatives, ["offer", "soldOut"]);

// A refusal says what to send instead, and the client does so.
const refused = await flights.call("send", { performative: "offer", args: [9] });
assert.equal(refused.isError, true);
assert.match(said(refused), /^Refused \(wrong_content\)[^]*offer\(a number from 1 to 8\) to desk/);
const [first] = refused.structuredContent.refused.may;
const [, high] = first.args[0].in;
assert.equal((await flights.call("may_i", { performative: first.performative, args: [high] })).isError, false);
assert.equal((await flights.call("may_i", { performative: "booked" })).isError, true);
assert.equal((await flights.call("may_i")).structuredContent.offer.owes, true);

// It vanishes in the middle, and comes back: what it has not acknowledged is there again, and so is its debt.
process.kill(flights.pid, "SIGKILL");
flights = await seat("flights");
assert.match(flights.client.getInstructions(), /You owe a message/);
assert.equal(said(await flights.call("receive")), "- quote(8) from desk\n");
assert.equal((await flights.call("send", { performative: first.performative, args: [3] })).isError, false);

// A call that nobody waits for any more fetches nothing.
const abort = new AbortController();
const given_up = hotels.call("receive", {}, { signal: abort.signal });
await given_up; // there is something
await hotels.call("send", { performative: "offer", args: [4] });
const in_vain = hotels.call("receive", {}, { signal: abort.signal });
abort.abort("enough");
await assert.rejects(in_vain);

for (const count of [1, 2]) {
  const offers = (await desk.call("receive")).structuredContent.received.items;
  assert.ok(offers.every((item) => item.performative === "offer"), `${count}`);
  if (offers.length === 2) break;
}
assert.equal((await desk.call("send", { performative: "book" })).isError, false);
for (const supplier of [flights, hotels]) {
  assert.equal(said(await supplier.call("receive")), "- book() from desk\n");
  assert.equal((await supplier.call("send", { performative: "booked" })).isError, false);
}
const booked = (await desk.call("receive")).structuredContent.received.items.length;
if (booked < 2) await desk.call("receive");
assert.match(said(await desk.call("receive")), /your part is over/);

// What is no call.
assert.equal((await desk.call("send")).isError, true);
assert.equal((await desk.call("send", { performative: "quote", as: "flights" })).isError, true);
await assert.rejects(desk.call("open", {}), (error) => error.code === -32602);
for (const { client } of [desk, flights, hotels]) await client.close();
console.log("as it should be");

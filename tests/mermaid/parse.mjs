// Parses files with Mermaid and prints what kind of diagram each is; fails at the first that it cannot read.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
for (const file of process.argv.slice(2)) {
  const { diagramType } = await mermaid.parse(readFileSync(file, "utf8"));
  console.log(`${diagramType} ${file}`);
}

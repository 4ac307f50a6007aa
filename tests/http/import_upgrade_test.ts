/** Files that release 2.0.0 imported, imported again: its origins are found, nothing is doubled. */

import { assertEquals } from "@std/assert";
import { importRow, originRow } from "../storage/import_rows.ts";
import { insertInto } from "../storage/rows.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { zip } from "../support/zip.ts";
import { IMPORTS, itemsFile, itemsOf, memoryItem, planned, ran, settled } from "./imports.ts";

const world = sharedWorld();

const VAULT = zip([
  { name: "Plain.md", content: "---\ntags: [one]\ncreated: 2020-02-03\n---\nWords" },
  { name: "Lake.md", content: "![[lake.png]]" },
  { name: "2023_01_05.md", content: "A day." },
  { name: "lake.png", content: "picture" },
]);

const JOURNAL = zip([
  {
    name: "Journal.json",
    content: JSON.stringify({
      entries: [
        { uuid: "A", creationDate: "2018-12-10T16:56:18Z", text: "Plain words" },
        {
          uuid: "B",
          creationDate: "2018-12-10T16:56:18Z",
          text: "At the lake",
          photos: [{ identifier: "P", md5: "ab12" }],
        },
      ],
    }),
  },
  { name: "photos/ab12.jpeg", content: "photo" },
]);

const TABLE = "Task,Due\nCall,2021-01-02\nWrite,2021-01-03\n";
const COMMITMENT = { commitmentType: "OUTGOING", content: "Do it", completionStatus: "OPEN" };
const TABLE_MAPPING = {
  target: "commitment",
  columns: { Task: "@title", Due: "dueAt" },
  constants: COMMITMENT,
};

const ITEMS = zip([
  {
    name: "items.jsonl",
    content: itemsFile([
      memoryItem("plain"),
      memoryItem("pictured", { attachments: ["lake.png"] }),
    ]),
  },
  { name: "lake.png", content: "picture" },
]);

/** An origin as 2.0.0 wrote it. */
type Origin = readonly [key: string, target: string, digest: string, outcome: string];

interface FormerFile {
  readonly format: string;
  readonly source: string;
  readonly name?: string;
  readonly bytes: Uint8Array | string;
  readonly mapping?: Json;
  readonly origins: readonly Origin[];
}

const FILES: readonly FormerFile[] = [
  {
    format: "markdown",
    source: "markdown:Vault",
    name: "Vault",
    bytes: VAULT,
    origins: [
      [
        "Plain.md",
        "knowledge",
        "23edbaebbae0398e65e3012f2bcc540830794fe6cb9589d36d24bf214538ac6d",
        "UNCHANGED",
      ],
      [
        "Lake.md",
        "knowledge",
        "20e5e1a59f4266cf7fdeb08606ea30a6374e520f107571463578b53cac6eb9f6",
        "CHANGED",
      ],
      // A new note of this day is a memory.
      [
        "2023_01_05.md",
        "knowledge",
        "3c6c432f76ceeb50ceb7d558251d7b50d75b0564caea526e7f007efe70717b62",
        "UNCHANGED",
      ],
    ],
  },
  {
    format: "day-one",
    source: "day-one",
    bytes: JOURNAL,
    origins: [
      [
        "A",
        "memory",
        "f9a919cf53bf6face5556ce888b130eaca5f2edb000eba2daebd967a42897a87",
        "UNCHANGED",
      ],
      [
        "B",
        "memory",
        "ba13beff231c54fb0aa783378d9d131a5590e4d014f036457f3061998e935086",
        "CHANGED",
      ],
    ],
  },
  {
    format: "csv",
    source: "csv:Table",
    name: "Table",
    bytes: TABLE,
    mapping: TABLE_MAPPING,
    // The keys are others, and the times get clocks.
    origins: [
      [
        "369f136ac9ef5f88e9e2b69c21144ba0dd5ff77ec07fabe1512f3ef6b330c8ea-1",
        "commitment",
        "2d904a70ca046d7e7a4937d79cfc024da2bebe5ac59141d04951aa1a171941c1",
        "CHANGED",
      ],
      [
        "601063618aac51f77c019dc54176ae8f1c479e5c863d964856f67e50b68a33b1-1",
        "commitment",
        "bf0c672b511c1edc5cdd7b10396b97a4c093f7581a2be8163a509a36cdc283a8",
        "CHANGED",
      ],
    ],
  },
  {
    format: "prs-items",
    source: "items:test",
    bytes: ITEMS,
    origins: [
      [
        "plain",
        "memory",
        "6f3b1c2055c707352f9fc660cbd557eff69e5a38ddb81a607cc1627e614725b6",
        "UNCHANGED",
      ],
      [
        "pictured",
        "memory",
        "36fc8615c5f0e641d47ef886bcc054fdb377a94128490a73458854fef3976a24",
        "CHANGED",
      ],
    ],
  },
];

/** Makes a record, and the import and origin that 2.0.0 would have written with it. */
async function writeOrigin(
  caller: Caller,
  source: string,
  [key, target, digest]: Origin,
): Promise<string> {
  const above = importRow(caller, { source });
  const id = await makeRecord(caller, target);
  const about = { source, key, target, record_id: id, digest: `\\x${digest}` };
  await world().raw(
    insertInto("imports", above) + insertInto("import_origins", originRow(above, about)),
  );
  return id;
}

async function makeRecord(caller: Caller, target: string): Promise<string> {
  if (target === "memory") {
    const body = { title: "Former", memoryType: "EVENT", originalContent: "Former" };
    const sent = await caller.call("POST", "/api/v2/memory/texts", {
      body,
      key: crypto.randomUUID(),
    });
    return sent.body.data.memoryId;
  }
  const payload = target === "commitment" ? COMMITMENT : {
    sourceType: "NOTE",
    url: "urn:example:1",
    sourceTitle: "Former",
    snapshot: "Former",
    readingStatus: "REFERENCE",
  };
  return (await caller.create(target, payload, "Former")).recordId;
}

for (const { format, source, name, bytes, mapping, origins } of FILES) {
  Deno.test(`File of ${format} that 2.0.0 imported doubles nothing`, async () => {
    const caller = await world().createCaller();
    const expected = new Map<string, string>();
    for (const origin of origins) {
      expected.set(await writeOrigin(caller, source, origin), origin[3]);
    }
    let plan = await planned(caller, format, bytes, { ...(name !== undefined && { name }) });
    if (mapping !== undefined) {
      await caller.call("PUT", `${IMPORTS}/${plan.importId}/mapping`, { body: mapping });
      plan = await settled(caller, plan.importId);
    }
    const done = await ran(caller, plan);
    const items = await itemsOf(caller, done.importId);
    const outcomes = new Map(items.map(({ recordId, outcome }: Json) => [recordId, outcome]));
    assertEquals(outcomes, expected);
    const again = await planned(caller, format, bytes, { ...(name !== undefined && { name }) });
    const changing = Object.values<Json>(again.counts).map((of) => [of.new, of.changed]);
    assertEquals(changing.flat().every((count) => count === 0), true);
  });
}

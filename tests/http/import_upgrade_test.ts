/** Files that release 2.0.0 imported, imported again: its origins are found, nothing is doubled. */

import { assertEquals } from "@std/assert";
import { importRow, originRow } from "../storage/import_rows.ts";
import { insertInto } from "../storage/rows.ts";
import { fileOf } from "../support/account_file.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { zip } from "../support/zip.ts";
import { exportAccount, importFile, linesOf } from "./account.ts";
import {
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  ran,
  settled,
} from "./imports.ts";

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

/** Reminders of a contact, by the digests of their commitments in 2.0.0. */
const REMINDERS = {
  year: "b100bcf9979f89a4f5c50951cf4848b2000bfb141fcef9e309f4585f54b1a004",
  week: "6658bf5c3e95aaa0804293ad734466d4a7e7b5a871e9f5caaf38245785f9345a",
  one_time: "5a0b9d73b6b73ee25b3aead9a883c8be4c0b200a49517d3c4c4e46e6fefada1c",
};

Deno.test("Reminders of Monica that 2.0.0 made commitments stay commitments", async () => {
  const caller = await world().createCaller();
  const reminders = Object.keys(REMINDERS).map((unit) => ({
    uuid: unit,
    properties: {
      title: unit,
      initial_date: "2015-03-01T00:00:00.000000Z",
      frequency_type: unit,
      frequency_number: 1,
    },
  }));
  const contact = {
    uuid: "a",
    properties: { first_name: "A" },
    data: [{ type: "reminder", values: reminders }],
  };
  const data = [{ type: "contact", values: [contact] }];
  const file = JSON.stringify({ version: "1.0-preview.1", account: { data } });
  const datesOf = async (of: Caller, items: readonly Json[]) => {
    const id = items.find(({ target }) => target === "person")?.recordId;
    const path = `/api/v2/relationship/people/${id}/details`;
    const { body } = await of.call("GET", path);
    return body.data.items.filter(({ kind }: Json) => kind === "DATE").map(({ label }: Json) =>
      label
    );
  };
  for (const [key, digest] of Object.entries(REMINDERS)) {
    await writeOrigin(caller, "monica-4", [key, "commitment", digest, "UNCHANGED"]);
  }
  const done = await imported(caller, "monica-4", file);
  const none = { new: 0, changed: 0, refused: 0, possibleDuplicate: 0 };
  assertEquals(done.counts, {
    commitment: { ...none, unchanged: 3 },
    person: { ...none, new: 1, unchanged: 0 },
  });
  assertEquals(await datesOf(caller, await itemsOf(caller, done.importId)), []);
  const again = await imported(caller, "monica-4", file);
  assertEquals([again.counts.person.unchanged, again.counts.commitment.unchanged], [1, 3]);

  const other = await world().createCaller();
  const first = await imported(other, "monica-4", file);
  const made = await itemsOf(other, first.importId);
  assertEquals(made.map(({ target, outcome }: Json) => [target, outcome]), [
    ["person", "NEW"],
    ["routine", "NEW"],
    ["commitment", "NEW"],
  ]);
  assertEquals(await datesOf(other, made), ["year"]);
  const second = await imported(other, "monica-4", file);
  assertEquals(second.counts.routine, { ...none, unchanged: 1 });
});

Deno.test("A card that an earlier release imported, with another digest, changes nothing", async () => {
  const caller = await world().createCaller();
  const people = "/api/v2/relationship/people";
  const send = async (path: string, body: Json) =>
    (await caller.call("POST", path, { body, key: crypto.randomUUID() })).body.data;
  const person = { personName: "Lea", relationshipType: "OTHER", importance: 3 };
  const { personId } = await send(people, person);
  const value = { value: "+49 30 1234567" };
  await send(`${people}/${personId}/details`, { kind: "PHONE", value, privacy: "PRIVATE" });
  const above = importRow(caller, { source: "vcard:Phone" });
  const about = { source: "vcard:Phone", key: "LEA-CARD", target: "person", record_id: personId };
  await world().raw(
    insertInto("imports", above) +
      insertInto("import_origins", originRow(above, { ...about, revision: 2 })),
  );
  const card = (...lines: string[]) =>
    ["BEGIN:VCARD", "VERSION:4.0", "FN:Lea", ...lines, "END:VCARD", ""].join("\r\n");
  for (const uid of ["LEA-CARD", "urn:uuid:lea-card"]) {
    const bytes = card(`UID:${uid}`, "TEL:+49 30 1234567");
    const done = await imported(caller, "vcard", bytes, { name: "Phone" });
    const [{ outcome, recordId }] = await itemsOf(caller, done.importId);
    assertEquals([outcome, recordId], ["UNCHANGED", personId]);
  }
  // The number is the card's own, so that it can go.
  const done = await imported(caller, "vcard", card("UID:LEA-CARD"), { name: "Phone" });
  assertEquals([done.counts.person.changed, done.counts.person.new], [1, 0]);
  const { body } = await caller.call("GET", `${people}/${personId}/details`);
  assertEquals(body.data.items, []);
});

Deno.test("A name that was given before an account moved stays, also in a file of 2.0.0", async () => {
  const people = "/api/v2/relationship/people";
  const caller = await world().createCaller();
  const card = (email: string) =>
    `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:lea-card\r\nFN:Lea\r\nEMAIL:${email}\r\nEND:VCARD\r\n`;
  const first = await imported(caller, "vcard", card("lea@example.org"));
  const [{ recordId }] = await itemsOf(caller, first.importId);
  const body = { expectedRevision: 1, set: { personName: "Leah" } };
  await caller.call("PATCH", `${people}/${recordId}`, { body, key: crypto.randomUUID() });
  const { bytes } = await exportAccount(world(), caller);
  const [, ...lines] = linesOf(bytes).slice(0, -1);
  const former = fileOf(lines.map(({ nameRevision: _, ...line }) => line));
  const other = await world().createCaller();
  assertEquals((await importFile(other, former)).status, 200);
  const again = await imported(other, "vcard", card("leah@example.org"));
  const [item] = await itemsOf(other, again.importId);
  assertEquals([item.outcome, item.rules], ["CHANGED", ["import.edited_here"]]);
  const { body: { data } } = await other.call("GET", `${people}/${recordId}`);
  assertEquals(data.personName, "Leah");
});

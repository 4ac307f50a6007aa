/** Clocks of imported times, and their changes by a repeated import. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { zip } from "../support/zip.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { exportAccount, importFile } from "./account.ts";
import { imported, IMPORTS, itemsFile, itemsOf, planned, ran, settled } from "./imports.ts";

const world = sharedWorld();

const COMMITMENT = { commitmentType: "OUTGOING", content: "Call", completionStatus: "OPEN" };
const CAPTURE = {
  contentType: "TEXT",
  originalContent: "Words",
  targetModule: "knowledge",
  routeStatus: "INBOX",
};

function capture(key: string, capturedAt: string, more: Json = {}): Json {
  return { key, target: "capture", title: key, payload: { ...CAPTURE, capturedAt }, ...more };
}

const dayOne = (entries: Json) =>
  zip([{ name: "Journal.json", content: JSON.stringify({ entries }) }]);

const entry = (uuid: string, more: Json = {}) => ({
  uuid,
  creationDate: "2018-12-10T16:56:18Z",
  text: "Words",
  ...more,
});

const note = (created: string) => `---\ncreated: ${created}\n---\nWords`;

const journal = (uuid: string, properties: Json) => ({
  version: "1.0-preview.1",
  account: { data: [], properties: { journal_entries: [{ uuid, properties }] } },
});

const columns = { Key: "@key", Task: "@title", Due: "dueAt" };
const rows = (...dues: string[]) =>
  ["Key,Task,Due", ...dues.map((due, index) => `${index},Call,${due}`)].join("\n");

interface ClockCase {
  readonly format: string;
  readonly bytes: string | Uint8Array;
  readonly name?: string;
  readonly mapping?: Json;
  /** Local times by key, and the digest that release 2.0.0 gave the item. */
  readonly items: Readonly<Record<string, readonly [localTimes: Json, former: string]>>;
}

const CASES: readonly ClockCase[] = [
  {
    format: "day-one",
    bytes: dayOne([
      entry("berlin", { timeZone: "europe/berlin" }),
      entry("utc", { timeZone: "UTC" }),
      entry("offset", { timeZone: "+0530" }),
      entry("none"),
      entry("unknown", { timeZone: "Mars/Base" }),
    ]),
    items: {
      berlin: [
        { occurredAt: "2018-12-10T17:56:18.000+01:00[Europe/Berlin]" },
        "6fe176b30146ead9653c676ad36b0b1c7ec285c88565b954272d222c331cc3d6",
      ],
      utc: [
        { occurredAt: "2018-12-10T16:56:18.000+00:00[UTC]" },
        "747c4256c826f26bf7e6c7c9a56c84b336bbc012068246cc5f7e4208f00b6271",
      ],
      offset: [
        { occurredAt: "2018-12-10T22:26:18.000+05:30" },
        "4c7a931d02eb52dcf58d3f3dca5a0c2fb122eede331cacc3279acfbd3495e5b1",
      ],
      none: [{}, "747c4256c826f26bf7e6c7c9a56c84b336bbc012068246cc5f7e4208f00b6271"],
      // As in release 2.0.0, but for an entry whose zone is UTC.
      unknown: [{}, "747c4256c826f26bf7e6c7c9a56c84b336bbc012068246cc5f7e4208f00b6271"],
    },
  },
  {
    format: "csv",
    name: "Berlin",
    bytes: rows(
      "2020-03-29 02:30",
      "2020-10-25 02:30",
      "2021-01-01",
      "2021-01-01T10:00+01:30",
      "2021-01-01T10:00Z",
    ),
    mapping: { target: "commitment", columns, constants: COMMITMENT, timeZone: "Europe/Berlin" },
    items: {
      0: [
        { dueAt: "2020-03-29T03:30:00.000+02:00[Europe/Berlin]" },
        "9d9781de9ae1cfe6fc4ed9db1927c7309cca93966664dd79ad7ed153fb21a99c",
      ],
      1: [
        { dueAt: "2020-10-25T02:30:00.000+02:00[Europe/Berlin]" },
        "77a7f939743752b5b92e3e6f5ebc4b1a6e6b27678e094cd053a1fde229264bde",
      ],
      2: [
        { dueAt: "2021-01-01T00:00:00.000+01:00[Europe/Berlin]" },
        "63808fbf0cad86a9adba5c26a2dff689fdd5a54e20416009033b4f3a31bbf586",
      ],
      3: [
        { dueAt: "2021-01-01T10:00:00.000+01:30" },
        "af24f83039ad692a82e0f35986251eeedc16d63695c63c6a32abab64ad644dc2",
      ],
      4: [{}, "1e393634b534aaa65a8e172b1d1684321b7e75cc4978be76b97945a581983bd3"],
    },
  },
  {
    format: "csv",
    name: "No zone",
    bytes: rows("2021-01-01"),
    mapping: { target: "commitment", columns, constants: COMMITMENT },
    items: {
      0: [
        { dueAt: "2021-01-01T00:00:00.000+00:00" },
        "f0af85414a7955a984f78e009a6e10cca564bab0654ed12daa4f3ed23c4ddf68",
      ],
    },
  },
  {
    format: "markdown",
    name: "Vault",
    bytes: zip([
      { name: "2021-03-04.md", content: "Words" },
      { name: "note.md", content: note("2020-02-03") },
      { name: "in/zone.md", content: note("2020-02-03") },
      { name: "in/instant.md", content: note("2020-02-03T10:00:00Z") },
    ]),
    mapping: { folders: { in: "capture" }, timeZone: "Asia/Tokyo" },
    items: {
      "2021-03-04.md": [
        { occurredAt: "2021-03-04T00:00:00.000+09:00[Asia/Tokyo]" },
        "ac34b1a08d75f2808e18dc659884efc317688fa695e5b2284b3d184a492a5d05",
      ],
      "note.md": [{}, "00e84d0736224426d589511b19587d5bee89bfa785fc2f46c26360e9a53025a7"],
      "in/zone.md": [
        { capturedAt: "2020-02-03T00:00:00.000+09:00[Asia/Tokyo]" },
        "fb88bceb2bd3f95cc942473e3134a592514ff285b8309c1ef96aec67822dda28",
      ],
      "in/instant.md": [{}, "fc9a2406075d26ae42e900b24222e4302071cab2263ef34627ba4f2d753b5a3b"],
    },
  },
  {
    format: "monica-4",
    bytes: JSON.stringify(
      journal("day", { type: "entry", title: "Day", post: "Rain.", date: "2021-05-07" }),
    ),
    items: {
      day: [
        { occurredAt: "2021-05-07T00:00:00.000+00:00" },
        "1af25c2afe5ef2aef55d17be4a4be3fd33c65b0dc9c2d9772dbe804a93693fb9",
      ],
    },
  },
  {
    format: "prs-items",
    bytes: itemsFile([
      capture("instant", "2020-01-01T00:00:00Z"),
      capture("offset", "2020-01-01T00:00:00+00:00"),
      {
        key: "person",
        target: "person",
        title: "Ana",
        payload: {
          contacts: [{ contactedAt: "2020-01-01T00:00:00Z", channel: "CALL", direction: "MUTUAL" }],
        },
      },
    ]),
    items: {
      instant: [{}, "fb3f331b9836a5d78db79f83833a02661dc2c8bf5ede471f1e74a4e76f0d89c2"],
      offset: [
        { capturedAt: "2020-01-01T00:00:00.000+00:00" },
        "56a700e8f452c72d9f37c5e47dad0264448e207799105256bcf4c345e38a431e",
      ],
      person: [{}, "e1d3c528628b9e6683d45e20a7e921ec2bbb90e1822a782ca12286dc6575a14d"],
    },
  },
];

async function importedCase(caller: Caller, { format, bytes, name, mapping }: ClockCase) {
  const plan = await planned(caller, format, bytes, name === undefined ? {} : { name });
  const { importId } = plan;
  if (mapping === undefined) return await ran(caller, plan);
  const path = `${IMPORTS}/${importId}/mapping`;
  const { status, text } = await caller.call("PUT", path, { body: mapping });
  assertEquals(status, 200, text);
  return await ran(caller, await settled(caller, importId));
}

async function recordOf(caller: Caller, { target, recordId }: Json): Promise<Json> {
  const module = target === "person" ? "relationship" : target;
  const { body, text } = await caller.call("GET", `/api/v2/records/${module}/${recordId}`);
  assertEquals(body.code, undefined, text);
  return body.data;
}

/** Digests of an import's items by key. */
async function digestsOf(importId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await world().rows(`
    select key, encode(digest, 'hex') as digest from import_origins
     where import_id = '${importId}' and kind = 'ITEM'`);
  return new Map(rows.map(({ key, digest }: Json) => [key, digest]));
}

Deno.test("Items have the clocks of their file, here and elsewhere, or the digests of release 2.0", async () => {
  const caller = await world().createCaller();
  for (const each of CASES) {
    const done = await importedCase(caller, each);
    const digests = await digestsOf(done.importId);
    const items = await itemsOf(caller, done.importId);
    assertEquals(items.map(({ key }) => key).toSorted(), Object.keys(each.items).toSorted());
    for (const item of items) {
      const [localTimes, former] = each.items[item.key] ?? [];
      assertEquals((await recordOf(caller, item)).localTimes, localTimes, item.key);
      const hasClock = Object.keys(localTimes).length > 0;
      (hasClock ? assertNotEquals : assertEquals)(digests.get(item.key), former, item.key);
    }
  }
  const { bytes } = await exportAccount(world(), caller);
  const other = await world().createCaller();
  const moved = await importFile(other, bytes as BodyInit);
  assertEquals(moved.status, 200, moved.text);
  assertEquals((await exportAccount(world(), other)).bytes, bytes);
  for (const each of CASES) {
    const { importId, counts } = await importedCase(other, each);
    for (const { new: made, changed } of Object.values<Json>(counts)) {
      assertEquals([made, changed], [0, 0], each.format);
    }
    for (const item of await itemsOf(other, importId)) {
      const [localTimes] = each.items[item.key] ?? [];
      assertEquals((await recordOf(other, item)).localTimes, localTimes, item.key);
    }
  }
});

const NONE = { new: 0, unchanged: 0, changed: 0, refused: 0 };

Deno.test("A repeated import replaces clocks, or removes them", async () => {
  const caller = await world().createCaller();
  const zoned = "2020-01-01T09:00:00+09:00[Asia/Tokyo]";
  const localTimes = { capturedAt: "2020-01-01T09:00:00.000+09:00[Asia/Tokyo]" };
  for (
    const [capturedAt, outcome, expected, revision] of [
      ["2020-01-01T00:00:00Z", "new", {}, 1],
      [zoned, "changed", localTimes, 2],
      [zoned, "unchanged", localTimes, 2],
      ["2020-01-01T00:00:00Z", "changed", {}, 3],
    ] as const
  ) {
    const file = itemsFile([capture("one", capturedAt)]);
    const done = await imported(caller, "prs-items", file);
    assertEquals(done.counts.capture, { ...NONE, [outcome]: 1 });
    const [item] = await itemsOf(caller, done.importId);
    const record = await recordOf(caller, item);
    assertEquals([record.localTimes, record.revision], [expected, revision]);
  }
});

Deno.test("A wrong zone refuses its item alone, and a time of creation has none", async () => {
  const caller = await world().createCaller();
  const tokyo = "2020-01-01T09:00:00+09:00[Asia/Tokyo]";
  const plan = await planned(
    caller,
    "prs-items",
    itemsFile([
      capture("unknown", "2020-01-01T09:00:00+09:00[Mars/Base]"),
      capture("other offset", "2020-01-01T09:00:00+08:00[Asia/Tokyo]"),
      capture("other form", "2020-01-01T09:00:00+09:00[Asia/Tokyo][Asia/Tokyo]"),
      capture("created", tokyo, { recordedAt: tokyo }),
      capture("good", tokyo),
    ]),
  );
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ rules }) => rules), [
    ["field.time_zone"],
    ["field.time_offset"],
    ["field.datetime"],
    ["field.datetime"],
    [],
  ]);
  const table = await planned(caller, "csv", `Task,Made\nOne,${tokyo}\nTwo,2020-01-01`, {
    name: "Made",
  });
  const mapping = {
    target: "commitment",
    columns: { Task: "@title", Made: "@recordedAt" },
    constants: COMMITMENT,
    timeZone: "Asia/Tokyo",
  };
  await caller.call("PUT", `${IMPORTS}/${table.importId}/mapping`, { body: mapping });
  await settled(caller, table.importId);
  const [zoned, day] = await itemsOf(caller, table.importId);
  assertEquals([zoned?.rules, day?.rules], [["csv.date"], []]);
});

/** Accepted accounts and files, and the reasons for rejection. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { fileOf } from "../support/account_file.ts";
import { assertIndexed } from "../storage/search_rows.ts";
import { download, filesUnder, uploaded } from "../support/attachments.ts";
import { type Caller, createWorld, fileWorld, type Json, type World } from "../support/world.ts";
import { ACCOUNT_IMPORTS, exportAccount, importFile, linesOf } from "./account.ts";
import { introduce } from "../families/identity/api.ts";
import { COMMITMENT, setMaintenance } from "./kernel.ts";
import { DRAFTS, remember } from "../families/memory/api.ts";
import { createPerson, detail } from "../families/relationship/api.ts";
import { tag } from "../families/taxonomy/api.ts";

const world = fileWorld();

async function smallAccount(): Promise<{ readonly caller: Caller; readonly bytes: Uint8Array }> {
  const caller = await world().createCaller();
  const attachmentId = await uploaded(caller, "bytes of an attachment");
  const { recordId } = await caller.create("commitment", COMMITMENT);
  const path = `/api/v2/records/commitment/${recordId}`;
  await caller.call("PATCH", path, { key: ulid(), body: { title: "Changed" } });
  await caller.create("media", { mediaType: "PHOTO", fileId: attachmentId });
  await remember(caller, { privacyLevel: "SECRET" });
  await tag(caller, "A tag");
  await detail(caller, await createPerson(caller));
  return { caller, bytes: (await exportAccount(world(), caller)).bytes };
}

async function rowCounts(of: World): Promise<Json> {
  const tables = await of.rows(`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
  const counts = await Promise.all(
    tables.map(({ name }: Json) =>
      of.rows(`select '${name}' as name, count(*)::int as n from ${name}`)
    ),
  );
  return counts.flat();
}

/** Rules of the rejection, or the other result. */
async function rulesAgainst(caller: Caller, bytes: BodyInit): Promise<readonly string[]> {
  const { status, body } = await importFile(caller, bytes);
  return body.error?.code === "PAYLOAD_INVALID" ? body.error.details.rules : [`${status}`];
}

Deno.test("Import brings everything with its identifiers, revisions and times, and one audit entry", async () => {
  const { caller, bytes } = await smallAccount();
  const other = await world().createCaller();
  const { status, body, text } = await importFile(other, bytes.slice());
  assertEquals(status, 200, text);

  const lists = ["/records/commitment", "/memory/texts", "/taxonomy/tags", "/relationship/people"];
  for (const path of [...lists, "/attachments"]) {
    const [mine, theirs] = await Promise.all(
      [caller, other].map((each) => each.call("GET", `/api/v2${path}`)),
    );
    assert(mine?.body.data.items.length > 0);
    assertEquals(theirs?.body.data, mine?.body.data, path);
  }
  const [file] = (await other.call("GET", "/api/v2/attachments")).body.data.items;
  const content = await download(world(), other, file.attachmentId);
  assertEquals(new TextDecoder().decode(content.bytes), "bytes of an attachment");
  const audit = await other.call("GET", "/api/v2/audit");
  assertEquals(
    audit.body.data.items.map(({ operation, subjectId }: Json) => [operation, subjectId]),
    [["account.import", body.data.importId]],
  );
  // Imported data behaves normally, sums included.
  await uploaded(other, "more");
  const [record] = (await other.call("GET", "/api/v2/records/commitment")).body.data.items;
  const changed = await other.call("PATCH", `/api/v2/records/commitment/${record.recordId}`, {
    key: ulid(),
    body: { title: "Again", expectedRevision: 2 },
  });
  assertEquals([changed.status, changed.body.data.revision], [200, 3]);
  const [{ bytes: sum }] = await world().rows(
    `select bytes::int as bytes from attachment_usage where owner_id = '${other.accountId}'`,
  );
  assertEquals(sum, "bytes of an attachment".length + "more".length);
  await assertIndexed(world(), `r.owner_id = '${other.accountId}'`);
});

Deno.test("Import brings a stored integer that no body may have any more", async () => {
  const caller = await world().createCaller();
  const written = await caller.call("POST", "/api/v2/records/ai-agent", {
    key: ulid(),
    headers: { "Content-Type": "application/json" },
    raw: '{"title":"Numbers","payload":{"sessionType":"MENTOR","prompt":"a","provider":"a",' +
      '"contextRefs":["a"],"approvalStatus":"APPROVED","executedActions":[{"id":1e20}]}}',
  });
  assertEquals(written.status, 201, written.text);
  assert(written.text.includes('{"id":100000000000000000000}'), written.text);
  const { bytes } = await exportAccount(world(), caller);
  const other = await world().createCaller();
  const { status, text } = await importFile(other, bytes.slice());
  assertEquals(status, 200, text);
  const [record] = (await other.call("GET", "/api/v2/records/ai-agent")).body.data.items;
  assertEquals(record.payload, written.body.data.payload);
});

Deno.test("Import accepts only an account without records, terms, drafts and attachments", async () => {
  const things: readonly ((caller: Caller) => Promise<unknown>)[] = [
    (caller) => caller.create("commitment", COMMITMENT),
    (caller) => remember(caller),
    (caller) => tag(caller, "A tag"),
    (caller) =>
      caller.call("PUT", `${DRAFTS}/${ulid()}`, { body: { draftVersion: 1, content: {} } }),
    (caller) => uploaded(caller, ""),
    (caller) => introduce(caller),
  ];
  for (const make of things) {
    const caller = await world().createCaller();
    await make(caller);
    const refused = await importFile(caller, fileOf([]));
    assertEquals([refused.status, refused.body.error.code], [409, "ACCOUNT_NOT_EMPTY"]);
  }
  const caller = await world().createCaller();
  await caller.call("POST", "/api/v2/memory/exports", { key: ulid(), body: { format: "JSON" } });
  for (const _ of [1, 2]) assertEquals((await importFile(caller, fileOf([]))).status, 200);
});

Deno.test("Import accepts JSON Lines from a session, and is closed in the maintenance window", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  for (const type of ["application/json", "text/plain", "application/jsonlines", ""]) {
    const refused = await importFile(caller, fileOf([]), { "Content-Type": type });
    assertEquals([refused.status, refused.body.error.code], [415, "HTTP_415"], type);
  }
  const charset = { "Content-Type": "application/jsonl; charset=utf-8" };
  assertEquals((await importFile(caller, fileOf([]), charset)).status, 200);
  const long = await importFile(caller, "", { "Content-Length": String(16 * 1024 ** 3 + 1) });
  assertEquals([long.status, long.body.error.details.limit], [413, 16 * 1024 ** 3]);
  const viewer = await own.createCaller("VIEWER");
  assertEquals((await importFile(viewer, fileOf([]))).body.error.code, "FORBIDDEN");
  await setMaintenance(own, true);
  const frozen = await importFile(caller, fileOf([]));
  assertEquals([frozen.status, frozen.body.error.code], [503, "SYSTEM_MAINTENANCE"]);
  assertEquals(await filesUnder(own.spoolFolder), []);
});

Deno.test("Of two concurrent imports into one account, one is rejected", async () => {
  const { bytes } = await smallAccount();
  const caller = await world().createCaller();
  const another = world().again();
  const send = (app: Pick<World["app"], "fetch">) =>
    app.fetch(
      new Request(`https://records.example${ACCOUNT_IMPORTS}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${caller.secret}`, "Content-Type": "application/jsonl" },
        body: bytes.slice(),
      }),
    );
  const answers = await Promise.all([send(world().app), send(another)]);
  assertEquals(answers.map(({ status }) => status).sort(), [200, 409]);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  assertEquals((await exportAccount(world(), caller)).bytes, bytes);
});

Deno.test("Invalid files are rejected by rule, and leave nothing", async () => {
  const { bytes } = await smallAccount();
  const [_head, ...rest] = linesOf(bytes);
  const lines = rest.slice(0, -1);
  const text = new TextDecoder().decode(bytes);
  const other = await world().createCaller();
  await importFile(other, fileOf([]));
  const before = await rowCounts(world());
  const objectsBefore = await filesUnder(world().objectFolder);
  const spooledBefore = await filesUnder(world().spoolFolder);

  /** Changes the first line of a type; of records, the commitment. */
  const changed = (type: string, change: (line: Json) => Json): string => {
    const at = lines.findIndex((line) =>
      line.type === type && (type !== "record" || line.moduleCode === "commitment")
    );
    assert(at >= 0, type);
    const result = change(structuredClone(lines[at]));
    return fileOf([...lines.slice(0, at), ...[result].flat(), ...lines.slice(at + 1)]);
  };
  const ahead = "2026-11-20T12:06:00.000Z";
  const later = ulid(Date.parse("2026-11-20T12:06:00.000Z"));
  const cases: readonly (readonly [rule: string, file: BodyInit])[] = [
    ["import.manifest", ""],
    ["import.format", text.replace("prs-account", "prs-memory")],
    ["import.format", text.replace('"version":1}', '"version":1,"x":1}')],
    ["import.version", text.replace('"version":1', '"version":2')],
    ["import.canonical", "[]\n"],
    ["json.syntax", "nonsense\n"],
    ["json.syntax", `\ufeff${text}`],
    ["json.encoding", new Uint8Array([0x22, 0xff, 0x22, 0x0a])],
    ["import.line_end", text.slice(0, -1)],
    ["import.manifest", text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)],
    ["import.manifest", `${text}${text}`],
    ["import.manifest", text.replace(/\{"manifest".*\n/, '{"manifest":{}}\n')],
    ["import.counts", text.replace(/"counts":\{"analysis":0/, '"counts":{"analysis":1')],
    ["import.digest", text.replace("Changed", "changed")],
    ["import.digest", text.replace(/"sha256":"(.)([0-9a-f]{63})"\}\}\n$/, '"sha256":"$1$1$2"}}\n')],
    ["import.canonical", text.replace('{"archivedAt"', '{ "archivedAt"')],
    ["import.canonical", text.replace('"completionStatus"', '"\\u0063ompletionStatus"')],
    // The payload must have members.
    ["import.canonical", text.replace('"payload":{"', '"payload":{"Amount":-0.0,"')],
    [
      "import.type",
      fileOf(lines.map((line) => line.type === "term" ? { ...line, type: "x" } : line)),
    ],
    ["import.type", fileOf([{ type: "continued", revisions: [] }, ...lines])],
    ["import.type", fileOf([{ type: "bytes", base64: "" }, ...lines])],
    [
      "import.order",
      fileOf([...lines].reverse().filter(({ type }) => !/^(bytes|attachment)$/.test(type))),
    ],
    ["import.order", fileOf(swapped(lines, "record"))],
    ["import.repeated", changed("record", (line) => [line, line])],
    [
      "import.repeated",
      changed("memory", (line) => ({ ...line, revisions: [...line.revisions, ...line.revisions] })),
    ],
    [
      "import.order",
      changed("record", (line) => ({ ...line, revisions: line.revisions.toReversed() })),
    ],
    ["import.member", changed("record", ({ title: _, ...line }) => line)],
    ["import.member", changed("record", (line) => ({ ...line, ownerId: other.accountId }))],
    ["import.member", changed("record", ({ revisions: _, ...line }) => ({ ...line, further: [] }))],
    ["import.member", changed("record", (line) => [line, { type: "continued", slices: [] }])],
    ["import.member", changed("record", (line) => [line, { type: "continued" }])],
    ["import.value", changed("record", (line) => ({ ...line, recordId: "1" }))],
    ["import.value", changed("record", (line) => ({ ...line, moduleCode: "nothing" }))],
    ["import.value", changed("record", (line) => ({ ...line, revision: 1.5 }))],
    ["import.value", changed("record", (line) => ({ ...line, title: null }))],
    ["import.value", changed("record", (line) => ({ ...line, payload: [] }))],
    [
      "import.value",
      changed("detail", (line) => ({ ...line, lines: { version: "4.0", lines: "TEL:1" } })),
    ],
    [
      "import.value",
      changed("record", (line) => ({ ...line, payload: { x: "x".repeat(600_000) } })),
    ],
    [
      "import.value",
      changed("record", (line) => ({
        ...line,
        revisions: [{ ...line.revisions[0], payload: { x: "x".repeat(600_000) } }],
      })),
    ],
    ["import.value", changed("record", (line) => ({ ...line, createdAt: "2026-11-20" }))],
    ["import.value", changed("record", (line) => ({ ...line, revisions: [1] }))],
    ["import.value", changed("term", (line) => ({ ...line, aliases: [1] }))],
    ["import.value", changed("attachment", (line) => ({ ...line, mediaType: "a\r\nb: c" }))],
    ["import.value", changed("attachment", (line) => ({ ...line, filename: "../x" }))],
    ["import.value", changed("attachment", (line) => ({ ...line, size: 65 * 1024 ** 2 }))],
    ["import.future", changed("record", (line) => ({ ...line, updatedAt: ahead }))],
    ["import.future", changed("record", (line) => ({ ...line, recordId: later }))],
    ["import.bytes", changed("attachment", (line) => ({ ...line, size: line.size + 1 }))],
    ["import.bytes", changed("attachment", (line) => ({ ...line, size: line.size - 1 }))],
    ["import.bytes", changed("attachment", (line) => ({ ...line, sha256: "0".repeat(64) }))],
    ["import.bytes", changed("bytes", (line) => ({ ...line, base64: `${line.base64}=` }))],
    ["import.bytes", changed("bytes", (line) => ({ ...line, base64: "" }))],
    ["import.bytes", changed("bytes", (line) => [line, line])],
    ["import.bytes", changed("bytes", () => [])],
    [
      "import.line_length",
      changed("bytes", () => ({ type: "bytes", base64: "A".repeat(1024 ** 2) })),
    ],
    ["import.line_length", "x".repeat(9 * 1024 ** 2)],
    ["json.depth", `${"[".repeat(100)}${"]".repeat(100)}\n`],
    ["json.duplicate_key", '{"format":"prs-account","format":"prs-account","version":1}\n'],
    [
      "json.key",
      changed("record", (line) => ({ ...line, payload: JSON.parse('{"__proto__":1}') })),
    ],
    ["json.text", text.replace("Changed", "\\u0000")],
    // Rejected by the tables.
    ["import.reference", changed("record", (line) => ({ ...line, revision: line.revision + 1 }))],
    ["import.reference", changed("record", (line) => ({ ...line, guard: "nothing" }))],
    ["import.reference", changed("memory", () => [])],
    ["import.reference", changed("attachment", () => []).replace(/.*"type":"bytes".*\n/, "")],
    ["import.guard", changed("record", (line) => ({ ...line, title: "Another" }))],
    ["import.guard", changed("record", (line) => ({ ...line, sourceType: "X" }))],
    ["import.guard", changed("person", (line) => ({ ...line, status: "PAUSED" }))],
    ["import.guard", changed("term", (line) => ({ ...line, name: "Another" }))],
    [
      "import.reference",
      changed("memory", (line) => ({
        ...line,
        privacyLevel: "NORMAL",
        revisions: line.revisions.map((each: Json) => ({ ...each, privacyLevel: "NORMAL" })),
      })),
    ],
  ];
  const found: string[] = [];
  for (const [rule, file] of cases) {
    const sent = rule === "import.reference" && typeof file === "string" ? recounted(file) : file;
    found.push(...await rulesAgainst(other, sent));
  }
  assertEquals(found, cases.map(([rule]) => rule));
  assertEquals(await rowCounts(world()), before);
  assertEquals(await filesUnder(world().objectFolder), objectsBefore);
  assertEquals(await filesUnder(world().spoolFolder), spooledBefore);
  assertEquals((await importFile(other, bytes.slice())).status, 200);
});

/** Exchanges the first two lines of a type. */
function swapped(lines: readonly Json[], type: string): Json[] {
  const at = lines.findIndex((line) => line.type === type);
  assertEquals(lines[at + 1].type, type);
  return [...lines.slice(0, at), lines[at + 1], lines[at], ...lines.slice(at + 2)];
}

/** Makes the manifest match. */
function recounted(file: string): string {
  return fileOf(file.trimEnd().split("\n").slice(1, -1));
}

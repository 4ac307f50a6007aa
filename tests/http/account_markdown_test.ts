/** The Markdown archive: its files and its omissions. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { createHash } from "node:crypto";
import type { JsonObject } from "../../src/core/json.ts";
import { uploaded } from "../support/attachments.ts";
import { extractWithTar, HAS_TAR, readTar } from "../support/tar.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { ACCOUNT_EXPORTS, fetchContent, giveDemoLife } from "./account.ts";
import { assertInvalid, COMMITMENT, pathOf } from "./kernel.ts";
import { done, DRAFTS, remember, textPath } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  detail,
  evidence,
  experience,
} from "../families/relationship/api.ts";

const world = sharedWorld();

/** Its description, bytes, and texts by path. */
interface Archive {
  readonly description: Json;
  readonly bytes: Uint8Array;
  readonly texts: ReadonlyMap<string, string>;
}

async function askForArchive(caller: Caller, body: JsonObject) {
  const headers = await proofOf(world(), caller, "ACCOUNT_EXPORT");
  return await caller.call("POST", ACCOUNT_EXPORTS, { body, key: ulid(), headers });
}

async function archive(caller: Caller, body: JsonObject = {}): Promise<Archive> {
  const made = await askForArchive(caller, { format: "MARKDOWN", ...body });
  assertEquals(made.status, 201, made.text);
  const response = await fetchContent(world(), caller, made.body.data.exportId);
  const bytes = await response.bytes();
  assertEquals(response.headers.get("Content-Length"), String(bytes.length));
  assertEquals(response.headers.get("Content-Type"), "application/x-tar");
  const texts = new Map<string, string>();
  for (const { path, bytes: content, mode } of readTar(bytes)) {
    assertEquals(mode, 0o600);
    assert(path.startsWith("prs-account/"), path);
    assert(!texts.has(path.slice(12)), path);
    texts.set(path.slice(12), new TextDecoder().decode(content));
  }
  return { description: made.body.data, bytes, texts };
}

/** Front matter and body. */
function parse(text: string): { front: Json; body: string } {
  const end = text.indexOf("\n---\n");
  assert(text.startsWith("---\n") && end > 0, text.slice(0, 200));
  const front: Json = {};
  for (const line of text.slice(4, end).split("\n")) {
    const [name, value] = [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)];
    assertMatch(name, /^[A-Za-z]+$/);
    assert(!(name in front), name);
    front[name] = JSON.parse(value);
  }
  return { front, body: text.slice(end + 5) };
}

function onlyIn({ texts }: Archive, folder: string): { path: string; front: Json; body: string } {
  const paths = [...texts.keys()].filter((path) =>
    path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/")
  );
  assertEquals(paths.length, 1, `${folder}: ${paths}`);
  const [path = ""] = paths;
  return { path, ...parse(texts.get(path) ?? "") };
}

Deno.test("Archive has a folder per module of the sample life, and tar extracts it", async () => {
  const caller = await world().createCaller();
  await giveDemoLife(world(), caller);
  const made = await archive(caller, { includeSecret: true });
  const { description, bytes, texts } = made;
  assertMatch(description.filename, /^prs-account-\d{4}-\d\d-\d\d\.tar$/);
  assertEquals([description.size, description.mediaType], [bytes.length, "application/x-tar"]);
  assertEquals(description.sha256, createHash("sha256").update(bytes).digest("hex"));

  const folders = new Map<string, number>();
  for (const path of texts.keys()) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  for (const folder of ["commitment", "health", "legacy", "memory", "decision", "identity/roles"]) {
    assert(folders.has(folder), folder);
  }
  const counts = await world().rows(`
    select module_code as module, count(*)::int as files from records
     where owner_id = '${caller.accountId}'
       and module_code not in ('memory', 'decision', 'relationship', 'resource', 'taxonomy')
     group by 1`);
  for (const { module, files } of counts) assertEquals(folders.get(module), files, module);
  const [memories] = await world().rows(
    `select count(*)::int as files from memories where owner_id = '${caller.accountId}'`,
  );
  assertEquals([folders.get("memory"), description.counts.memory], [
    memories.files,
    memories.files,
  ]);
  const total = Object.values(description.counts as Record<string, number>);
  assertEquals(total.reduce((sum, count) => sum + count, 1), texts.size);
  for (const [path, text] of texts) {
    if (path.startsWith("attachments/") || path === "README.md") continue;
    const { front } = parse(text);
    assert(Object.values(front).some((value) => path.endsWith(`${value}.md`)), path);
  }
  if (!HAS_TAR) return;
  const extracted = await extractWithTar(bytes);
  assertEquals(extracted.size, texts.size);
  for (const { path, bytes: content } of readTar(bytes)) {
    assertEquals(extracted.get(path), content, path);
  }
});

Deno.test("File has the current identifiers, times and revision, then the text", async () => {
  const caller = await world().createCaller();
  const record = await caller.create(
    "commitment",
    { ...COMMITMENT, notes: "One\n\nTwo", dueAt: "2027-01-01T00:30:00+01:00[Europe/Berlin]" },
    "The ladder",
  );
  await caller.call("PATCH", pathOf(record), { body: { summary: "Lent" }, key: ulid() });
  const memory = await remember(caller, { originalContent: "As it was", privacyLevel: "NORMAL" });
  await done(caller, textPath(memory, "/revisions"), {
    expectedRevision: 1,
    currentContent: "As it is",
    importance: 4,
  });
  const made = await archive(caller);
  const ladder = onlyIn(made, "commitment");
  assertEquals(ladder.path, `commitment/The ladder ${record.recordId}.md`);
  const { revision, recordId, payload, localTimes, createdAt, archivedAt } = ladder.front;
  assertEquals([revision, recordId, createdAt], [2, record.recordId, record.createdAt]);
  assertEquals(archivedAt, undefined);
  const { content, ...short } = COMMITMENT;
  assertEquals(payload, { ...short, dueAt: "2026-12-31T23:30:00.000Z" });
  assertEquals(localTimes, { dueAt: "2027-01-01T00:30:00.000+01:00[Europe/Berlin]" });
  assertEquals(
    ladder.body,
    `\n# The ladder\n\n## Summary\n\nLent\n\n## Content\n\n${content}\n\n## Notes\n\nOne\n\nTwo\n`,
  );
  const lake = onlyIn(made, "memory");
  assertEquals([lake.front.revision, lake.front.importance], [2, 4]);
  assertEquals(
    lake.body,
    "\n# The lake\n\n## Original content\n\nAs it was\n\n## Current content\n\nAs it is\n",
  );
});

Deno.test("Same account gives the same archive", async () => {
  const caller = await world().createCaller();
  await remember(caller);
  await uploaded(caller, "bytes");
  const first = await archive(caller);
  world().advance(90_000);
  const second = await archive(caller);
  assertEquals(second.bytes, first.bytes);
  assertEquals(second.description.sha256, first.description.sha256);
});

Deno.test("SECRET entries are omitted unless requested", async () => {
  const caller = await world().createCaller();
  const word = `marker${ulid()}`;
  const secret = await remember(caller, {
    privacyLevel: "SECRET",
    title: word,
    originalContent: word,
  });
  await remember(caller, { privacyLevel: "PRIVATE" });
  const draft = (body: JsonObject) =>
    caller.call("PUT", `${DRAFTS}/${ulid()}`, { body: { draftVersion: 1, ...body } });
  for (
    const body of [
      { content: { title: word, privacyLevel: "SECRET" } },
      { memoryId: secret.memoryId, content: { currentContent: word } },
      { content: { title: "An open draft" } },
    ]
  ) assertEquals((await draft(body)).status, 200);
  const known = await createPerson(caller);
  await contact(caller, known, { privacy: "SECRET", note: word });
  const told = await contact(caller, known, { privacy: "PRIVATE", note: "told" });
  await control(caller, told, { kind: "RETRACTED" });
  await experience(caller, known, { privacy: "SECRET", narrative: word, title: word });
  const raised = await evidence(caller, known, { privacy: "NORMAL", content: word });
  await control(caller, raised, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  await control(caller, raised, { kind: "RETRACTED" });

  const raisedDetail = await detail(caller, known, { label: word, privacy: "NORMAL" });
  await control(caller, raisedDetail, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  await detail(caller, known, { label: "Lake house" });

  const open = await archive(caller);
  assertEquals(onlyIn(open, "relationship/details").front.label, "Lake house");
  assertEquals(new TextDecoder().decode(open.bytes).includes(word), false);
  assertEquals(open.description.counts.memory, 1);
  assertEquals(onlyIn(open, "memory/drafts").front.content, { title: "An open draft" });
  assertEquals(onlyIn(open, "relationship/contacts").front.state, "RETRACTED");
  for (const includeSecret of [false, true]) {
    const { bytes, texts } = await archive(caller, { includeSecret });
    if (!includeSecret) assertEquals(bytes, open.bytes);
    else {
      const files = [...texts].filter(([path, text]) => path.includes(word) || text.includes(word));
      assertEquals(files.length, 7);
      const { front } = onlyIn({ ...open, texts }, "relationship/evidence");
      assertEquals([front.privacy, front.effectivePrivacy, front.state], [
        "NORMAL",
        "SECRET",
        "RETRACTED",
      ]);
    }
  }
});

Deno.test("Archive is valid with any titles and names", async () => {
  const caller = await world().createCaller();
  const titles = [
    "../../../etc/passwd",
    "..",
    "CON",
    "a/b\\c",
    "---",
    "é".repeat(200),
    "🪜".repeat(200),
    "same",
    "SAME",
    "- item: [",
    "\u202etxt.exe",
    '"]}',
    "x".repeat(200),
    ".",
    "~",
  ];
  for (const title of titles) await caller.create("commitment", COMMITMENT, title);
  const names = [
    "../../escape.sh",
    "/etc/passwd",
    ".ssh",
    "nul.txt",
    "é".repeat(255),
    "photo.jpg",
    "PHOTO.JPG",
    "photo.jpg",
    "a:b*c?.txt",
    "trailing. ",
  ];
  const attachmentId = await uploaded(caller, "the bytes");
  // Uploads reject some of these names; older rows may have them.
  await world().raw(
    names.map((name) => `
    insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
      select owner_id, '${ulid()}', size, sha256, media_type, '${name}', created_at
        from attachments where attachment_id = '${attachmentId}';`).join(""),
  );
  const { bytes, texts } = await archive(caller);
  assertEquals(texts.size, 2 + titles.length + names.length);
  for (const path of texts.keys()) {
    for (const part of path.split("/")) {
      assert(new TextEncoder().encode(part).length <= 255, path);
      assert(!/^\.|^$|[\p{Cc}<>:"\\|?*\u202a-\u202e]|[.\s]$/u.test(part), path);
    }
    assertEquals(path.split("/").length, path === "README.md" ? 1 : path.startsWith("att") ? 3 : 2);
  }
  const folded = [...texts.keys()].map((path) => path.normalize("NFD").toLowerCase());
  assertEquals(new Set(folded).size, texts.size, "no two are one on another file system");
  const found = [...texts].filter(([path]) => path.startsWith("commitment/"))
    .map(([, text]) => parse(text).front.title);
  assertEquals(found.sort(), titles.toSorted());
  const contents = [...texts].filter(([path]) => path.startsWith("att")).map(([, text]) => text);
  assertEquals(new Set(contents), new Set(["the bytes"]));
  if (HAS_TAR) assertEquals((await extractWithTar(bytes)).size, texts.size);
});

Deno.test("POST account/exports accepts its formats and their options only", async () => {
  const caller = await world().createCaller();
  const refused: [JsonObject, string, string][] = [
    [{ format: "HTML" }, "field.option", "format"],
    [{ format: "MARKDOWN", includeSecret: "yes" }, "field.type", "includeSecret"],
    [{ includeSecret: true }, "export.include_secret", "includeSecret"],
    [{ format: "JSON_LINES", includeSecret: false }, "export.include_secret", "includeSecret"],
  ];
  for (const [body, rule, field] of refused) {
    assertInvalid(await askForArchive(caller, body), [rule], [field], JSON.stringify(body));
  }
  const lines = await askForArchive(caller, { format: "JSON_LINES" });
  assertEquals([lines.status, lines.body.data.mediaType], [201, "application/jsonl"]);
});

/** An erasure from its plan to the last byte, and the data that stays unchanged. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { ERASURE_STEP } from "../../src/erasure/erased_store.ts";
import { manifestLine, type TableTally, Tally } from "../../src/operator/backup/format.ts";
import { BackupError } from "../../src/operator/backup/backup_error.ts";
import { decide, decisionPath, PREDICTION } from "../families/decision/api.ts";
import { IMPORTS, itemsOf, planned, ran, settled } from "../http/imports.ts";
import { card as cardOf } from "../families/relationship/cards.ts";
import { done, DRAFTS, MEMORY, textPath, TEXTS } from "../families/memory/api.ts";
import {
  contact,
  control,
  createPerson,
  detail,
  evidence,
  experience,
  personPath,
} from "../families/relationship/api.ts";
import { keep, measure, resourcePath } from "../families/resource/api.ts";
import { actOn, assign, CATEGORIES, category, tag, TREE } from "../families/taxonomy/api.ts";
import { putThumbnail, uploaded } from "../support/attachments.ts";
import {
  backUp,
  CANARY,
  createErasable,
  holdsCanary,
  operate,
  plan,
  restore,
  run,
  sealEverything,
  signIn,
  unpacked,
  verify,
  verifyBackup,
  withService,
} from "../support/erasure.ts";
import { png } from "../support/picture_headers.ts";
import { setUpOwner } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { type Caller, ENGINE, type Json } from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";

const card = (...lines: string[]) => cardOf("VERSION:4.0", ...lines);

const REFUSED = { code: "RECORD_ERASED" };

/** Data to erase, and data of the same account that stays. */
interface Filled {
  readonly subjects: readonly string[];
  readonly paths: readonly string[];
  readonly attachment: string;
  /** The original and the picture of a card. */
  readonly ofCard: readonly string[];
  readonly shared: string;
  readonly staying: Json;
  readonly child: Json;
  /** A detail of a person who stays, which links to one who goes. */
  readonly link: Json;
  readonly key: string;
  readonly body: Json;
}

/** One subject of every kind, with the canary in every text below it. */
async function fill(caller: Caller): Promise<Filled> {
  const attachment = await uploaded(caller, `bytes of ${CANARY}`);
  const shared = await uploaded(caller, "shared bytes");
  for (const id of [attachment, shared]) {
    const picture = new Uint8Array([...png(2, 2), ...new TextEncoder().encode(CANARY)]);
    assertEquals((await putThumbnail(caller, id, id === shared ? png(2, 2) : picture)).status, 201);
  }
  const files = async (title: string, fileId: string) =>
    await done(caller, "/api/v2/records/media", {
      title,
      payload: { mediaType: "OTHER", fileId, description: title },
    });
  const going = await files(CANARY, attachment);
  const goingShared = await files(CANARY, shared);
  const staying = await files("Stays", shared);
  await caller.call("PATCH", `/api/v2/records/media/${going.recordId}`, {
    body: { title: `${CANARY} again` },
  });
  const key = ulid();
  const body = { ...MEMORY, title: CANARY, originalContent: CANARY, summary: CANARY };
  const memory = (await caller.call("POST", TEXTS, { key, body })).body.data;
  await done(caller, textPath(memory, "/slices"), { label: CANARY });
  const [ofMemory, alone] = [ulid(), ulid()];
  const content = { title: CANARY, currentContent: CANARY };
  const drafted = { draftVersion: 1, content: { title: CANARY, originalContent: CANARY } };
  await caller.call("PUT", `${DRAFTS}/${ofMemory}`, {
    body: { draftVersion: 1, memoryId: memory.memoryId, content },
  });
  const saved = await caller.call("PUT", `${DRAFTS}/${alone}`, { body: drafted });
  assertEquals(saved.status, 200, saved.text);
  const decision = await decide(caller, { question: CANARY, rationale: CANARY });
  await done(caller, decisionPath(decision, "/predictions"), { ...PREDICTION, statement: CANARY });
  const person = await createPerson(caller, { personName: CANARY, opinion: CANARY });
  await control(caller, await contact(caller, person, { note: CANARY }), { kind: "RETRACTED" });
  await experience(caller, person, { narrative: CANARY, title: CANARY });
  await evidence(caller, person, { content: CANARY });
  await fillDetails(caller, person);
  const resource = await keep(caller, { name: CANARY, notes: CANARY });
  await measure(caller, resource, { note: CANARY });
  const marked = await tag(caller, CANARY, { aliases: [`${CANARY} two`], description: CANARY });
  await assign(caller, marked, { moduleCode: "media", recordId: staying.recordId });
  const parent = await category(caller, `${CANARY} parent`);
  const child = await category(caller, "Child", parent);
  const carded = await fillCards(caller);
  const witness = await createPerson(caller);
  await evidence(caller, witness, { sourceKind: "RECORD", sourceRef: going.recordId });
  const value = { personId: person.personId, relation: "kin" };
  const link = await detail(caller, witness, { kind: "LINK", value });
  const named = {
    record: [going.recordId, goingShared.recordId, decision.decisionId, resource.resourceId],
    term: [marked.termId, parent.termId],
  };
  return {
    subjects: [
      ...[...named.record, ...named.term].map((id) => `record:${id}`),
      `memory:${memory.memoryId}`,
      `memory:${alone}`,
      `person:${person.personId}`,
      `person:${carded.personId}`,
    ],
    paths: [
      ...[going, goingShared].map(({ recordId }) => `/api/v2/records/media/${recordId}`),
      `/api/v2/records/memory/${memory.memoryId}`,
      textPath(memory),
      textPath(memory, "/slices"),
      `${DRAFTS}/${alone}`,
      `${DRAFTS}/${ofMemory}`.replace(ofMemory, alone),
      decisionPath(decision),
      personPath(person),
      personPath(person, "/contacts"),
      personPath(person, "/details"),
      resourcePath(resource),
      `/api/v2/taxonomy/tags/${marked.termId}`,
      `${CATEGORIES}/${parent.termId}`,
      `/api/v2/attachments/${attachment}`,
      `/api/v2/attachments/${attachment}/content`,
      `/api/v2/attachments/${attachment}/thumbnail`,
    ],
    attachment,
    shared,
    staying,
    child,
    link,
    key,
    body,
    ofCard: carded.attachments,
  };
}

/** A person out of a file that holds the canary, whom one card joins and another one may be. */
async function fillCards(
  caller: Caller,
): Promise<{ readonly personId: string; readonly attachments: readonly string[] }> {
  const picture = `PHOTO:data:image/png;base64,${btoa(CANARY)}`;
  const line = `TEL;X-NOTE=${CANARY}:111111`;
  const file = card(`UID:${CANARY}`, `X-PRS-UID:${CANARY} two`, `FN:${CANARY}`, line, picture) +
    card("FN:Other", "TEL:111111", `NOTE:${CANARY}`) + card("FN:Third", "TEL:111111") +
    card("UID:stays", "FN:Stays", "TEL:222222") + card("FN:Stays too", "TEL:222222");
  const { importId } = await planned(caller, "vcard", file);
  const items = await itemsOf(caller, importId, "&outcome=POSSIBLE_DUPLICATE");
  const [joined, , also] = items.map(({ key }) => key);
  const duplicates = { [CANARY]: "new", [joined]: "join", [also]: "new" };
  const mapped = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, {
    body: { duplicates },
  });
  assertEquals(mapped.status, 200, mapped.text);
  const { originalAttachmentId } = await ran(caller, await settled(caller, importId));
  const [{ recordId, attachmentIds }] = await itemsOf(caller, importId);
  return { personId: recordId, attachments: [originalAttachmentId, ...attachmentIds] };
}

/** Details with the canary, of which one ended and one is a date that returns. */
async function fillDetails(caller: Caller, person: Json): Promise<void> {
  const words = { label: CANARY, note: CANARY };
  const url = { value: `https://${CANARY}.example` };
  const [old, next] = [
    await detail(caller, person, { kind: "URL", value: url, ...words }),
    await detail(caller, person, { kind: "URL", value: url, ...words }),
  ];
  const body = { kind: "SUPERSEDED", supersededBy: next.detailId };
  const ended = await control(caller, old, body);
  assertEquals(ended.status, 200, ended.text);
  const date = { date: "1990-07-01", what: "BIRTHDAY" };
  await detail(caller, person, { kind: "DATE", value: date, ...words });
}

/** Files under a folder that hold the canary, with their number of bytes looked through. */
function hitsUnder(folder: string): string[] {
  const hits: string[] = [];
  const walk = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      const below = `${path}/${name}`;
      if (isDirectory) walk(below);
      else if (holdsCanary(Deno.readFileSync(below))) hits.push(below);
    }
  };
  walk(folder);
  return hits;
}

async function manifestOf(path: string): Promise<Json> {
  const text = new TextDecoder().decode(await unpacked(path)).trimEnd();
  return JSON.parse(text.slice(text.lastIndexOf("\n") + 1))[1];
}

async function assertErased(caller: Caller, { paths, key, body }: Filled): Promise<void> {
  for (const path of paths) {
    const { status, body: { error } } = await caller.call("GET", path);
    assertEquals([path, status, error?.code], [path, 410, REFUSED.code]);
  }
  const again = await caller.call("POST", TEXTS, { key, body });
  assertEquals([again.status, again.body.error.details], [410, { moduleCode: "memory" }]);
  const draft = paths.find((path) => path.startsWith(DRAFTS)) ?? "";
  const saved = await caller.call("PUT", draft, { body: { draftVersion: 2, content: {} } });
  assertEquals(saved.status, 410, saved.text);
}

Deno.test("Erasure leaves no byte of what is named, and everything else as it was", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  const filled = await withService(old.env, async (service) => fill(await setUpOwner(service)));
  await sealEverything(old.env);
  const before = await backUp(old.env);
  const named = [...filled.subjects, ...filled.subjects];
  const going = await plan(env, OWNER.email, ...named);
  assertEquals(going.subjects.length, 10);
  assertEquals(going.attachments, [filled.attachment, ...filled.ofCard].sort());
  assertEquals(going.references.map(({ moduleCode }: Json) => moduleCode), [
    "relationship",
    "relationship",
    "taxonomy",
  ]);
  assertEquals(going.backups.map(({ holds, byHand }: Json) => [holds, byHand]), [[true, true]]);
  const kept = await Deno.readFile(`${old.dataDir}/erasure-plans/${going.digest}.json`);
  assertEquals(holdsCanary(kept), false);

  const certificate = await run(env, going.digest, folder);
  assertEquals(hitsUnder(folder), []);
  assertEquals(await verify(fresh), { certificates: 1, subjects: 13, found: [] });
  await withService(fresh, async (service) => {
    const caller = await signIn(service);
    await assertErased(caller, filled);
    await assertStays(caller, filled);
    await assertImport(caller);
  });
  const after = await backUp(fresh);
  assertEquals(holdsCanary(await unpacked(after)), false);
  const anchor = Object.values<string>(certificate.seals).join();
  await operate(fresh, { command: "audit verify", anchor });
  assertTables(certificate, await manifestOf(before));
  await assertRejects(() => run(env, going.digest, folder), OperatorError, "not empty");
  await assertRestoreIsFiltered(folder, before, filled);
});

/** Subjects that were not named still exist, and a category without its parent is at the top. */
async function assertStays(caller: Caller, { staying, child, link, key }: Filled): Promise<void> {
  const reused = await caller.call("POST", TEXTS, { key, body: MEMORY });
  assertEquals(reused.body.error.code, "IDEMPOTENCY_KEY_REUSED");
  const stays = await caller.call("GET", `/api/v2/records/media/${staying.recordId}`);
  assertEquals(stays.status, 200, stays.text);
  await waitUntil("the order of records was built", async () => {
    const { status, body } = await caller.call("GET", "/api/v2/records/media?sort=title");
    const isListed = ({ recordId }: Json) => recordId === staying.recordId;
    return status === 200 && body.data.items.some(isListed);
  });
  const tree = await caller.call("GET", TREE);
  assertEquals(tree.body.data.items.map(({ termId }: Json) => termId), [child.termId]);
  const linked = await caller.call("GET", personPath(link, "/details"));
  assertEquals(linked.body.data.items[0].value, link.value);
  const again = await caller.call("POST", personPath(link, "/details"), {
    key: ulid(),
    body: { kind: "LINK", value: link.value, privacy: "NORMAL" },
  });
  assertEquals([again.status, again.body.error.code], [404, "RECORD_NOT_FOUND"]);
  const moved = await actOn(caller, child, "deactivate", {});
  await actOn(caller, moved, "reactivate", {});
  await category(caller, "Grandchild", child);
  const entries = await caller.call("GET", "/api/v2/audit?operation=erasure.run");
  assertEquals(entries.body.data.items.length, 1);
}

/** The report and the answers keep their entries about other subjects. */
async function assertImport(caller: Caller): Promise<void> {
  const [{ importId, mapping }] = (await caller.call("GET", IMPORTS)).body.data.items;
  const items = await itemsOf(caller, importId);
  assertEquals(items.map(({ place, outcome }) => [place, outcome]), [[4, "NEW"], [5, "NEW"]]);
  assertEquals(mapping, { duplicates: { [items[1].key]: "new" } });
}

/** Every table that was not named has the digest that the backup of before has. */
function assertTables({ tables, counts }: Json, before: Json): void {
  const changed = [
    ...Object.keys(counts),
    "audit_entries",
    "audit_seals",
    "audit_late_entries",
    "idempotency_envelopes",
    "attachment_usage",
    "erased_subjects",
    "erasure_certificates",
    "imports",
  ];
  for (const [name, { before: was, after: is }] of Object.entries<Json>(tables)) {
    if (name in before.tables) assertEquals(was, before.tables[name], name);
    if (!changed.includes(name)) assertEquals(is, was, name);
  }
  assertEquals([counts.person_details, counts.person_detail_controls], [5, 1]);
  assertEquals([counts.attachment_thumbnails, tables.attachment_thumbnails.after.rows], [1, 1]);
  assert(counts.memories === 1 && counts.person_contacts === 1, "rows are counted");
}

/** A backup in the schema before erasure. */
async function olderBackup(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const [first = "", ...lines] = new TextDecoder().decode(await unpacked(path)).split("\n");
  const tally = new Tally();
  const kept = [first.replace(`"schema":${ERASURE_STEP}`, `"schema":${ERASURE_STEP - 1}`)];
  tally.line(kept[0] ?? "");
  let table: TableTally | null = null;
  for (const line of lines) {
    if (line.startsWith(`["manifest"`)) break;
    const [kind, ...parts] = line.startsWith("[") ? JSON.parse(line) : [""];
    if (kind === "table" && /^eras/.test(parts[0])) continue;
    if (kind === "table") table = tally.table(parts[0]);
    if (kind === "object") tally.object({ owner: parts[0], sha256: parts[1], size: parts[2] });
    if (line.startsWith("{")) table?.add(line);
    tally.line(line);
    kept.push(line);
  }
  const text = [...kept, manifestLine(tally.manifest()), ""].join("\n");
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).bytes();
}

/** A backup of before, restored with the list, is as erased as the new installation. */
async function assertRestoreIsFiltered(
  folder: string,
  before: string,
  filled: Filled,
): Promise<void> {
  await using other = await createErasable();
  const env = other.fresh;
  const backup = `${other.folder}/backup`;
  await Deno.mkdir(other.folder);
  await Deno.copyFile(`${folder}/erasures.jsonl`, `${other.folder}/erasures.jsonl`);
  // On one engine as the release before wrote it, whose foreign keys do not know of erasure.
  if (ENGINE === "postgres") await Deno.copyFile(before, backup);
  else await Deno.writeFile(backup, await olderBackup(before));
  const { found } = await verifyBackup(env, backup);
  assert(found.some(({ table }: Json) => table === "memory_revisions"), "the backup holds it");
  await restore(env, backup);
  await Deno.remove(backup);
  assertEquals(hitsUnder(other.folder), []);
  await withService(env, async (service) => assertErased(await signIn(service), filled));

  await Deno.writeTextFile(`${other.folder}/erasures.jsonl`, "no erasure\n");
  await assertRejects(() => withService(env, () => Promise.resolve()), BackupError);
  await Deno.copyFile(`${folder}/erasures.jsonl`, `${other.folder}/erasures.jsonl`);
}

/** A life as an owner keeps it, written through the API of any release. */

import { assert, assertEquals } from "@std/assert";
import { makeFeed } from "../../tests/support/erasure.ts";
import { OWNER } from "../../tests/support/owner.ts";
import { SoftwarePasskey } from "../../tests/support/software_authenticator.ts";
import { upload } from "../../tests/support/attachments.ts";
import { callApp, type Caller, callerOf, type Json, ORIGIN } from "../../tests/support/world.ts";
import { done } from "../../tests/families/memory/api.ts";
import { imported, planned, ran, settled } from "../../tests/http/imports.ts";
import { signInBy } from "../../tests/http/passkey.ts";
import type { Place } from "./place.ts";

const AUTH = "/api/v2/auth";
const SAMPLES = new URL("../../tests/http/import_samples/", import.meta.url);
const SIZES = [1, 300_000, 1024 * 1024, 9_000_000];

/** Credentials of the owner, and addresses. */
export interface Keys {
  readonly passkey: SoftwarePasskey;
  readonly token: string;
  readonly assistant: string;
  /** The path of a calendar. */
  readonly feed: string;
  /** The path of a record to erase. */
  readonly victim: string;
}

async function prove(caller: Caller, purpose: string): Promise<Record<string, string>> {
  const { proof } = await done(caller, `${AUTH}/step-up`, { password: OWNER.password, purpose });
  return { "Step-Up-Proof": proof };
}

function callerFor({ app }: Pick<Place, "app">, data: Json): Caller {
  const { account: { accountId }, session: { sessionId }, accessToken: secret } = data;
  return callerOf(app, { accountId, sessionId, secret });
}

export async function signIn(place: Place): Promise<Caller> {
  return callerFor(place, await done(place, `${AUTH}/login`, { ...OWNER, transport: "bearer" }));
}

/** Writes the life into an empty installation whose service has started. */
export async function writeLife(place: Place, welcome: string): Promise<Keys> {
  const [, setupToken = ""] = /"setupToken":"([^"]+)"/.exec(welcome) ?? [];
  const account = { ...OWNER, setupToken, displayName: "Owner", transport: "bearer" };
  const owner = callerFor(place, await done(place, `${AUTH}/setup`, account));
  await place.run(`deno task seed:demo --owner ${OWNER.email}`);
  for (const size of SIZES) await addFile(owner, size);
  await importFiles(owner);
  await changeRecords(owner);
  return {
    ...await openKeys(owner),
    passkey: await addPasskey(owner),
    victim: await addVictim(owner),
  };
}

async function addFile(owner: Caller, size: number): Promise<string> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  const { status, body, text } = await upload(owner, bytes);
  assertEquals(status, 201, text);
  return body.data.attachmentId;
}

async function importFiles(owner: Caller): Promise<void> {
  const read = (name: string) => Deno.readFile(new URL(name, SAMPLES));
  await imported(owner, "day-one", await read("day_one.zip"));
  await imported(owner, "markdown", await read("notion.zip"), { name: "Notion" });
  const { importId } = await planned(owner, "csv", await read("table.csv"), { name: "Table" });
  const body = {
    target: "memory",
    columns: { Title: "@title", Date: "occurredAt", Tags: "@tags", Content: "originalContent" },
    constants: { memoryType: "EVENT", timePrecision: "DAY" },
  };
  const mapped = await owner.call("PUT", `/api/v2/imports/${importId}/mapping`, { body });
  assertEquals(mapped.status, 200, mapped.text);
  const done = await ran(owner, await settled(owner, importId));
  assertEquals(done.state, "DONE");
}

/** Writes a second revision of some records, and archives one. */
async function changeRecords(owner: Caller): Promise<void> {
  for (const module of ["commitment", "knowledge", "media"]) {
    const path = `/api/v2/records/${module}`;
    const { items } = (await owner.call("GET", path)).body.data;
    assert(items.length > 0, module);
    for (const { recordId, title, revision } of items) {
      const body = { title: `${title}, again`, expectedRevision: revision };
      const { status, text } = await owner.call("PATCH", `${path}/${recordId}`, { body });
      assertEquals(status, 200, text);
    }
    await done(owner, `${path}/${items[0].recordId}/archive`, {});
  }
}

async function addPasskey(owner: Caller): Promise<SoftwarePasskey> {
  const path = `${AUTH}/passkeys/registration`;
  const headers = await prove(owner, "PASSKEY_CHANGE");
  const { ceremonyId, publicKey } = await done(owner, `${path}/begin`, {}, headers);
  const passkey = await SoftwarePasskey.make();
  const credential = await passkey.register(publicKey, ORIGIN);
  await done(owner, `${path}/finish`, { ceremonyId, name: "A key", credential });
  return passkey;
}

/** Makes a token, a calendar feed and an assistant, which proposes two records. */
export async function openKeys(
  owner: Caller,
): Promise<Pick<Keys, "token" | "assistant" | "feed">> {
  const make = async (path: string, body: Json) =>
    await done(owner, path, body, await prove(owner, "TOKEN_CREATE"));
  const permissions = ["record.read", "record.write"];
  const { token } = await make(`${AUTH}/tokens`, { name: "A program", permissions });
  const lent = { name: "Helper", modules: ["commitment"], mayPropose: true };
  const { token: assistant } = await make(`${AUTH}/assistants`, lent);
  for (const title of ["Accepted", "Pending"]) {
    const payload = { commitmentType: "OUTGOING", content: "x", completionStatus: "OPEN" };
    const item = { moduleCode: "commitment", title, payload };
    const { proposalId } = await useTool(owner, assistant, "propose_record", item);
    if (title === "Accepted") await done(owner, `/api/v2/proposals/${proposalId}/accept`, {});
  }
  return { token, assistant, feed: await makeFeed(owner, "A phone") };
}

/** Calls a tool as an assistant; returns its content. */
export async function useTool(
  { call }: Pick<Caller, "call">,
  assistant: string,
  name: string,
  args: Json,
): Promise<Json> {
  const { body, text } = await call("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    headers: { Authorization: `Bearer ${assistant}` },
  });
  assert(body.result && !body.result.isError, text);
  return body.result.structuredContent;
}

async function addVictim(owner: Caller): Promise<string> {
  const fileId = await addFile(owner, 5_000);
  const payload = { mediaType: "PHOTO", fileId };
  const { recordId } = await owner.create("media", payload, "To be erased");
  return `/api/v2/records/media/${recordId}`;
}

/** Erases the victim into an empty folder, which is the next `DATA_DIR`. */
export async function eraseVictim(place: Place, { victim }: Keys, into: string): Promise<void> {
  const id = victim.split("/").at(-1);
  const plan = await place.run(`deno task erase plan --email ${OWNER.email} --record ${id}`);
  const [, digest = ""] = /\nPlan ([0-9a-f]{64})\n$/.exec(plan) ?? [];
  await place.stop();
  await place.run(`deno task erase run --plan ${digest} --into ${into} --reason MISTAKE`);
}

/** Asserts that password, passkey and addresses work; returns a session. */
export async function assertOpens(place: Place, keys: Keys): Promise<Caller> {
  const owner = await signIn(place);
  const { status, body, text } = await signInBy(place, keys.passkey);
  assertEquals([status, body?.data?.account.accountId], [200, owner.accountId], text);
  assertEquals((await owner.call("GET", keys.victim)).status, 410);
  return owner;
}

/** Asserts that the token, the calendar and the assistant work; returns the ids that they read. */
export async function readByKeys(place: Place, { token, assistant, feed }: Keys): Promise<Json> {
  const path = "/api/v2/records/commitment?limit=100";
  const headers = { Authorization: `Bearer ${token}` };
  const list = await callApp(place.app, "GET", path, { headers });
  assertEquals(list.status, 200, list.text);
  const calendar = await callApp(place.app, "GET", feed);
  assertEquals(calendar.status, 200, calendar.text);
  const lent = await useTool(place, assistant, "list_records", { moduleCode: "commitment" });
  const found = await useTool(place, assistant, "search", { q: "again" });
  const idsOf = (items: Json[]) => items.map(({ recordId }: Json) => recordId);
  return {
    listed: idsOf(list.body.data.items),
    uids: Array.from(calendar.text.matchAll(/^UID:.*$/gm), ([line]) => line),
    lent: idsOf(lent.items),
    found: idsOf(found.items),
  };
}

/** The lines of the owner's account export. */
export async function exportLines(owner: Caller): Promise<Json[]> {
  const headers = await prove(owner, "ACCOUNT_EXPORT");
  const { exportId } = await done(owner, "/api/v2/account/exports", {}, headers);
  const { text } = await owner.call("GET", `/api/v2/account/exports/${exportId}/content`);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** An upload and a download of 64 MiB, which the death of the leader breaks. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { removeAbandonedUploads } from "../../src/attachments/abandoned_uploads.ts";
import { sha256Hex } from "../../src/core/digest.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import type { Random } from "../../tests/support/random.ts";
import type { Caller, Json } from "../../tests/support/world.ts";
import { SERVICE_MACHINES } from "./configuration.ts";
import { FAULTS } from "./faults.ts";
import type { Cluster } from "./machines.ts";
import { until } from "./until.ts";

const MEBIBYTE = 1024 * 1024;
const SIZE = 64 * MEBIBYTE;
/** How much of each transfer precedes the death of the leader. */
const PRECEDING = 16 * MEBIBYTE;
const PATH = "/api/v2/attachments";
const HOUR_MS = 60 * 60 * 1000;

/** Sends a request to one service, past the proxy. */
type Send = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Kills the leader during both transfers. The upload is complete or absent, the download continues
 * at the other service, and after an hour only chunks of attachments are stored.
 *
 * @returns a sentence about what happened.
 */
export async function drillTransfers(
  cluster: Cluster,
  caller: Caller,
  random: Random,
): Promise<string> {
  const [first, second] = SERVICE_MACHINES.map((machine) => sendTo(cluster, machine, caller));
  if (first === undefined || second === undefined) throw new Error("The drill needs two services");
  const [stored, sent] = [randomBytes(), randomBytes()];
  const answer = await upload(first, stored);
  assertEquals(answer.status, 201);
  const { attachmentId } = (await answer.json()).data;

  const download = (await first(`${PATH}/${attachmentId}/content`)).body?.getReader();
  const received = await read(download, PRECEDING);
  const precedes = Promise.withResolvers<void>();
  const leaderDied = Promise.withResolvers<void>();
  const uploaded = upload(first, broken(sent, precedes.resolve, leaderDied.promise))
    .then(({ status }) => status, () => null);
  await precedes.promise;
  const mend = await FAULTS["kill-leader"](cluster, random);
  leaderDied.resolve();
  received.push(...await read(download, SIZE));
  const status = await uploaded;
  await mend();
  await cluster.untilHealthy();
  await until("the other service is ready", async () => (await second("/readyz")).ok);

  const passed = await assertResumes(second, attachmentId, Buffer.concat(received), stored);
  const isComplete = await holds(second, sent);
  if (status === 201) assert(isComplete, "an acknowledged upload is complete");
  const chunks = await removeUnfinished(cluster);
  return `The upload was ${isComplete ? "complete" : "absent"} (${status ?? "no response"}) and ` +
    `left ${chunks} chunks for an hour; the download continued after ${passed} bytes`;
}

function sendTo(cluster: Cluster, machine: number, { secret }: Caller): Send {
  const origin = `http://127.0.0.1:${cluster.place.portOf(machine, 8000)}`;
  return (path, init = {}) => {
    const headers = { ...init.headers, Authorization: `Bearer ${secret}` };
    return fetch(`${origin}${path}`, { ...init, headers });
  };
}

function randomBytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

function upload(send: Send, body: BodyInit): Promise<Response> {
  const headers = { "Content-Type": "application/octet-stream", "X-Filename": "file" };
  return send(PATH, { method: "POST", headers, body });
}

/** Sends the preceding part, then waits before it sends the rest. */
function broken(
  bytes: Uint8Array<ArrayBuffer>,
  hasSent: () => void,
  goOn: Promise<void>,
): ReadableStream<Uint8Array> {
  return ReadableStream.from((async function* () {
    for (let at = 0; at < SIZE; at += MEBIBYTE) {
      if (at === PRECEDING) {
        hasSent();
        await goOn;
      }
      yield bytes.subarray(at, at + MEBIBYTE);
    }
  })());
}

/** Reads at least so many bytes, unless the response ends or breaks before. */
async function read(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  bytes: number,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let count = 0; count < bytes;) {
    const { value } = await reader?.read().catch(() => ({ value: undefined })) ?? {};
    if (value === undefined) break;
    parts.push(value);
    count += value.length;
  }
  return parts;
}

/** Reads the rest of a download that broke. Returns how much it had received. */
async function assertResumes(
  send: Send,
  attachmentId: string,
  received: Uint8Array,
  stored: Uint8Array,
): Promise<number> {
  assert(received.length < SIZE, "the download broke");
  const headers = { Range: `bytes=${received.length}-` };
  const rest = await send(`${PATH}/${attachmentId}/content`, { headers });
  assertEquals(rest.status, 206);
  const whole = Buffer.concat([received, await rest.bytes()]);
  assertEquals(sha256Hex(whole), sha256Hex(stored));
  return received.length;
}

/** Whether the account has an attachment of these bytes, which it then returns as they are. */
async function holds(send: Send, bytes: Uint8Array): Promise<boolean> {
  const { data } = await (await send(PATH)).json();
  const found = data.items.find((item: Json) => item.sha256 === sha256Hex(bytes));
  if (found === undefined) return false;
  const content = await send(`${PATH}/${found.attachmentId}/content`);
  assertEquals(sha256Hex(await content.bytes()), found.sha256);
  return true;
}

/** Removes the chunks without an attachment as a service does an hour later. */
async function removeUnfinished({ databaseUrl }: Cluster): Promise<number> {
  const database = openPostgres(databaseUrl, 4);
  try {
    const removed = await removeAbandonedUploads(database, new Date(Date.now() + HOUR_MS + 1000));
    const left = await database.read((sql) =>
      sql`
      select from attachment_chunks c
       where not exists (select from attachments a
                          where a.owner_id = c.owner_id and a.sha256 = c.sha256)`
    );
    assertEquals(left.length, 0, "chunks without an attachment");
    return removed;
  } finally {
    await database.close();
  }
}

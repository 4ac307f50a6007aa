import type { PlaceName } from "../../src/attachments/object_store.ts";
import { png } from "./picture_headers.ts";
import { type Caller, fileWorld, sharedWorld, type TestResponse, type World } from "./world.ts";

const PATH = "/api/v2/attachments";

/** Uploads attachment `file`; `headers` override the usual ones. */
export function upload(
  caller: Caller,
  content: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const usual = { "Content-Type": "application/octet-stream", "X-Filename": "file" };
  return caller.call("POST", PATH, { raw: content, headers: { ...usual, ...headers } });
}

/** Returns the id. */
export async function uploaded(caller: Caller, content: BodyInit): Promise<string> {
  const answer = await upload(caller, content);
  if (answer.status !== 201) throw new Error(`The upload was refused: ${answer.text}`);
  return answer.body.data.attachmentId;
}

/** Sends a small picture of an attachment; `headers` override the usual ones. */
export function putThumbnail(
  caller: Pick<Caller, "call">,
  attachmentId: string,
  bytes: BodyInit = png(2, 2),
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const sent = { "Content-Type": "image/png", ...headers };
  return caller.call("PUT", `${PATH}/${attachmentId}/thumbnail`, { raw: bytes, headers: sent });
}

export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export async function download(
  world: { readonly app: Pick<World["app"], "fetch"> },
  caller: Caller,
  attachmentId: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Download> {
  const request = new Request(`https://records.example${PATH}/${attachmentId}/content`, {
    method,
    headers: { Authorization: `Bearer ${caller.secret}`, ...headers },
  });
  const response = await world.app.fetch(request);
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

/** Relative paths, without lock files. */
export async function filesUnder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name === "lock") continue;
    if (!entry.isDirectory) found.push(entry.name);
    else {
      const inside = await filesUnder(`${folder}/${entry.name}`);
      found.push(...inside.map((path) => `${entry.name}/${path}`));
    }
  }
  return found.sort();
}

/** Files, and objects in the database as if they were files. Includes unfinished uploads. */
export async function filesOf(world: World, owner: string): Promise<string[]> {
  const files = await filesUnder(world.objectFolder);
  const objects = await world.rows(`
    select distinct coalesce(encode(sha256, 'hex'), upload_id) as name
      from attachment_chunks where owner_id = '${owner}'`);
  const own = files.filter((path) => path.startsWith(owner) || path.startsWith("incoming"));
  const chunked = objects.map(({ name }) => `${owner}/${name.slice(0, 2)}/${name}`);
  return [...own, ...chunked.sort()];
}

/** Loads a test file again, with the bytes of attachments in the database. */
export const IN_DATABASE = "?database";

/** @param url `import.meta.url` of the test file. */
export function placeOf(url: string): PlaceName {
  return url.endsWith(IN_DATABASE) ? "database" : "files";
}

/** As `sharedWorld`, in the place of the test file. */
export function placedWorld(url: string): () => World {
  if (placeOf(url) === "files") return sharedWorld();
  return inDatabase ??= fileWorld({}, undefined, "database");
}

/** Shared by the files that `http/attachment_database_test.ts` loads. */
let inDatabase: (() => World) | undefined;

/** Makes chunks on demand. */
export interface GeneratedStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes delivered. */
  readonly sent: () => number;
  readonly cancelled: () => boolean;
}

/** Each byte is `fill`. */
export function generated(size: number, chunkSize: number, fill = 7): GeneratedStream {
  const chunk = new Uint8Array(chunkSize).fill(fill);
  let sent = 0;
  let cancelled = false;
  const stream = new ReadableStream({
    pull(controller) {
      const length = Math.min(chunkSize, size - sent);
      if (length === 0) return controller.close();
      sent += length;
      controller.enqueue(chunk.slice(0, length));
    },
    cancel() {
      cancelled = true;
    },
  });
  return { stream, sent: () => sent, cancelled: () => cancelled };
}

/** Delivers `chunks`, then fails. */
export function broken(...chunks: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk === undefined) controller.error(new Error("The stream broke"));
      else controller.enqueue(chunk);
    },
  });
}

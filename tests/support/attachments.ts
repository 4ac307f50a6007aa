import { png } from "./picture_headers.ts";
import type { Caller, TestResponse, World } from "./world.ts";

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
  world: Pick<World, "app">,
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

/** Includes unfinished uploads. */
export async function filesOf(world: World, owner: string): Promise<string[]> {
  const files = await filesUnder(world.objectFolder);
  return files.filter((path) => path.startsWith(owner) || path.startsWith("incoming"));
}

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

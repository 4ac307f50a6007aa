/** The route to which other apps share. The capture page gets the words back; nothing is stored. */

import { Buffer } from "node:buffer";
import type { Caller } from "../access/identity.ts";
import { CONSOLE_SHARES_AT_ONCE } from "../core/shares.ts";
import { ERROR_CODES } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { prefersHtml } from "../http/media_types.ts";
import { boundaryOf, type PartHead, readMultipart } from "../http/multipart.ts";
import type { Reply } from "../http/reply.ts";
import {
  assertNotEncoded,
  bodyTooLarge,
  PUBLIC_BODY,
  readBody,
  unsupportedMediaType,
} from "../http/request.ts";
import type { Call, PostedPageRoute } from "../http/route.ts";

const MAX_TEXT_BYTES = 64 * 1024;
const MAX_FILES = 10;
/** With unknown fields. A body of empty parts would take seconds to read. */
const MAX_PARTS = 100;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** With boundaries and heads. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 3 * MAX_TEXT_BYTES;
/** The time for files; without a session, that of other public bodies. */
const FILES_TIMEOUT_MS = 60_000;

const TEXTS = ["title", "text", "url"];

/** Given to the page as JSON. */
export interface Shared {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
  readonly files?: readonly { name: string; type: string; content: string }[];
  /** Files that were dropped, because there is no session. */
  readonly dropped?: number;
  /** The code of a refusal. */
  readonly refused?: string;
}

/** A template holds the JSON as text: no word of it can end the template or begin an element. */
export function withShared(shell: string, shared: Shared): string {
  const json = JSON.stringify(shared).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // A function, because `$` has a meaning in a replacement.
  return shell.replace("<body>", (body) => `${body}<template id="shared">${json}</template>`);
}

/** @param show Answers the capture page with the shared words. */
export function createShareRoute(
  show: (shared: Shared, call: Call, status: number) => Reply,
): PostedPageRoute {
  const places = new AccountPlaces(CONSOLE_SHARES_AT_ONCE);
  const read = async (call: Call, caller: Caller | null) =>
    caller === null
      ? await readShared(call.request, false)
      : await places.run(caller, () => readShared(call.request, true));
  return {
    method: "POST",
    path: "/console/share",
    access: "page",
    async answer(call, findCaller) {
      assertNotForeign(call.request);
      try {
        return show(await read(call, await findCaller()), call, 200);
      } catch (error) {
        // A browser would save the error as a file.
        if (!(error instanceof ServiceError) || !prefersHtml(call.request)) throw error;
        const { code, headers } = error;
        const reply = show({ refused: code }, call, ERROR_CODES[code].status);
        return { ...reply, headers: { ...reply.headers, ...headers } };
      }
    },
  };
}

/**
 * Refuses forms of other sites, which must not fill the box. A device's share sheet has no site.
 *
 * @throws ServiceError `FORBIDDEN`
 */
function assertNotForeign({ headers }: Request): void {
  const site = headers.get("Sec-Fetch-Site");
  if (site === "cross-site" || site === "same-site") throw new ServiceError("FORBIDDEN");
}

/**
 * @throws ServiceError `HTTP_415` for another media type, `HTTP_413` beyond a limit, `HTTP_408` if
 *   it takes too long, `PAYLOAD_INVALID` if it is malformed.
 */
async function readShared(request: Request, acceptsFiles: boolean): Promise<Shared> {
  assertNotEncoded(request.headers);
  const boundary = boundaryOf(request.headers.get("Content-Type"));
  if (boundary === null) throw unsupportedMediaType();
  const isTooLarge = Number(request.headers.get("Content-Length")) > MAX_BODY_BYTES;
  if (isTooLarge) throw bodyTooLarge(MAX_FILE_BYTES);
  const form = new SharedForm(acceptsFiles);
  const timeoutMs = acceptsFiles ? FILES_TIMEOUT_MS : PUBLIC_BODY.timeoutMs;
  await readBody(
    request,
    { timeoutMs },
    (reader) => readMultipart(reader, boundary, MAX_BODY_BYTES, (head) => form.open(head)),
  );
  return form.shared();
}

/** The fields of the form, within their limits. */
class SharedForm {
  readonly #acceptsFiles: boolean;
  readonly #texts = new Map<string, Uint8Array[]>();
  readonly #files: { readonly head: PartHead; readonly pieces: Uint8Array[] }[] = [];
  #parts = 0;
  #textBytes = 0;
  #fileBytes = 0;

  constructor(acceptsFiles: boolean) {
    this.#acceptsFiles = acceptsFiles;
  }

  /** Returns the function that receives the bytes of a field. */
  open(head: PartHead): (bytes: Uint8Array) => void {
    this.#parts++;
    if (this.#parts > MAX_PARTS) throw bodyTooLarge(MAX_PARTS);
    const pieces: Uint8Array[] = [];
    if (head.filename === null) {
      const isFirst = TEXTS.includes(head.name) && !this.#texts.has(head.name);
      if (isFirst) this.#texts.set(head.name, pieces);
      return (bytes) => {
        this.#textBytes += bytes.length;
        if (this.#textBytes > MAX_TEXT_BYTES) throw bodyTooLarge(MAX_TEXT_BYTES);
        pieces.push(bytes);
      };
    }
    this.#files.push({ head, pieces });
    if (this.#files.length > MAX_FILES) throw bodyTooLarge(MAX_FILES);
    return (bytes) => {
      this.#fileBytes += bytes.length;
      if (this.#fileBytes > MAX_FILE_BYTES) throw bodyTooLarge(MAX_FILE_BYTES);
      if (this.#acceptsFiles) pieces.push(bytes);
    };
  }

  shared(): Shared {
    const texts = TEXTS.flatMap((name) => {
      const pieces = this.#texts.get(name);
      return pieces === undefined ? [] : [[name, Buffer.concat(pieces).toString()] as const];
    });
    const words = Object.fromEntries(texts);
    if (!this.#acceptsFiles) return { ...words, dropped: this.#files.length };
    const files = this.#files.map(({ head, pieces }) => ({
      name: head.filename ?? "",
      type: head.mediaType,
      content: Buffer.concat(pieces).toString("base64"),
    }));
    return { ...words, files };
  }
}

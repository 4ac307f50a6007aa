/**
 * Reads forms with files (RFC 7578) piece by piece, so that only the parts that are kept are in
 * memory.
 */

import { Buffer } from "node:buffer";
import { ServiceError } from "../errors/service_error.ts";
import { bodyTooLarge } from "./request.ts";

const MAX_HEAD_BYTES = 8 * 1024;
const LINE_END = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

export interface PartHead {
  readonly name: string;
  /** Null if the part is not a file. */
  readonly filename: string | null;
  /** Empty if it is not stated. */
  readonly mediaType: string;
}

type Receive = (bytes: Uint8Array) => void;

/** The boundary of a `multipart/form-data` body; null for another media type. */
export function boundaryOf(contentType: string | null): string | null {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i
      .exec(contentType ?? "") ?? [];
  return quoted ?? plain ?? null;
}

/**
 * @param maxBytes Limits the whole body.
 * @param open Called for each part; the bytes of the part go to the function that it returns.
 * @throws ServiceError `PAYLOAD_INVALID` for a malformed or cut body, `HTTP_413` beyond `maxBytes`;
 *   the errors of `open`, and of the functions that it returns.
 */
export async function readMultipart(
  body: ReadableStreamDefaultReader<Uint8Array>,
  boundary: string,
  maxBytes: number,
  open: (head: PartHead) => Receive,
): Promise<void> {
  const input = new Input(body, maxBytes);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  await input.passUntil(delimiter, () => {});
  while (!await input.startsWith("--")) {
    await input.passUntil(LINE_END, () => {});
    const head = await readHead(input);
    await input.passUntil(delimiter, open(head));
  }
}

class Input {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #maxBytes: number;
  #received = 0;
  /** The first delimiter does not need the line end before it. */
  #bytes: Buffer = LINE_END;

  constructor(body: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
    this.#body = body;
    this.#maxBytes = maxBytes;
  }

  /** Passes the bytes before the end on as they arrive, and removes the end. */
  async passUntil(end: Buffer, receive: Receive): Promise<void> {
    while (true) {
      const at = this.#bytes.indexOf(end);
      // The last bytes may be the beginning of the end.
      const passed = at < 0 ? Math.max(0, this.#bytes.length - end.length + 1) : at;
      receive(this.#bytes.subarray(0, passed));
      this.#bytes = this.#bytes.subarray(at < 0 ? passed : at + end.length);
      if (at >= 0) return;
      await this.#readMore();
    }
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.#bytes.length < text.length) await this.#readMore();
    return this.#bytes.toString("latin1", 0, text.length) === text;
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#body.read();
    if (done) throw new ServiceError("PAYLOAD_INVALID");
    this.#received += value.length;
    if (this.#received > this.#maxBytes) throw bodyTooLarge(this.#maxBytes);
    this.#bytes = Buffer.concat([this.#bytes, value]);
  }
}

async function readHead(input: Input): Promise<PartHead> {
  let text = "";
  let size = 0;
  const decoder = new TextDecoder();
  await input.passUntil(HEAD_END, (bytes) => {
    size += bytes.length;
    if (size > MAX_HEAD_BYTES) throw new ServiceError("PAYLOAD_INVALID");
    text += decoder.decode(bytes, { stream: true });
  });
  const headers = new Map(
    text.split("\r\n").map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim().toLowerCase(), value.join(":").trim()];
    }),
  );
  const parameters = new Map(
    (headers.get("content-disposition") ?? "")
      .matchAll(/;\s*([^\s=;"]+)=(?:"([^"]*)"|([^\s;"]*))/g)
      .map(([, name = "", quoted, plain = ""]) => [name.toLowerCase(), quoted ?? plain]),
  );
  const name = parameters.get("name");
  if (name === undefined) throw new ServiceError("PAYLOAD_INVALID");
  const filename = parameters.get("filename");
  return {
    name: unescaped(name),
    filename: filename === undefined ? null : unescaped(filename),
    mediaType: headers.get("content-type") ?? "",
  };
}

/** Browsers escape these three characters alone (HTML, multipart form data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (escape) => decodeURIComponent(escape));
}

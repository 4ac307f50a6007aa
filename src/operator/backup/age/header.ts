/**
 * The header of a file: text with the file's key, encrypted for each recipient.
 *
 *   age-encryption.org/v1
 *   -> X25519 <share>                 a stanza: its type and arguments,
 *   <body in lines of 64 characters>  the last of which is shorter
 *   --- <code>                        HMAC-SHA-256 of everything before the space
 */

import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../../../core/digest.ts";
import { AgeError } from "./age_error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import type { ByteReader } from "./byte_reader.ts";
import { deriveKey } from "./primitives.ts";
import type { Stanza } from "./stanza.ts";

export const VERSION_LINE = "age-encryption.org/v1";

const STANZA_MARK = "->";
const CODE_MARK = "---";
const BODY_COLUMNS = 64;
/** Maximum bytes of a header; enough for forty hybrid recipients, or some hundred others. */
const MAX_BYTES = 64 * 1024;

/** Do not trust anything in it before its code is verified. */
export interface Header {
  readonly stanzas: readonly Stanza[];
  /** The text that the code authenticates. */
  readonly covered: string;
  readonly code: Uint8Array;
}

export function writeHeader(stanzas: readonly Stanza[], fileKey: Uint8Array): Uint8Array {
  const covered = [VERSION_LINE, ...stanzas.flatMap(stanzaLines), CODE_MARK].join("\n");
  return Buffer.from(`${covered} ${encodeBase64(codeOf(covered, fileKey))}\n`);
}

/** True if the header was written with this key and is unchanged. */
export function isHeaderOf({ covered, code }: Header, fileKey: Uint8Array): boolean {
  return constantTimeEqual(codeOf(covered, fileKey), code);
}

/**
 * Reads the header of a file.
 *
 * @throws AgeError if the file does not begin with exactly the form above.
 */
export async function readHeader(reader: ByteReader): Promise<Header> {
  const lines = new Lines(reader);
  if (await lines.next() !== VERSION_LINE) {
    throw new AgeError(`The file is not an age file (${VERSION_LINE})`);
  }
  const stanzas: Stanza[] = [];
  while (true) {
    const line = await lines.next();
    const [mark, ...words] = line.split(" ");
    if (mark === CODE_MARK && stanzas.length > 0) {
      const code = decodeBase64(words.join(" "));
      if (code?.length !== 32) throw malformed();
      return { stanzas, covered: lines.before + CODE_MARK, code };
    }
    if (mark !== STANZA_MARK) throw malformed();
    stanzas.push(await readStanza(words, lines));
  }
}

function stanzaLines({ type, args, body }: Stanza): string[] {
  const text = encodeBase64(body);
  // A body that fills its last line is followed by an empty one.
  const count = Math.floor(text.length / BODY_COLUMNS) + 1;
  const lines = Array.from(
    { length: count },
    (_, index) => text.slice(index * BODY_COLUMNS, (index + 1) * BODY_COLUMNS),
  );
  return [[STANZA_MARK, type, ...args].join(" "), ...lines];
}

async function readStanza(words: readonly string[], lines: Lines): Promise<Stanza> {
  const [type, ...args] = words;
  if (type === undefined || !words.every((word) => /^[\x21-\x7e]+$/.test(word))) throw malformed();
  let [text, line] = ["", ""];
  do {
    line = await lines.next();
    if (line.length > BODY_COLUMNS) throw malformed();
    text += line;
  } while (line.length === BODY_COLUMNS);
  const body = decodeBase64(text);
  if (body === null) throw malformed();
  return { type, args, body };
}

/** The lines of a header, whose total size is limited. */
class Lines {
  readonly #reader: ByteReader;
  readonly #lines: string[] = [];
  #bytesLeft = MAX_BYTES;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** The lines before the last one, with line feeds. */
  get before(): string {
    return this.#lines.slice(0, -1).map((line) => `${line}\n`).join("");
  }

  async next(): Promise<string> {
    const bytes = await this.#reader.readLine(this.#bytesLeft);
    if (bytes === null) throw malformed();
    const line = Buffer.from(bytes).toString("latin1");
    this.#bytesLeft -= line.length + 1;
    this.#lines.push(line);
    return line;
  }
}

function codeOf(covered: string, fileKey: Uint8Array): Uint8Array {
  const key = deriveKey(fileKey, new Uint8Array(), "header");
  return createHmac("sha256", key).update(covered, "latin1").digest();
}

function malformed(): AgeError {
  return new AgeError("The file's header is damaged");
}

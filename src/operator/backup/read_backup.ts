import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { SHA256_HEX } from "../../validate/text.ts";
import { AgeError } from "./age/age_error.ts";
import { decrypt, isEncrypted, MARK_BYTES } from "./age/encrypted_file.ts";
import type { AgeIdentity } from "./age/stanza.ts";
import { isUlid } from "../../core/ids.ts";
import { WAY_OVER } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migration_files.ts";
import { BackupError } from "./backup_error.ts";
import {
  type BackedUpObject,
  type Contents,
  type Head,
  type Manifest,
  manifestLine,
  readHeadLine,
  type TableTally,
  Tally,
} from "./format.ts";
import { BACKED_UP_TABLES, type BackedUpTable } from "./tables.ts";
import { unpack } from "./unpack.ts";

/** Maximum characters of a line, far more than any row needs. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;
const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.version ?? 0;

export type BackupLine =
  | { readonly kind: "head"; readonly head: Head }
  | { readonly kind: "table"; readonly table: BackedUpTable }
  | { readonly kind: "row"; readonly line: string }
  | { readonly kind: "object"; readonly object: BackedUpObject }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "lost"; readonly attachmentId: string }
  | { readonly kind: "manifest"; readonly manifest: Manifest };

/** A backup that was checked completely. No other can be restored. */
export interface CheckedBackup extends Contents {
  readonly path: string;
  /** Null without encryption. */
  readonly identity: AgeIdentity | null;
}

/**
 * Reads a whole backup without using it.
 *
 * @param identity Null for a file that is not encrypted.
 * @throws BackupError if it cannot be read, is damaged, or is of a newer release; the reason of the
 *   signal.
 */
export async function checkBackup(
  path: string,
  identity: AgeIdentity | null = null,
  signal?: AbortSignal,
): Promise<CheckedBackup> {
  let head: Head | null = null;
  for await (const entry of readBackup(path, identity)) {
    signal?.throwIfAborted();
    if (entry.kind === "head") head = entry.head;
    if (entry.kind === "manifest" && head !== null) {
      return { path, identity, head, manifest: entry.manifest };
    }
  }
  throw damaged();
}

/**
 * Reads the entries of a backup. The manifest is the last one, and is returned only if everything
 * before agrees with it.
 *
 * @throws BackupError if the file cannot be read, is damaged, or is of a newer release.
 */
export async function* readBackup(
  path: string,
  identity: AgeIdentity | null,
): AsyncGenerator<BackupLine> {
  const reader = new LineReader();
  try {
    for await (const line of readLines(path, identity)) {
      const entry = reader.read(line);
      // Finds bytes after the end of the compressed stream before the manifest is trusted.
      if (entry.kind !== "manifest") yield entry;
    }
    yield { kind: "manifest", manifest: reader.end() };
  } catch (error) {
    if (error instanceof AgeError) throw new BackupError(error.message);
    // Decoding and parsing report damage as one of these.
    throw error instanceof TypeError || error instanceof SyntaxError ? damaged() : error;
  }
}

class LineReader {
  readonly #tally = new Tally();
  #hasHead = false;
  #table: TableTally | null = null;
  #object: OpenObject | null = null;
  #manifest: Manifest | null = null;

  read(line: string): BackupLine {
    if (this.#manifest !== null) throw damaged();
    if (!this.#hasHead) return this.#readHead(line);
    if (line.startsWith("{")) return this.#readRow(line);
    if (line.startsWith('"')) return this.#readBytes(line);
    this.#object?.end();
    [this.#table, this.#object] = [null, null];
    const [kind, ...parts] = JSON.parse(line);
    if (kind === "table") return this.#readTable(line, parts);
    if (kind === "object") return this.#readObject(line, parts);
    if (kind === "lost") return this.#readLost(line, parts);
    if (kind === "manifest") return this.#readManifest(line, parts);
    throw damaged();
  }

  /** @throws BackupError without a manifest. */
  end(): Manifest {
    if (this.#manifest === null) throw damaged();
    return this.#manifest;
  }

  #readHead(line: string): BackupLine {
    const head = readHeadLine(line);
    if (head === null) throw new BackupError("The file is not a backup that this release can read");
    if (head === "replaced steps") {
      throw new BackupError(
        "The backup has the schema of an earlier revision, which this release cannot restore. " +
          `With that revision, restore it and ${WAY_OVER}`,
      );
    }
    if (!(head.schema <= NEWEST_SCHEMA)) {
      throw new BackupError(
        `The backup has schema version ${Number(head.schema)}, which this release does not know`,
      );
    }
    this.#tally.line(line);
    this.#hasHead = true;
    return { kind: "head", head };
  }

  #readTable(line: string, [name]: readonly unknown[]): BackupLine {
    const table = BACKED_UP_TABLES.find((known) => known.name === name);
    if (table === undefined) {
      throw new BackupError("The backup contains a table that this release does not know");
    }
    this.#tally.line(line);
    this.#table = this.#tally.table(table.name);
    return { kind: "table", table };
  }

  #readRow(line: string): BackupLine {
    if (this.#table === null) throw damaged();
    this.#tally.line(line);
    this.#table.add(line);
    return { kind: "row", line };
  }

  /** Reads the start of an object, whose owner and digest become a path. */
  #readObject(line: string, [owner, sha256, size]: readonly unknown[]): BackupLine {
    const isNamed = typeof owner === "string" && isUlid(owner) &&
      typeof sha256 === "string" && SHA256_HEX.test(sha256);
    if (!isNamed || typeof size !== "number") throw damaged();
    const object = { owner, sha256, size };
    this.#tally.line(line);
    this.#tally.object(object);
    this.#object = new OpenObject(object);
    return { kind: "object", object };
  }

  #readBytes(line: string): BackupLine {
    if (this.#object === null) throw damaged();
    this.#tally.line(line);
    const bytes = Buffer.from(JSON.parse(line), "base64");
    this.#object.add(bytes);
    return { kind: "bytes", bytes };
  }

  #readLost(line: string, [attachmentId]: readonly unknown[]): BackupLine {
    if (typeof attachmentId !== "string" || !isUlid(attachmentId)) throw damaged();
    this.#tally.line(line);
    this.#tally.lost(attachmentId);
    return { kind: "lost", attachmentId };
  }

  #readManifest(line: string, [manifest]: readonly unknown[]): BackupLine {
    if (line !== manifestLine(this.#tally.manifest())) throw damaged();
    this.#manifest = manifest as Manifest;
    return { kind: "manifest", manifest: this.#manifest };
  }
}

class OpenObject {
  readonly #object: BackedUpObject;
  readonly #hash = createHash("sha256");
  #size = 0;

  constructor(object: BackedUpObject) {
    this.#object = object;
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }

  end(): void {
    const { size, sha256 } = this.#object;
    if (this.#size !== size || this.#hash.digest("hex") !== sha256) throw damaged();
  }
}

async function* readLines(path: string, identity: AgeIdentity | null): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for await (const bytes of unpack(await openPacked(path, identity))) {
    const text = decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf("\n");
    // A long line grows by its pieces, without a copy of it for each.
    if (end >= 0) yield* (rest + text.slice(0, end)).split("\n");
    rest = end >= 0 ? text.slice(end + 1) : rest + text;
    if (rest.length > MAX_LINE_CHARACTERS) throw damaged();
  }
  if (rest + decoder.decode() !== "") throw damaged();
}

/** Opens a file, and decrypts it if necessary. */
async function openPacked(
  path: string,
  identity: AgeIdentity | null,
): Promise<AsyncIterable<Uint8Array>> {
  const file = await Deno.open(path).catch(() => {
    throw new BackupError("The file cannot be read");
  });
  try {
    const encrypted = await hasMark(file);
    if (encrypted && identity === null) {
      throw new BackupError("The backup is encrypted: name --passphrase-file or --identity-file");
    }
    // Somebody may have replaced an encrypted file by one of their own.
    if (!encrypted && identity !== null) {
      throw new BackupError("The file is not encrypted: it is not an age file");
    }
  } catch (error) {
    file.close();
    throw error;
  }
  return identity === null ? file.readable : decrypt(file.readable, identity);
}

/** Whether a file begins like encrypted ones. Rewinds it. */
async function hasMark(file: Deno.FsFile): Promise<boolean> {
  const beginning = new Uint8Array(MARK_BYTES);
  await file.read(beginning);
  await file.seek(0, Deno.SeekMode.Start);
  return isEncrypted(beginning);
}

function damaged(): BackupError {
  return new BackupError("The file is damaged or not a backup");
}

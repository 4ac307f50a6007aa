/** Zip archives for tests, with every field at hand. */

import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive; wrong values of its headers replace the right ones. */
export interface ZipFile {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly isStored?: boolean;
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly localName?: string;
  readonly mode?: number;
  /** Fields of the local header, and of the central one unless it has its own. */
  readonly extra?: Uint8Array;
  readonly centralExtra?: Uint8Array;
  /** Numbers of DOS. */
  readonly date?: number;
  readonly time?: number;
  /** The packed bytes, if they are not those of the content. */
  readonly packed?: Uint8Array;
  /** The number of the file whose bytes the directory names instead. */
  readonly sharedWith?: number;
}

/** The bytes of an archive. */
export function zip(
  files: readonly ZipFile[],
  end: Partial<Record<"disk" | "count", number>> = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const file of files) {
    const content = Buffer.from(file.content ?? "");
    const name = Buffer.from(file.name);
    const localName = Buffer.from(file.localName ?? name);
    const packed = Buffer.from(file.packed ?? (file.isStored ? content : deflateRawSync(content)));
    const common = commonHeader(file, { content, packed, localName });
    const offset = file.sharedWith === undefined ? at : offsets[file.sharedWith] ?? 0;
    offsets.push(offset);
    if (file.sharedWith === undefined) {
      const extra = Buffer.from(file.extra ?? []);
      const magic = Buffer.from("PK\x03\x04");
      const local = Buffer.concat([magic, common, localName, extra, packed]);
      parts.push(local);
      at += local.length;
    }
    directory.push(centralHeader(file, { common, name, offset }));
  }
  const listed = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write("PK\x05\x06");
  last.writeUInt16LE(end.disk ?? 0, 4);
  last.writeUInt16LE(end.count ?? files.length, 8);
  last.writeUInt16LE(end.count ?? files.length, 10);
  last.writeUInt32LE(listed.length, 12);
  last.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...parts, listed, last]));
}

/** The fields that the local and the central header have in common. */
function commonHeader(
  file: ZipFile,
  { content, packed, localName }: Readonly<Record<"content" | "packed" | "localName", Buffer>>,
): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(file.flags ?? 0x800, 2);
  header.writeUInt16LE(file.method ?? (file.isStored ? 0 : 8), 4);
  header.writeUInt16LE(file.time ?? 0, 6);
  header.writeUInt16LE(file.date ?? 0, 8);
  header.writeUInt32LE(file.crc ?? crc32(content), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(file.size ?? content.length, 18);
  header.writeUInt16LE(localName.length, 22);
  header.writeUInt16LE(file.extra?.length ?? 0, 24);
  return header;
}

function centralHeader(
  { mode, extra, centralExtra = extra }: ZipFile,
  { common, name, offset }: { common: Buffer; name: Buffer; offset: number },
): Buffer {
  const header = Buffer.alloc(46);
  header.write("PK\x01\x02");
  header.writeUInt16LE(mode === undefined ? 20 : 3 << 8 | 20, 4);
  common.copy(header, 6);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(centralExtra?.length ?? 0, 30);
  header.writeUInt32LE(((mode ?? 0) << 16) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name, Buffer.from(centralExtra ?? [])]);
}

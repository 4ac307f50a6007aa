/** Tar archives for tests, with the fields that readers look at. */

import { Buffer } from "node:buffer";

const BLOCK = 512;

export interface TarFile {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** Octal digits of the seconds since 1970. */
  readonly modified?: string;
  /** A file by default. */
  readonly type?: string;
  /** Records of an extended header. */
  readonly pax?: Readonly<Record<string, string>>;
}

/** The bytes of an archive, with the blocks of zeros at its end. */
export function tar(files: readonly TarFile[]): Uint8Array<ArrayBuffer> {
  const parts = files.flatMap(({ pax, ...file }) =>
    pax === undefined ? [entry(file)] : [
      entry({
        name: "pax",
        type: "x",
        content: Buffer.concat(Object.entries(pax).map(record)),
      }),
      entry(file),
    ]
  );
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

function entry({ name, content = "", modified = "0", type = "0" }: TarFile): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  Buffer.from(name).copy(header);
  header.write(bytes.length.toString(8).padStart(11, "0"), 124);
  header.write(modified, 136, "latin1");
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - bytes.length % BLOCK) % BLOCK);
  return Buffer.concat([header, bytes, padding]);
}

/** A record begins with its own length in bytes. */
function record([name, value]: [string, string]): Buffer {
  const rest = Buffer.byteLength(` ${name}=${value}\n`);
  const length = rest + String(rest + String(rest).length).length;
  return Buffer.from(`${length} ${name}=${value}\n`);
}

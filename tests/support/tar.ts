/** A strict POSIX reader of tar archives. */

import { assert, assertEquals } from "@std/assert";

const BLOCK = 512;

export interface TarEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly modified: Date;
}

/** Fails the test on an invalid format. */
export function readTar(archive: Uint8Array): TarEntry[] {
  assertEquals(archive.length % BLOCK, 0);
  const entries: TarEntry[] = [];
  let [offset, path]: [number, string | null] = [0, null];
  while (true) {
    const block = archive.subarray(offset, offset + BLOCK);
    offset += BLOCK;
    if (block.every((byte) => byte === 0)) break;
    const header = readHeader(block);
    const bytes = archive.subarray(offset, offset + header.size);
    assertEquals(bytes.length, header.size);
    const end = offset + Math.ceil(header.size / BLOCK) * BLOCK;
    assert(archive.subarray(offset + header.size, end).every((byte) => byte === 0), "padding");
    offset = end;
    if (header.kind === "x") {
      path = readPath(bytes);
      continue;
    }
    assertEquals(header.kind, "0");
    const { mode, modified } = header;
    entries.push({ path: path ?? header.name, bytes, mode, modified });
    path = null;
  }
  assert(archive.subarray(offset).every((byte) => byte === 0), "nothing behind the end");
  assert(archive.length - offset >= BLOCK, "two blocks end an archive");
  return entries;
}

function readHeader(block: Uint8Array) {
  const ascii = (from: number, length: number) => {
    const field = String.fromCharCode(...block.subarray(from, from + length));
    assert(/^[ -~]*\0*$/.test(field), `ASCII, then zeros: ${JSON.stringify(field)}`);
    return field.replace(/\0+$/, "");
  };
  const octal = (from: number, length: number) => {
    const digits = ascii(from, length).trimEnd();
    assert(/^[0-7]+$/.test(digits), digits);
    return parseInt(digits, 8);
  };
  const blank = block.map((byte, index) => index >= 148 && index < 156 ? 32 : byte);
  assertEquals(octal(148, 6), blank.reduce((sum, byte) => sum + byte, 0), "checksum");
  assertEquals(String.fromCharCode(...block.subarray(257, 265)), "ustar\x0000");
  assertEquals(ascii(345, 155), "");
  return {
    name: ascii(0, 100),
    mode: octal(100, 8),
    size: octal(124, 12),
    modified: new Date(octal(136, 12) * 1000),
    kind: String.fromCharCode(block[156] ?? 0),
  };
}

/** Reads a pax header with one record. */
function readPath(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const [, length, path] = /^(\d+) path=([^\n]*)\n$/.exec(text) ?? [];
  assertEquals(Number(length), bytes.length);
  assert(path !== undefined);
  return path;
}

/** Whether `tar` is installed. */
export const HAS_TAR = await new Deno.Command("tar", { args: ["--version"], stdout: "null" })
  .output().then(({ success }) => success, () => false);

/** Files by path. */
export async function extractWithTar(archive: Uint8Array): Promise<Map<string, Uint8Array>> {
  const folder = await Deno.makeTempDir({ prefix: "prs-tar-" });
  try {
    await Deno.writeFile(`${folder}/archive.tar`, archive);
    await Deno.mkdir(`${folder}/out`);
    const { success, stderr } = await new Deno.Command("tar", {
      args: ["--extract", "--file", `${folder}/archive.tar`, "--directory", `${folder}/out`],
      env: { LC_ALL: "C.UTF-8" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    assertEquals(new TextDecoder().decode(stderr), "", "a warning");
    const found = new Map<string, Uint8Array>();
    await readFolder(`${folder}/out`, "", found);
    return found;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readFolder(root: string, below: string, found: Map<string, Uint8Array>) {
  for await (const entry of Deno.readDir(`${root}/${below}`)) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    assert(!entry.isSymlink, path);
    if (entry.isDirectory) await readFolder(root, path, found);
    else found.set(path, await Deno.readFile(`${root}/${path}`));
  }
}

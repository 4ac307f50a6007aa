/** Archives from strangers are read or refused. */

import { assertEquals, assertRejects } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { Archive, countUnpacked, type Entry } from "../../../src/imports/archive/archive.ts";
import { FileSource } from "../../../src/imports/archive/file_source.ts";
import { readTar } from "../../../src/imports/archive/tar.ts";
import { readZip } from "../../../src/imports/archive/zip.ts";
import { joinParts } from "../../../src/imports/open_file.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { zip, type ZipFile } from "../../support/zip.ts";

async function withFile<T>(bytes: Uint8Array, use: (source: FileSource) => Promise<T>): Promise<T> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, bytes);
    using source = await FileSource.open(path);
    return await use(source);
  } finally {
    await Deno.remove(path);
  }
}

/** The names and texts of an archive, or the rule and place that refuse it. */
function read(bytes: Uint8Array): Promise<unknown> {
  return withFile(bytes, async (source) => {
    try {
      const archive = await readZip(source);
      await archive.check(countUnpacked(source.size));
      const texts: [string, string][] = [];
      for (const entry of archive.entries) {
        texts.push([entry.name, new TextDecoder().decode(await archive.readWhole(entry))]);
      }
      return texts;
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      return [error.rule, error.place];
    }
  });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

const GOOD = { name: "good.txt", content: "good" };
const BIG = "0123456789".repeat(60_000);

Deno.test("Zip archive gives its files, stored and deflated, small and large, without its links", async () => {
  const files: ZipFile[] = [
    GOOD,
    { name: "über/日.md", content: "☀", isStored: true },
    { name: "folder/", isStored: true },
    { name: "big.txt", content: BIG },
    { name: "a\\b.txt", content: "" },
    { name: "./c.txt", content: "c" },
    { name: "link", content: "good.txt", mode: 0o120777 },
  ];
  assertEquals(await read(zip(files)), [
    ["good.txt", "good"],
    ["über/日.md", "☀"],
    ["big.txt", BIG],
    ["a/b.txt", ""],
    ["c.txt", "c"],
  ]);
});

const REFUSED: Readonly<Record<string, readonly [bytes: Uint8Array, rule: string, place: number]>> =
  {
    "no end": [zip([GOOD]).slice(0, -1), "zip.end", 0],
    "a wrong count": [zip([GOOD], { count: 2 }), "zip.end", 0],
    "another disk": [zip([GOOD], { disk: 1 }), "zip.split", 0],
    "a parent": [zip([GOOD, { name: "../x" }]), "zip.name", 2],
    "a hidden parent": [zip([{ name: "a\\..\\..\\x" }]), "zip.name", 1],
    "an absolute name": [zip([{ name: "/etc/passwd" }]), "zip.name", 1],
    "a drive": [zip([{ name: "C:/x" }]), "zip.name", 1],
    "a NUL": [zip([{ name: "a\0.md" }]), "zip.name", 1],
    "a control character": [zip([{ name: "a\n.md" }]), "zip.name", 1],
    "an empty name": [zip([{ name: "" }]), "zip.name", 1],
    "a long name": [zip([{ name: "x".repeat(1025) }]), "zip.name", 1],
    "another local name": [zip([{ ...GOOD, localName: "evil.txt" }]), "zip.name", 1],
    "a name twice": [zip([GOOD, GOOD]), "zip.duplicate", 2],
    "a folder that is a file": [zip([GOOD, { name: "good.txt/" }]), "zip.duplicate", 2],
    "shared bytes": [zip([GOOD, { ...GOOD, name: "good.txt", sharedWith: 0 }]), "zip.duplicate", 2],
    "encryption": [zip([{ ...GOOD, flags: 1 }]), "zip.encrypted", 1],
    "an unknown method": [zip([{ ...GOOD, method: 14 }]), "zip.method", 1],
    "more than it says": [zip([{ ...GOOD, size: 3 }]), "zip.size", 1],
    "less than it says": [zip([{ ...GOOD, size: 5 }]), "zip.size", 1],
    "more of a large one": [
      zip([{ name: "b", content: BIG, size: BIG.length - 1 }]),
      "zip.size",
      1,
    ],
    "a wrong checksum": [zip([GOOD, { ...GOOD, name: "b", crc: 1 }]), "zip.crc", 2],
    "broken deflate": [zip([{ ...GOOD, packed: new Uint8Array([7, 7, 7]) }]), "zip.crc", 1],
    "cut deflate": [
      zip([{ name: "b", content: BIG, packed: deflateRawSync(BIG).subarray(0, 50) }]),
      "zip.crc",
      1,
    ],
    "bytes after the stream": [
      zip([{ ...GOOD, packed: new Uint8Array([...deflateRawSync("good"), 1, 2]) }]),
      "zip.crc",
      1,
    ],
  };

for (const [what, [bytes, rule, place]] of Object.entries(REFUSED)) {
  Deno.test(`Zip archive with ${what} is refused`, async () => {
    assertEquals(await read(bytes), [rule, place]);
  });
}

Deno.test("Zip archive whose entries share bytes is refused", async () => {
  const inner = zip([{ name: "x", content: "y" }]).slice(0, 60);
  const bytes = zip([{ name: "outer", content: inner, isStored: true }, GOOD]);
  const at = bytes.length - 22 - 46 - GOOD.name.length;
  // The second entry of the directory names a place within the first.
  new DataView(bytes.buffer).setUint32(at + 42, 10, true);
  assertEquals(await read(bytes), ["zip.end", 2]);
});

/** The end of an archive with a zip64 directory of `count` entries of zeros. */
function wideDirectory(count: number): Uint8Array {
  const size = count * 46;
  const bytes = new Uint8Array(size + 56 + 20 + 22);
  const view = new DataView(bytes.buffer);
  view.setUint32(size, 0x06064b50, true);
  view.setBigUint64(size + 24, BigInt(count), true);
  view.setBigUint64(size + 32, BigInt(count), true);
  view.setBigUint64(size + 40, BigInt(size), true);
  view.setUint32(size + 56, 0x07064b50, true);
  view.setBigUint64(size + 56 + 8, BigInt(size), true);
  view.setUint32(size + 56 + 16, 1, true);
  view.setUint32(size + 76, 0x06054b50, true);
  return bytes;
}

Deno.test("Zip archive with more than 100,000 entries is refused before they are read", async () => {
  assertEquals(await read(wideDirectory(100_001)), ["zip.entries", 100_001]);
  // The hundred thousand zeros are not entries.
  assertEquals(await read(wideDirectory(100_000)), ["zip.end", 1]);
});

Deno.test("Archive has 500 parts and 100,000 entries at most, with those of its parts", async () => {
  const archiveOf = (count: number, name: (index: number) => string) =>
    new Archive(
      Array.from({ length: count }, (_, index): Entry => {
        return { place: index + 1, name: name(index), size: 0, modified: null, bytes: noBytes };
      }),
      0,
    );
  let opened = 0;
  const joined = (parts: number, each: number) =>
    joinParts(archiveOf(parts, (index) => `Part-${index}.zip`), (_, part) => {
      opened++;
      return Promise.resolve(archiveOf(each, (index) => `${part}/${index}.md`));
    });
  assertEquals((await joined(2, 50_000)).entries.length, 100_000);
  await assertRejects(() => joined(2, 50_001), FileRefusal, "zip.entries");
  opened = 0;
  await assertRejects(() => joined(501, 0), FileRefusal, "zip.entries");
  assertEquals(opened, 500);
});

Deno.test("Zip bomb is refused at the first byte that is too many", async () => {
  const zeros = new Uint8Array(70 * 1024 * 1024);
  assertEquals(await read(zip([{ name: "zeros", content: zeros }])), ["zip.ratio", 1]);
  // It states four bytes, and has seventy million.
  const lying = { name: "zeros", packed: deflateRawSync(zeros), size: 4 };
  assertEquals(await read(zip([lying])), ["zip.size", 1]);
});

Deno.test("Tar archive gives its files, without links, and is refused for a wrong header", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/a`);
    await Deno.writeTextFile(`${folder}/a/ä.md`, "text");
    await Deno.symlink("a/ä.md", `${folder}/link`);
    const { stdout, success } = await new Deno.Command("tar", {
      args: ["--sort=name", "-cf", "-", "a", "link"],
      cwd: folder,
    }).output();
    assertEquals(success, true);
    const names = (bytes: Uint8Array) =>
      withFile(bytes, async (source) => {
        try {
          const { entries, links } = await readTar(source);
          return [entries.map(({ name, size }) => [name, size]), links];
        } catch (error) {
          if (!(error instanceof FileRefusal)) throw error;
          return [error.rule, error.place];
        }
      });
    assertEquals(await names(stdout), [[["a/ä.md", 4]], 1]);
    const broken = stdout.slice();
    broken[0] = 0x62;
    assertEquals(await names(broken), ["tar.header", 1]);
    assertEquals(await names(stdout.slice(0, 700)), ["tar.header", 2]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

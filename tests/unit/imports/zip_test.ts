/** Archives from strangers: their damaged entries are refused alone, or they are refused whole. */

import { assertEquals } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { countUnpacked } from "../../../src/imports/archive/archive.ts";
import { readTar } from "../../../src/imports/archive/tar.ts";
import { readZip } from "../../../src/imports/archive/zip.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { withSource } from "../../support/sources.ts";
import { zip, type ZipFile } from "../../support/zip.ts";

/** The names and texts of an archive, and its faults; or the rule, place and entry of a refusal. */
function read(bytes: Uint8Array): Promise<unknown> {
  return withSource(bytes, async (source) => {
    try {
      const archive = await readZip(source);
      await archive.check(countUnpacked(source.size));
      const texts: [string, string][] = [];
      for (const entry of archive.entries) {
        texts.push([entry.name, new TextDecoder().decode(await archive.readWhole(entry))]);
      }
      const faults = archive.faults.map(({ rule, place, shownName }) => [rule, place, shownName]);
      return { texts, faults };
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      return [error.rule, error.place, error.entry];
    }
  });
}

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
  assertEquals(await read(zip(files)), {
    texts: [
      ["good.txt", "good"],
      ["über/日.md", "☀"],
      ["big.txt", BIG],
      ["a/b.txt", ""],
      ["c.txt", "c"],
    ],
    faults: [],
  });
});

const LONG = "x".repeat(1025);
/** A zip64 field that lacks the size it should have. */
const SHORT_64 = new Uint8Array([1, 0, 4, 0, 0, 0, 0, 0]);

const FAULTS: Readonly<Record<string, readonly [file: ZipFile, rule: string, shown?: string]>> = {
  "a parent": [{ name: "../x" }, "zip.name"],
  "a hidden parent": [{ name: "a\\..\\..\\x" }, "zip.name", "a/../../x"],
  "an absolute name": [{ name: "/etc/passwd" }, "zip.name"],
  "a drive": [{ name: "C:/x" }, "zip.name"],
  "a NUL": [{ name: "a\0.md" }, "zip.name"],
  "a control character": [{ name: "a\n.md" }, "zip.name"],
  "an empty name": [{ name: "" }, "zip.name"],
  "a name of a dot": [{ name: "." }, "zip.name"],
  "a long name": [{ name: LONG }, "zip.name", LONG.slice(1)],
  "another local name": [{ name: "a", localName: "evil.txt" }, "zip.name"],
  "a name twice": [GOOD, "zip.duplicate"],
  "encryption": [{ name: "a", flags: 1 }, "zip.encrypted"],
  "an unknown method": [{ name: "a", method: 14 }, "zip.method"],
  "a packed size that is not that of a stored file": [
    { name: "a", content: "four", isStored: true, size: 3 },
    "zip.size",
  ],
  "no size": [{ name: "a", size: 0xffffffff, extra: SHORT_64 }, "zip.size"],
  "more than it says": [{ ...GOOD, name: "a", size: 3 }, "zip.size"],
  "less than it says": [{ ...GOOD, name: "a", size: 5 }, "zip.size"],
  "more of a large one": [{ name: "b", content: BIG, size: BIG.length - 1 }, "zip.size"],
  "a wrong checksum": [{ ...GOOD, name: "b", crc: 1 }, "zip.crc"],
  "broken deflate": [{ name: "b", packed: new Uint8Array([7, 7, 7]) }, "zip.crc"],
  "cut deflate": [
    { name: "b", content: BIG, packed: deflateRawSync(BIG).subarray(0, 50) },
    "zip.crc",
  ],
  "bytes after the stream": [
    { ...GOOD, name: "b", packed: new Uint8Array([...deflateRawSync("good"), 1, 2]) },
    "zip.crc",
  ],
};

for (const [what, [file, rule, shown = String(file.name)]] of Object.entries(FAULTS)) {
  Deno.test(`Entry with ${what} is refused alone`, async () => {
    const last = { name: "last.txt", content: "last" };
    assertEquals(await read(zip([GOOD, file, last])), {
      texts: [["good.txt", "good"], ["last.txt", "last"]],
      faults: [[rule, 2, shown]],
    });
  });
}

const REFUSED: Readonly<
  Record<string, readonly [bytes: Uint8Array, rule: string, place: number, entry: string | null]>
> = {
  "no end": [zip([GOOD]).slice(0, -1), "zip.end", 0, null],
  "a wrong count": [zip([GOOD], { count: 2 }), "zip.end", 0, null],
  "another disk": [zip([GOOD], { disk: 1 }), "zip.split", 0, null],
  "shared bytes": [zip([GOOD, { ...GOOD, sharedWith: 0 }]), "zip.overlap", 1, "good.txt"],
  "shared bytes of a name that is only shown": [
    zip([{ name: `a\n${LONG}` }, { name: "b", sharedWith: 0 }]),
    "zip.overlap",
    1,
    `a ${LONG.slice(3)}`,
  ],
  "bytes that an encrypted entry shares": [
    zip([{ ...GOOD, flags: 1 }, { ...GOOD, flags: 1, sharedWith: 0 }]),
    "zip.overlap",
    1,
    "good.txt",
  ],
};

for (const [what, [bytes, ...refusal]] of Object.entries(REFUSED)) {
  Deno.test(`Zip archive with ${what} is refused`, async () => {
    assertEquals(await read(bytes), refusal);
  });
}

Deno.test("Folders bring no items, and are passed over", async () => {
  const files = [{ name: "a/" }, { name: "a/" }, { name: "./" }, { name: "a/b", content: "b" }];
  assertEquals(await read(zip(files)), { texts: [["a/b", "b"]], faults: [] });
});

Deno.test("Zip archive whose entries share bytes is refused", async () => {
  const inner = zip([{ name: "x", content: "y" }]).slice(0, 60);
  const bytes = zip([{ name: "outer", content: inner, isStored: true }, GOOD]);
  const at = bytes.length - 22 - 46 - GOOD.name.length;
  // The second entry of the directory names a place within the first.
  new DataView(bytes.buffer).setUint32(at + 42, 10, true);
  assertEquals(await read(bytes), ["zip.end", 2, "good.txt"]);
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
  assertEquals(await read(wideDirectory(100_001)), ["zip.entries", 100_001, null]);
  // The hundred thousand zeros are not entries.
  assertEquals(await read(wideDirectory(100_000)), ["zip.end", 1, null]);
});

Deno.test("Zip bomb is refused at the first byte that is too many", async () => {
  const zeros = new Uint8Array(70 * 1024 * 1024);
  assertEquals(await read(zip([{ name: "zeros", content: zeros }])), ["zip.ratio", 1, "zeros"]);
  // It states four bytes, and has seventy million.
  const lying = { name: "zeros", packed: deflateRawSync(zeros), size: 4 };
  assertEquals(await read(zip([lying])), { texts: [], faults: [["zip.size", 1, "zeros"]] });
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
      withSource(bytes, async (source) => {
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

Deno.test("Top is the only folder that is not hidden, and paths are found below it", async () => {
  const topOf = (...names: string[]) =>
    withSource(zip(names.map((name) => ({ name }))), async (source) => {
      const archive = await readZip(source);
      return [archive.top, archive.find("a.md")?.name];
    });
  assertEquals(await topOf("My/a.md", "My/b/a.md", "__MACOSX/a.md", ".x"), ["My/", "My/a.md"]);
  assertEquals(await topOf("My/a.md", "../b.md"), ["My/", "My/a.md"]);
  assertEquals(await topOf("My/a.md", "b.md"), ["", undefined]);
  assertEquals(await topOf("My/a.md", "Our/b.md"), ["", undefined]);
  assertEquals(await topOf("a.md/a.md", "a.md/b.md"), ["a.md/", "a.md/a.md"]);
  assertEquals(await topOf(".obsidian/a.md"), ["", undefined]);
});

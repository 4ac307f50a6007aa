/** Archives inside an archive: parts of it, or files. */

import { assertEquals, assertRejects } from "@std/assert";
import { Archive, countUnpacked, type Entry } from "../../../src/imports/archive/archive.ts";
import { readZip } from "../../../src/imports/archive/zip.ts";
import { joinParts } from "../../../src/imports/parts.ts";
import { ReadingBudget } from "../../../src/imports/reading_budget.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { withSource } from "../../support/sources.ts";
import { zip, type ZipFile } from "../../support/zip.ts";

const text = (name: string, content = name): ZipFile => ({ name, content });
const part = (name: string, ...files: readonly ZipFile[]): ZipFile => ({
  name,
  content: zip(files),
});

/** Joins the parts of an archive, whose files stay open until it has been read. */
function joined(...files: readonly ZipFile[]) {
  return withSource(zip(files), async (source) => {
    const discarded: string[] = [];
    const opened = new Map<Entry, Promise<unknown>>();
    const release = Promise.withResolvers<void>();
    try {
      const archive = await joinParts(
        await readZip(source),
        source.budget,
        countUnpacked(source.size),
        async (entry) => {
          const bytes = new Uint8Array(entry.size);
          let at = 0;
          for await (const chunk of entry.bytes()) {
            bytes.set(chunk, at);
            at += chunk.length;
          }
          return {
            read: () => {
              const { promise, resolve, reject } = Promise.withResolvers<Archive>();
              const open = withSource(bytes, async (inner) => {
                await readZip(inner).then(resolve, reject);
                await release.promise;
              });
              opened.set(entry, open);
              return promise;
            },
            discard: () => {
              discarded.push(entry.name);
              return Promise.resolve();
            },
          };
        },
      );
      await archive.check(countUnpacked(source.size));
      const { entries, faults, repeated } = archive;
      return {
        names: entries.map(({ place, name, shownName }) => [place, name, shownName]),
        faults: faults.map(({ place, rule, shownName }) => [place, rule, shownName]),
        repeated,
        discarded,
      };
    } finally {
      release.resolve();
      await Promise.all(opened.values());
    }
  });
}

Deno.test("Zip at the top with a note is a part, and any other zip a file", async () => {
  const read = await joined(
    part("Export.zip", text("A.md"), text("a.png")),
    part("old.zip", text("a.txt"), text("__MACOSX/._a.md")),
    part("folder/B.zip", text("B.md")),
    text("no.zip", "no archive"),
    part("C.zip", text("C.MARKDOWN")),
  );
  assertEquals(read.names, [
    [2, "old.zip", "old.zip"],
    [3, "folder/B.zip", "folder/B.zip"],
    [4, "no.zip", "no.zip"],
    [6, "A.md", "Export.zip/A.md"],
    [7, "a.png", "Export.zip/a.png"],
    [8, "C.MARKDOWN", "C.zip/C.MARKDOWN"],
  ]);
  assertEquals(read.discarded, ["old.zip", "no.zip"]);
});

Deno.test("A sole folder is the top; Part-n and bundles are parts in any folder", async () => {
  const read = await joined(
    part("My/X.zip", text("X.md")),
    part("My/sub/E-Part-12.zip", text("p.txt")),
    part("My/sub/Trip.textpack", text("text.md"), text("assets/x.png")),
    part("__MACOSX/My/E-Part-1.zip", text("q.md")),
  );
  assertEquals(read.names.map(([, name, shownName]) => [name, shownName]), [
    ["__MACOSX/My/E-Part-1.zip", "__MACOSX/My/E-Part-1.zip"],
    ["X.md", "My/X.zip/X.md"],
    ["p.txt", "My/sub/E-Part-12.zip/p.txt"],
    ["My/sub/Trip.textpack/text.md", "My/sub/Trip.textpack/text.md"],
    ["My/sub/Trip.textpack/assets/x.png", "My/sub/Trip.textpack/assets/x.png"],
  ]);
});

Deno.test("Name that an earlier part has is a repeated file, or gets its part's folder", async () => {
  const read = await joined(
    text("index.html", "top"),
    part("E-Part-1.zip", text("index.html", "one"), text("A.md", "same"), text(".hidden", "x")),
    part("E-Part-2.zip", text("A.md", "same"), text("index.html", "top"), text(".hidden", "x")),
    part("E-Part-3.zip", text("A.md", "else"), { ...text("index.html", "top"), crc: 1 }),
  );
  assertEquals(read.names.map(([, name, shownName]) => [name, shownName]), [
    ["index.html", "index.html"],
    ["E-Part-1/index.html", "E-Part-1.zip/index.html"],
    ["A.md", "E-Part-1.zip/A.md"],
    [".hidden", "E-Part-1.zip/.hidden"],
    ["E-Part-2/.hidden", "E-Part-2.zip/.hidden"],
    ["E-Part-3/A.md", "E-Part-3.zip/A.md"],
  ]);
  assertEquals(read.repeated, 2);
  assertEquals(read.faults, [[12, "zip.crc", "E-Part-3.zip/index.html"]]);
});

Deno.test("Part in a part is refused alone, and so are its damaged entries", async () => {
  const read = await joined(
    part(
      "E-Part-1.zip",
      text("A.md"),
      part("E-Part-2.zip", text("B.md")),
      part("notes.zip", text("C.md")),
      part("files.zip", text("c.txt")),
      part("D.textpack", text("text.md")),
      { ...text("F.md"), flags: 1 },
    ),
    { ...part("G-Part-3.zip", text("G.md")), crc: 1 },
    text("last.md"),
  );
  assertEquals(read.names, [
    [3, "last.md", "last.md"],
    [4, "A.md", "E-Part-1.zip/A.md"],
    [7, "files.zip", "E-Part-1.zip/files.zip"],
  ]);
  assertEquals(read.faults, [
    [2, "zip.crc", "G-Part-3.zip"],
    [5, "zip.nested", "E-Part-1.zip/E-Part-2.zip"],
    [6, "zip.nested", "E-Part-1.zip/notes.zip"],
    [8, "zip.nested", "E-Part-1.zip/D.textpack"],
    [9, "zip.encrypted", "E-Part-1.zip/F.md"],
  ]);
  assertEquals(read.discarded, ["notes.zip", "files.zip"]);
});

Deno.test("Part without a directory refuses the file, by its name", async () => {
  const whole = () => joined(text("A.md"), text("E-Part-1.zip", "cut"));
  const { rule, place, entry } = await assertRejects(whole, FileRefusal);
  assertEquals([rule, place, entry], ["zip.end", 2, "E-Part-1.zip"]);
});

async function* noBytes(): AsyncGenerator<Uint8Array> {}

Deno.test("Archive has 500 parts and 100,000 entries at most, with those of its parts", async () => {
  const archiveOf = (count: number, nameOf: (index: number) => string) =>
    new Archive(
      Array.from({ length: count }, (_, index): Entry => {
        const name = nameOf(index);
        const place = index + 1;
        return { place, name, shownName: name, size: 0, modified: null, bytes: noBytes };
      }),
      0,
    );
  const join = (parts: number, each: number) =>
    joinParts(
      archiveOf(parts, (index) => `Part-${index}.zip`),
      new ReadingBudget({ fileBytes: 0, heldBytes: Infinity }),
      countUnpacked(0),
      ({ place }) =>
        Promise.resolve({
          read: () => Promise.resolve(archiveOf(each, (index) => `${place}/${index}.md`)),
          discard: () => Promise.resolve(),
        }),
    );
  assertEquals((await join(2, 50_000)).entries.length, 100_000);
  await assertRejects(() => join(2, 50_001), FileRefusal, "zip.entries");
  assertEquals((await join(500, 0)).entries.length, 0);
  await assertRejects(() => join(501, 0), FileRefusal, "zip.entries");
});

import { assert, assertEquals } from "@std/assert";
import { TAR_END, tarHeader, tarPadding } from "../../../src/portability/markdown/tar.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { extractWithTar, HAS_TAR, readTar } from "../../support/tar.ts";

type TarFile = Parameters<typeof tarHeader>[0];

/** Paths and sizes around every limit. */
function randomFiles(random: Random): { file: TarFile; bytes: Uint8Array }[] {
  const lengths = [1, 50, 97, 98, 99, 100, 101, 102, 150, 200, 254, 255];
  return lengths.flatMap((length) =>
    ["x", "é", "漢", "🪜"].map((character, index) => {
      // Its number makes it unique.
      const count = Math.max(
        1,
        Math.floor((length - 8) / new TextEncoder().encode(character).length),
      );
      const path = `folder ${index}/${length} ${character.repeat(count)}`;
      const bytes = new Uint8Array(random.pick([0, 1, 511, 512, 513, 5_000])).fill(length);
      const modified = new Date(random.integer(0, 1_700_000_000) * 1000);
      return { file: { path, size: bytes.length, modified }, bytes };
    })
  );
}

function archiveOf(files: readonly { file: TarFile; bytes: Uint8Array }[]): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(text);
  const parts = files.flatMap(({ file, bytes }) => [
    encode(tarHeader(file)),
    bytes,
    encode(tarPadding(file.size)),
  ]);
  return new Uint8Array([...parts, encode(TAR_END)].flatMap((part) => [...part]));
}

Deno.test("Tar archive is read by a strict reader and by tar", async () => {
  const files = randomFiles(seededRandom(1));
  const archive = archiveOf(files);
  const read = readTar(archive);
  assertEquals(
    read,
    files.map(({ file: { path, modified }, bytes }) => ({ path, bytes, mode: 0o600, modified })),
  );
  if (!HAS_TAR) return;
  const extracted = await extractWithTar(archive);
  assertEquals(extracted.size, files.length);
  for (const { file: { path }, bytes } of files) assertEquals(extracted.get(path), bytes, path);
});

Deno.test("Tar header limits times to its field's range", () => {
  const header = (modified: string) => {
    const text = tarHeader({ path: "a", size: 0, modified: new Date(modified) });
    return readTar(new TextEncoder().encode(text + TAR_END))[0]?.modified.toISOString();
  };
  assertEquals(header("9999-12-31T23:59:59.999Z"), "2242-03-16T12:56:31.000Z");
  assertEquals(header("0001-01-01T00:00:00.000Z"), "1970-01-01T00:00:00.000Z");
  assertEquals(header("2026-11-20T12:00:00.999Z"), "2026-11-20T12:00:00.000Z");
});

Deno.test("Pax record counts its own digits", () => {
  for (let length = 1; length < 1_100; length++) {
    const path = `é${"x".repeat(length)}`;
    const text = tarHeader({ path, size: 0, modified: new Date(0) });
    assertEquals(readTar(new TextEncoder().encode(text + TAR_END))[0]?.path, path);
  }
  assert(tarPadding(512) === "" && tarPadding(1).length === 511);
});

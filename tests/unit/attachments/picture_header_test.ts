import { assert, assertEquals } from "@std/assert";
import { readPictureHeader } from "../../../src/attachments/picture_header.ts";
import { describeThumbnail } from "../../../src/attachments/thumbnail.ts";
import { jpeg, png, webp } from "../../support/picture_headers.ts";
import { seededRandom } from "../../support/random.ts";

const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
};

interface Picture {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The beginnings of pictures that ImageMagick, cwebp, img2webp, webpmux, cjpeg and jpegtran made.
 * Each is named after its kind, and its sides as `identify` showed them. The JPEGs "exif" hold
 * another JPEG; "segments" have several segments of applications, with bytes that look like frames.
 */
async function pictures(): Promise<Picture[]> {
  const lines = await Deno.readTextFile(`${import.meta.dirname}/picture_headers.txt`);
  return lines.trimEnd().split("\n").map((line) => {
    const [name = "", base64 = ""] = line.split(" ");
    return { name, bytes: Uint8Array.fromBase64(base64) };
  });
}

Deno.test("Type and sides of pictures are as other tools read them", async () => {
  const all = await pictures();
  assert(all.length >= 60);
  for (const { name, bytes } of all) {
    const [, width, height, end = ""] = /_(\d+)x(\d+)\.(\w+)$/.exec(name) ?? [];
    const expected = { mediaType: TYPES[end], width: Number(width), height: Number(height) };
    assertEquals<unknown>(readPictureHeader(bytes), expected, name);
    assertEquals(describeThumbnail(bytes) === null, Number(width) > 512, name);
  }
});

Deno.test("A picture that is cut anywhere is refused, or reads the same", async () => {
  for (const { name, bytes } of await pictures()) {
    const whole = readPictureHeader(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const cut = readPictureHeader(bytes.subarray(0, length));
      if (cut !== null) assertEquals(cut, whole, `${name} at ${length}`);
    }
  }
});

Deno.test("Changed bytes are read without an error", async () => {
  const random = seededRandom(32);
  for (const { bytes } of await pictures()) {
    for (let round = 0; round < 50; round++) {
      const changed = bytes.slice();
      changed[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      readPictureHeader(changed);
    }
  }
  const repeated = (...segment: readonly number[]) =>
    Uint8Array.from(
      { length: 65_536 },
      (_, at) => (at < 2 ? [0xff, 0xd8][at] : segment[at % segment.length]) ?? 0,
    );
  for (const bytes of [repeated(0xff), repeated(0, 0, 0xff, 0xe0), new Uint8Array()]) {
    assertEquals(readPictureHeader(bytes), null);
  }
});

Deno.test("Sides of 0 and of more than 512 pixels are no thumbnail's", () => {
  for (const make of [png, jpeg, webp]) {
    assert(describeThumbnail(make(1, 512)) !== null);
    for (const [width, height] of [[0, 1], [1, 0], [513, 1], [1, 513]] as const) {
      assertEquals(describeThumbnail(make(width, height)), null);
    }
  }
});

Deno.test("Corners of headers are read as their formats define them", () => {
  const asJpeg = (width: number, height: number) => ({ mediaType: "image/jpeg", width, height });
  const [start, rest] = [jpeg(30, 20).slice(0, 2), [...jpeg(30, 20).slice(2)]];
  // DAC is not a frame, and bytes of 0xff may precede a marker.
  const conditioning = [0xff, 0xcc, 0, 10, 8, 0, 1, 0, 1, 0, 0, 0];
  for (const before of [conditioning, [0xff], [0xff, 0xff]]) {
    const bytes = new Uint8Array([...start, ...before, ...rest]);
    assertEquals<unknown>(readPictureHeader(bytes), asJpeg(30, 20), `${before}`);
  }
  // The upper two bits of a lossy WebP's sides are a scale.
  assertEquals<unknown>(readPictureHeader(webp(30 + 2 ** 14, 20 + 2 ** 15)), {
    mediaType: "image/webp",
    width: 30,
    height: 20,
  });
});

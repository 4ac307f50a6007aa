/** Pictures that the browser draws, and files on the disk, as a chooser gives them. */

import type { Page } from "./browser.ts";

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A quarter each of red, green, blue and white, in the order of reading. */
export async function pictureOf(
  page: Page,
  width: number,
  height: number,
  type = "image/jpeg",
): Promise<Uint8Array<ArrayBuffer>> {
  const text = await page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height});
    const context = canvas.getContext("2d");
    const [x, y] = [${width} / 2, ${height} / 2];
    for (const [index, colour] of ["red", "lime", "blue", "white"].entries()) {
      context.fillStyle = colour;
      context.fillRect(index % 2 * x, Math.floor(index / 2) * y, x, y);
    }
    const blob = await canvas.convertToBlob({ type: "${type}" });
    return (new Uint8Array(await blob.arrayBuffer())).toBase64();
  })()`);
  return Uint8Array.fromBase64(text);
}

/** The same picture with each of the eight orientations that a camera writes. */
export async function orientedPictures(page: Page): Promise<readonly NamedFile[]> {
  const bytes = await pictureOf(page, 400, 300);
  return Array.from({ length: 8 }, (_, index) => ({
    name: `${index + 1}.jpg`,
    bytes: withOrientation(bytes, index + 1),
  }));
}

/** Adds an EXIF segment with one entry, the orientation, after the start of a JPEG. */
function withOrientation(
  jpeg: Uint8Array<ArrayBuffer>,
  orientation: number,
): Uint8Array<ArrayBuffer> {
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0];
  const body = [...new TextEncoder().encode("Exif\0\0"), ...tiff];
  const segment = [0xff, 0xe1, 0, body.length + 2, ...body];
  return new Uint8Array([...jpeg.slice(0, 2), ...segment, ...jpeg.slice(2)]);
}

/** Uploads past the browser, as an import does. */
export async function uploadAs(
  page: Page,
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const headers = { ...await page.headers(), "Content-Type": type, "X-Filename": name };
  const path = `${page.origin}/api/v2/attachments`;
  const response = await fetch(path, { method: "POST", headers, body });
  return (await response.json()).data.attachmentId;
}

/** Adds files with the first file control of the page, and waits until they are no longer read. */
export async function chooseFiles(
  page: Page,
  files: readonly NamedFile[],
  until: () => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const { name, bytes } of files) await Deno.writeFile(`${folder}/${name}`, bytes);
    const expression = `document.querySelector("main input[type=file]:not([capture])")`;
    await page.until(`${expression} !== null`);
    const { result } = await page.call("Runtime.evaluate", { expression });
    await page.call("DOM.setFileInputFiles", {
      files: files.map(({ name }) => `${folder}/${name}`),
      objectId: result.objectId,
    });
    await until();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

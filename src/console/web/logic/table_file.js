/** The beginning of a table in a chosen file: bare, in gzip, or in a zip. */

import { READ_BYTES } from "./table_rows.js";

/** The last bytes of a zip, with the end of its directory and a comment. */
const END_BYTES = 22 + 65_535;
const [ENTRY, END] = [0x02014b50, 0x06054b50];
const DEFLATE = 8;

/**
 * At most `READ_BYTES`; none if the table is not found, as in a tar.
 * @param {Blob} file
 * @param {readonly string[] | null} tables Paths of the archive's tables; null for a bare file.
 * @param {string | undefined} path The chosen table; default the largest, as for the service.
 */
export async function tableStart(file, tables, path) {
  const [first, second] = await bytesOf(file, 0, 2);
  if (first === 0x1f && second === 0x8b) return await unpacked(file, "gzip");
  if (tables === null || tables.length === 0) return await bytesOf(file, 0, READ_BYTES);
  const found = (await entriesOf(file)).filter(({ name }) =>
    path === undefined ? tables.includes(name) : name === path
  );
  const [most] = found.toSorted((one, other) => other.size - one.size);
  if (most === undefined) return new Uint8Array();
  // The name and extra field of the entry's own header may differ from those of the directory.
  const own = viewOf(await bytesOf(file, most.offset, most.offset + 30));
  const from = most.offset + 30 + own.getUint16(26, true) + own.getUint16(28, true);
  const packed = file.slice(from, from + most.packed);
  return most.method === DEFLATE
    ? await unpacked(packed, "deflate-raw")
    : await bytesOf(packed, 0, READ_BYTES);
}

/** The entries of a zip. @param {Blob} file */
async function entriesOf(file) {
  const start = Math.max(0, file.size - END_BYTES);
  const tail = viewOf(await bytesOf(file, start, file.size));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return [];
  const from = tail.getUint32(end + 16, true);
  const bytes = await bytesOf(file, from, from + tail.getUint32(end + 12, true));
  const view = viewOf(bytes);
  const entries = [];
  for (let at = 0; at + 46 <= bytes.length && view.getUint32(at, true) === ENTRY;) {
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** @param {Blob} file @param {number} from @param {number} to */
async function bytesOf(file, from, to) {
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
function viewOf({ buffer }) {
  return new DataView(buffer);
}

/** @param {Blob} file @param {CompressionFormat} format */
async function unpacked(file, format) {
  const reader = file.stream().pipeThrough(new DecompressionStream(format)).getReader();
  const bytes = new Uint8Array(READ_BYTES);
  let length = 0;
  while (length < READ_BYTES) {
    const { value, done } = await reader.read();
    if (done) break;
    const part = value.subarray(0, READ_BYTES - length);
    bytes.set(part, length);
    length += part.length;
  }
  await reader.cancel();
  return bytes.subarray(0, length);
}

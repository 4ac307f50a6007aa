/** Forms of attachments' bytes in a spooled file. */

export const BYTES_LINE = { before: '{"base64":"', after: '","type":"bytes"}' } as const;

const ENCODER = new TextEncoder();
const BEFORE = ENCODER.encode(BYTES_LINE.before);
const AFTER = ENCODER.encode(`${BYTES_LINE.after}\n`);

/** Maximum bytes per line; larger chunks would stay in memory too long. */
const LINE_OBJECT_BYTES = 48 * 1024;

type Form = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Converts an attachment's bytes into the file's. The names are in the list of parts. */
export const OBJECT_FORMS = { lines: toLines, bytes: (chunks) => chunks } as const satisfies Record<
  string,
  Form
>;

export type ObjectForm = keyof typeof OBJECT_FORMS;

/** JSON Lines of base64. */
async function* toLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(LINE_OBJECT_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      const taken = rest.subarray(0, buffer.length - filled);
      buffer.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < buffer.length) continue;
      yield toLine(buffer);
      filled = 0;
    }
  }
  if (filled > 0) yield toLine(buffer.subarray(0, filled));
}

function toLine(bytes: Uint8Array): Uint8Array {
  // Only one copy of the text, because memory of further copies is not freed immediately.
  const base64 = bytes.toBase64();
  const line = new Uint8Array(BEFORE.length + base64.length + AFTER.length);
  line.set(BEFORE);
  ENCODER.encodeInto(base64, line.subarray(BEFORE.length));
  line.set(AFTER, BEFORE.length + base64.length);
  return line;
}

/** Minimal HTTP/1.1 parsing: generating load must be cheap. */

export interface Head {
  readonly status: number;
  /** In lower case. */
  readonly text: string;
  /** The offset of the body. */
  readonly length: number;
  /** Null if chunked. */
  readonly bodyLength: number | null;
}

const latin1 = new TextDecoder("latin1");

/**
 * Null if incomplete.
 *
 * @throws if the bytes are not HTTP or do not state a length.
 */
export function readHead(bytes: Uint8Array): Head | null {
  const length = endOfHead(bytes);
  if (length === null) return null;
  const text = latin1.decode(bytes.subarray(0, length)).toLowerCase();
  const status = /^http\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined) throw new Error("The answer is not one of HTTP/1.1");
  const stated = /\r\ncontent-length: *(\d+)/.exec(text)?.[1];
  if (stated !== undefined) return { status: +status, text, length, bodyLength: +stated };
  if (status === "204" || status === "304") {
    return { status: +status, text, length, bodyLength: 0 };
  }
  if (!text.includes("\r\ntransfer-encoding: chunked")) {
    throw new Error("The response does not state its length");
  }
  return { status: +status, text, length, bodyLength: null };
}

/** Includes the head; null if incomplete. */
export function answerLength(bytes: Uint8Array, head: Head): number | null {
  if (head.bodyLength === null) return endOfChunks(bytes, head.length);
  const length = head.length + head.bodyLength;
  return bytes.length >= length ? length : null;
}

const [CR, LF] = [13, 10];

function endOfHead(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at + 4;
  }
  return null;
}

/** Trailers are not supported. */
function endOfChunks(bytes: Uint8Array, start: number): number | null {
  for (let at = start;;) {
    const endOfLine = bytes.indexOf(LF, at);
    if (endOfLine === -1) return null;
    const size = parseInt(latin1.decode(bytes.subarray(at, endOfLine)), 16);
    at = endOfLine + 1 + size + 2;
    if (at > bytes.length) return null;
    if (size === 0) return at;
  }
}

import type { LeftBodies } from "./left_bodies.ts";

/** The read size for a chunked body: less than half of a usual chunk. */
const SMALL_PIECE_BYTES = 2048;
/** The read size for any other body. */
const PIECE_BYTES = 64 * 1024;
/** Abandoned bodies shorter than this are received to their end. */
const SHORT_BYTES = 1024 * 1024;

/**
 * Returns a request whose body can be abandoned: if the body is cancelled, `left` closes its
 * connection. A short body is received to its end instead, so that its connection can be reused.
 *
 * A body of unknown length is read in small pieces: at the end of each chunk Deno's server reads
 * the requested size from the connection, and buffers the bytes that it cannot return yet. With
 * the usual 64 KiB it would buffer all of a body that is sent faster than it is read.
 */
export function withReceivedBody(request: Request, left: LeftBodies): Request {
  const isChunked = request.headers.has("Transfer-Encoding");
  const isShort = !isChunked && !(Number(request.headers.get("Content-Length")) > SHORT_BYTES);
  if (request.body === null || isShort) return request;
  const reader = openBytes(request.body);
  if (reader === null) return request;
  const pieceBytes = isChunked ? SMALL_PIECE_BYTES : PIECE_BYTES;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read(new Uint8Array(pieceBytes));
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => left.leave(reader),
  }, { highWaterMark: 0 });
  // Copying the request itself would access its signal, about which Deno warns.
  return new Request(request.url, { method: request.method, headers: request.headers, body });
}

/** Returns a reader, or null for a body that arrived with its head: it is not a byte stream. */
function openBytes(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

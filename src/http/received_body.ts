import type { LeftBodies } from "./left_bodies.ts";

/** How much is read at once of a body that comes in chunks: less than half of what senders put into one. */
const SMALL_PIECE_BYTES = 2048;
/** How much is read at once of any other body. */
const PIECE_BYTES = 64 * 1024;
/** A body of more bytes than this is worth breaking off. */
const SHORT_BYTES = 1024 * 1024;

/**
 * A request whose body can be given up: if it is cancelled, `left` closes its connection. A short body is
 * received to its end instead, so that its connection can be used again.
 *
 * A body whose sender does not say how long it is comes in small pieces. At the end of each chunk Deno's server
 * takes as much from the connection as it is asked for, and keeps in memory what it cannot hand out yet. Asked
 * for the usual 64 KiB, it would come to hold the whole of a body that is sent faster than it is read.
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
  // Not a copy of the request itself: that would ask for its signal, which Deno warns of.
  return new Request(request.url, { method: request.method, headers: request.headers, body });
}

/** Null for a body that is here already, because it came along with its head: it is no stream of bytes. */
function openBytes(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

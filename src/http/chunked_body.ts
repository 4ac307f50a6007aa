/** How much is read at once of a body that comes in chunks: less than half of what senders put into one. */
const PIECE_BYTES = 2048;

/**
 * A request whose body is read in small pieces, where its sender does not say how long it is.
 *
 * At the end of each chunk Deno's server takes as much from the connection as it is asked for, and keeps in
 * memory what it cannot hand out yet. Asked for the usual 64 KiB, it would come to hold the whole of a body that
 * is sent faster than it is read.
 */
export function inSmallPieces(request: Request): Request {
  if (request.body === null || !request.headers.has("Transfer-Encoding")) return request;
  const reader = openBytes(request.body);
  if (reader === null) return request;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read(new Uint8Array(PIECE_BYTES));
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
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

/**
 * @throws the result of `beyond` as soon as there are more than `maximum` bytes; errors of the
 *   stream.
 */
export async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maximum: number,
  beyond: () => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return join(chunks, size);
    size += value.length;
    if (size > maximum) throw beyond();
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

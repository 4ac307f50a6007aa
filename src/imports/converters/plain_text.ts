import type { ByteSource } from "../archive/byte_source.ts";
import { refuseFile } from "../refusal.ts";

/** Bytes that are examined to recognize text. */
const HEAD_BYTES = 64 * 1024;

/** @throws FileRefusal `import.format` if the file begins like no text. */
export async function refuseNul(file: ByteSource): Promise<void> {
  if ((await file.read(0, HEAD_BYTES)).includes(0)) refuseFile("import.format", 1);
}

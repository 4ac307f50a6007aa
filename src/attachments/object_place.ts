import type { StoredObject } from "./stored_object.ts";

/** The setting `ATTACHMENTS`: the place of the bytes of new attachments. */
export type PlaceName = "files" | "database";

/** A place of attachments' bytes. */
export interface ObjectPlace {
  /**
   * Returns a text that changes when the stored bytes do; null if the object is not here.
   *
   * @throws LostObjectError if the object has another size.
   */
  stamp(object: StoredObject): Promise<string | null>;
  /**
   * Reads some of the bytes from `at` on, at least one and not beyond `end`; null if the object is
   * not here.
   *
   * @throws LostObjectError if bytes before `end` are missing, or the disk cannot read them.
   */
  readPiece(object: StoredObject, at: number, end: number): Promise<Uint8Array | null>;
}

/** Bytes that were received, and are not stored yet. */
export interface ReceivedBytes {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Deletes the bytes; does nothing after they were stored. */
  discard(): Promise<void>;
}

/** The file does not exist, has another size or other bytes, or the disk cannot read it. */
export type Loss = "missing" | "size" | "content" | "unreadable";

/** A file or chunks that do not hold the bytes that were stored. */
export class LostObjectError extends Error {
  override readonly name = "LostObjectError";
  readonly loss: Loss;

  constructor(loss: Loss) {
    super("The bytes of an attachment are lost");
    this.loss = loss;
  }
}

/** A stream was longer than allowed. Its bytes were deleted. */
export class ObjectTooLargeError extends Error {
  override readonly name = "ObjectTooLargeError";
}

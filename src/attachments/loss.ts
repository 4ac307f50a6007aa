/** Attachments whose bytes are lost or damaged, although their rows exist. */

import { createHash } from "node:crypto";
import { type Loss, LostObjectError, type ObjectStore } from "./object_store.ts";
import type { ListedObject, StoredObject } from "./stored_object.ts";

/** Reads an object and compares its digest. Returns null if the object is whole. */
export async function lossOf(
  objects: Pick<ObjectStore, "read">,
  object: StoredObject,
): Promise<Loss | null> {
  const hash = createHash("sha256");
  try {
    for await (const bytes of await objects.read(object)) hash.update(bytes);
  } catch (error) {
    if (error instanceof LostObjectError) return error.loss;
    throw error;
  }
  return hash.digest("hex") === object.sha256 ? null : "content";
}

/** Maximum cached results. */
const MAX_RESULTS = 10_000;

/**
 * Compares each object once, and again after a change of its file. Otherwise each HEAD request for
 * a large file would read all of it.
 */
export class CheckedObjects {
  readonly #objects: ObjectStore;
  readonly #results = new Map<string, Promise<Loss | null>>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** As `lossOf`. @throws LostObjectError if the file is missing, or has another size. */
  async lossOf(object: StoredObject): Promise<Loss | null> {
    const key = `${object.owner}/${object.sha256}/${await this.#objects.stamp(object)}`;
    const known = this.#results.get(key);
    if (known !== undefined) return await known;
    if (this.#results.size >= MAX_RESULTS) this.#results.clear();
    const result = lossOf(this.#objects, object);
    this.#results.set(key, result);
    result.catch(() => this.#results.delete(key));
    return await result;
  }
}

export interface LostAttachment {
  readonly attachmentId: string;
  readonly loss: Loss;
}

export const REASONS: Readonly<Record<Loss, string>> = {
  missing: "its file is missing",
  size: "its file has another size",
  content: "its file has other bytes",
  unreadable: "the disk cannot read its file",
};

/** Reads all objects, and returns the attachments whose bytes are lost. */
export async function findLostAttachments(
  objects: Pick<ObjectStore, "read">,
  listed: readonly ListedObject[],
  progress: (checked: number) => void = () => {},
): Promise<LostAttachment[]> {
  const lost: LostAttachment[] = [];
  for (const [index, object] of listed.entries()) {
    const loss = await lossOf(objects, object);
    if (loss !== null) {
      lost.push(...object.attachmentIds.map((attachmentId) => ({ attachmentId, loss })));
    }
    progress(index + 1);
  }
  return lost;
}

/** One line per lost attachment, for an operator. */
export function describeLost(lost: readonly LostAttachment[]): string[] {
  return lost.map(({ attachmentId, loss }) => `  ${attachmentId}: ${REASONS[loss]}`);
}

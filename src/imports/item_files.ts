import { MAX_ATTACHMENT_BYTES } from "../attachments/import_port.ts";

/** A file that an item names; without digest if it is missing. */
export interface ItemFile {
  readonly name: string;
  readonly sha256?: string;
  readonly size?: number;
  /** Always present for a file inside the item's own text, which has no `path`. */
  readonly mediaType?: string;
  /** Absent for a file of an archive under its base name. */
  readonly filename?: string;
  /** The path in the archive if that is not the name. */
  readonly path?: string;
}

/** False for a missing or too large file. */
export function isUsable({ sha256, size = 0 }: ItemFile): boolean {
  return sha256 !== undefined && size <= MAX_ATTACHMENT_BYTES;
}

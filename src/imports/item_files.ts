import { MAX_ATTACHMENT_BYTES } from "../attachments/import_port.ts";
import type { ItemFile } from "./item.ts";

/** False for a missing or too large file. */
export function isUsable({ sha256, size = 0 }: ItemFile): boolean {
  return sha256 !== undefined && size <= MAX_ATTACHMENT_BYTES;
}

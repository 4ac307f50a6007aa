import { sha256Hex } from "../../core/digest.ts";

/** The address of knowledge whose source states none. */
export function importUrn(source: string, key: string): string {
  return `urn:prs:import:${sha256Hex(`${source}\n${key}`).slice(0, 32)}`;
}

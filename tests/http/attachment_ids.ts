import { seededRandom } from "../support/random.ts";

const random = seededRandom(18);

/** Identifiers that no attachment has: links are not looked up. */
export function unusedIds(count: number): string[] {
  return Array.from({ length: count }, () => random.ulid());
}

/** A text with a picture for each identifier. */
export function pictures(...ids: readonly string[]): string {
  return ids.map((id) => `![](attachment:${id})`).join(" ");
}

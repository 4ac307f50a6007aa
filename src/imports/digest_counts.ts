import { DigestTable } from "./digest_table.ts";

/** Counts equal digests. */
export class DigestCounts extends DigestTable {
  /**
   * @param digest In hex.
   * @param place The line or item, for a refusal by the budget.
   * @returns How often the digest was added.
   */
  add(digest: string, place: number): number {
    return this.change(digest, place, (count) => count + 1);
  }
}

/** Numbers different digests from 1, in the order in which they come. */
export class DigestNumbers extends DigestTable {
  /**
   * @param digest In hex.
   * @param place The line or item, for a refusal by the budget.
   */
  numberOf(digest: string, place: number): number {
    return this.change(digest, place, (number) => number === 0 ? this.size + 1 : number);
  }
}

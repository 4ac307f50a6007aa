/**
 * RFC 6962, section 2.1, over SHA-256. Leaves and nodes are hashed with different first bytes, so
 * that one cannot be presented as the other.
 */

import { createHash } from "node:crypto";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(text: string): Uint8Array {
  return createHash("sha256").update(LEAF).update(text).digest();
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash("sha256").update(NODE).update(left).update(right).digest();
}

/** A tree that grows leaf by leaf, and stores one hash per level. */
export class MerkleTree {
  #leaves = 0;
  /** Roots of complete subtrees, the largest first. */
  readonly #subtrees: Uint8Array[] = [];

  add(leaf: Uint8Array): void {
    let hash = leaf;
    // Merges like a carry in binary counting: each low bit is a subtree of the same size.
    for (let bits = this.#leaves; bits % 2 === 1; bits = Math.floor(bits / 2)) {
      hash = nodeHash(this.#subtrees.pop() as Uint8Array, hash);
    }
    this.#subtrees.push(hash);
    this.#leaves++;
  }

  get leaves(): number {
    return this.#leaves;
  }

  /** The SHA-256 of no bytes for an empty tree. */
  root(): Uint8Array {
    if (this.#leaves === 0) return createHash("sha256").digest();
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** The audit path of RFC 6962, 2.1.1: the hashes from the leaf up to the root. */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const half = largestPowerOfTwoBelow(leaves.length);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...inclusionPath(left, index), rootOf(right)]
    : [...inclusionPath(right, index - half), rootOf(left)];
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

function largestPowerOfTwoBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

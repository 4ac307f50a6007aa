import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { inclusionPath, leafHash, MerkleTree } from "../../../src/audit/merkle.ts";
import { hexOf } from "../../../src/audit/seal.ts";

/** Leaves of RFC 6962's reference tests. */
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
  .concat("606162636465666768696a6b6c6d6e6f")
  .map((hex) => Buffer.from(hex, "hex").toString());

/** By number of leaves, from one. */
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

function rootOf(leaves: readonly Uint8Array[]): string {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  assertEquals(tree.leaves, leaves.length);
  return hexOf(tree.root());
}

/** RFC 9162, 2.1.3.2; null if impossible. */
function follow(
  leaf: Uint8Array,
  path: readonly Uint8Array[],
  index: number,
  leaves: number,
): string | null {
  const node = (left: Uint8Array, right: Uint8Array) =>
    createHash("sha256").update(Uint8Array.of(1)).update(left).update(right).digest();
  let [hash, first, second] = [leaf, index, leaves - 1];
  for (const step of path) {
    if (second === 0) return null;
    if (first % 2 === 1 || first === second) {
      hash = node(step, hash);
      while (first % 2 === 0 && first > 0) [first, second] = [first >> 1, second >> 1];
    } else {
      hash = node(hash, step);
    }
    [first, second] = [first >> 1, second >> 1];
  }
  return second === 0 ? hexOf(hash) : null;
}

Deno.test("Trees have the roots of the reference", () => {
  assertEquals(rootOf([]), createHash("sha256").digest("hex"));
  const roots = ROOTS.map((_, index) => rootOf(LEAVES.slice(0, index + 1).map(leafHash)));
  assertEquals(roots, ROOTS);
});

Deno.test("Each leaf's path leads to the root, at no other position", () => {
  for (let count = 1; count <= 34; count++) {
    const leaves = Array.from({ length: count }, (_, index) => leafHash(String(index)));
    const root = rootOf(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const path = inclusionPath(leaves, index);
      assertEquals(follow(leaf, path, index, count), root, `${index} of ${count}`);
      assertEquals(follow(leafHash("other"), path, index, count) === root, false);
      const beside = leaves[(index + 1) % count] as Uint8Array;
      if (count > 1) assertEquals(follow(beside, path, index, count) === root, false);
    }
  }
});

/** Texts whose normalisation would take seconds are rejected by length first. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { applyPolicy } from "../../src/catalog/policy.ts";
import { comparisonKey } from "../../src/validate/text.ts";
import { seededRandom } from "../support/random.ts";
import { refusalOf } from "../support/refusals.ts";

/** 160 KB in UTF-8: one run of combining marks. */
const MARKS = "\u0301\u0316".repeat(40_000);

/** In UTF-16 units: twice the code points of the longest compared text. */
const MAX_NORMALISED = 1_000;

function longestNormalised(action: () => void): number {
  let longest = 0;
  const prototype = String.prototype;
  const { normalize } = prototype;
  prototype.normalize = function (form?: string) {
    longest = Math.max(longest, this.length);
    return this.length > MAX_NORMALISED ? String(this) : normalize.call(this, form);
  };
  try {
    action();
  } finally {
    prototype.normalize = normalize;
  }
  return longest;
}

const PAYLOADS: readonly (readonly [string, JsonObject])[] = [
  ["identity", { displayName: "Ada", tags: [MARKS] }],
  ["identity", { displayName: "Ada", tags: ["a", `a${MARKS}`] }],
  ["decision", { question: "Which?", options: { items: [MARKS, "b"] } }],
  ["decision", { question: "Which?", options: { items: ["a", "b"] }, chosenOption: MARKS }],
  ["personal-model", { evidenceIds: [MARKS], counterEvidenceIds: ["a"] }],
  ["personal-model", { evidenceIds: ["a"], counterEvidenceIds: [MARKS] }],
];

for (const [code, payload] of PAYLOADS) {
  const names = Object.keys(payload).join(", ");
  Deno.test(`A policy of ${code} never normalises a long text: ${names}`, () => {
    const module = CATALOG.module(code);
    assert(module !== undefined);
    const context = {
      now: new Date("2026-11-20T12:00:00Z"),
      recordId: "01JD5A0000000000000000RECD",
      set: new Set(Object.keys(payload)),
    };
    const longest = longestNormalised(() => {
      assert(refusalOf(() => applyPolicy(module, payload, context)) !== null);
    });
    assert(longest <= MAX_NORMALISED, `${longest} UTF-16 units were normalised`);
  });
}

Deno.test("No field of any module normalises a long text", () => {
  for (const module of CATALOG.modules) {
    for (const value of [MARKS, [MARKS, MARKS], { items: [MARKS, MARKS] }]) {
      const payload = Object.fromEntries(module.fields.map(({ name }) => [name, value]));
      const context = {
        now: new Date("2026-11-20T12:00:00Z"),
        recordId: "01JD5A0000000000000000RECD",
        set: new Set(Object.keys(payload)),
      };
      const longest = longestNormalised(() => {
        refusalOf(() => applyPolicy(module, payload, context));
      });
      assert(longest <= MAX_NORMALISED, module.code);
    }
  }
});

Deno.test("comparisonKey() of a text within the limit is its trimmed NFC", () => {
  const random = seededRandom(5);
  const marks = [
    "\u0301",
    "\u0316",
    "\u0327",
    "e",
    "\u2126",
    "\ud55c",
    "\u1112\u1161\u11ab",
    "\ud83d\ude42",
  ];
  for (let run = 0; run < 500; run++) {
    const length = random.integer(0, 480);
    const text = Array.from({ length }, () => random.chance(0.2) ? " " : random.pick(marks)).join(
      "",
    );
    const points = [...text].slice(0, 500).join("");
    assertEquals(comparisonKey(points), points.trim().normalize("NFC"), `run ${run}`);
  }
  const beyond = "e\u0301".repeat(250) + "e";
  assertEquals(comparisonKey(` ${beyond} `), beyond);
});

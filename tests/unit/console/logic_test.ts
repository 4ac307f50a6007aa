import { assertEquals, assertNotEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import {
  changesOf,
  toComparedText,
  toText,
  toValue,
} from "../../../src/console/web/fields/shown/texts.js";
import { merge } from "../../../src/console/web/pages/form_parts.js";
import { diffSequences, diffTexts } from "../../../src/console/web/pages/history/diff.js";
import { examplePayload } from "../../../src/catalog/example_payload.ts";
import { seededRandom } from "../../support/random.ts";

type Kind = "same" | "removed" | "added";

/** Longest common subsequence by the plain table. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  let above = new Array<number>(right.length + 1).fill(0);
  for (const item of left) {
    const row = [0];
    for (const [index, other] of right.entries()) {
      const [diagonal = 0, up = 0] = above.slice(index, index + 2);
      row.push(item === other ? diagonal + 1 : Math.max(up, row[index] ?? 0));
    }
    above = row;
  }
  return above[right.length] ?? 0;
}

Deno.test("A difference restores both sequences, and is the shortest", () => {
  const random = seededRandom(22);
  for (let round = 0; round < 2_000; round++) {
    const sequence = () =>
      Array.from({ length: random.integer(0, 14) }, () => random.pick([..."abc"]));
    const [before, after] = [sequence(), sequence()];
    const parts = diffSequences(before, after);
    const side = (left: Kind) => parts.filter(({ kind }) => kind === "same" || kind === left);
    assertEquals(side("removed").flatMap(({ items }) => items), before);
    assertEquals(side("added").flatMap(({ items }) => items), after);
    const shared = parts.filter(({ kind }) => kind === "same").flatMap(({ items }) => items);
    assertEquals(shared.length, longestCommon(before, after), `${before} and ${after}`);
  }
});

Deno.test("A difference of texts restores both, in any script", () => {
  const random = seededRandom(23);
  for (let round = 0; round < 300; round++) {
    const before = random.text(0, 60).replaceAll(".", "\n");
    const cut = random.integer(0, before.length);
    const after = random.chance(0.3)
      ? random.text(0, 60)
      : `${before.slice(0, cut)}${random.text(0, 8)}${before.slice(cut + random.integer(0, 5))}`;
    const parts = diffTexts(before, after);
    const side = (left: Kind) =>
      parts.filter(({ kind }) => kind === "same" || kind === left).map(({ text }) => text).join("");
    assertEquals([side("removed"), side("added")], [before, after]);
  }
});

Deno.test("Completely different texts skip the search, and are still restored", () => {
  const words = (letter: string) =>
    Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`);
  const parts = diffSequences(words("a"), words("b"));
  assertEquals(parts.map(({ kind, items }) => [kind, items.length]), [
    ["removed", 3_000],
    ["added", 3_000],
  ]);
});

Deno.test("A merge loses neither side's change", () => {
  const random = seededRandom(24);
  const names = [..."abcdef"];
  for (let round = 0; round < 2_000; round++) {
    const side = () => Object.fromEntries(names.map((name) => [name, random.pick(["", "x", "y"])]));
    const [base, mine, theirs] = [side(), side(), side()];
    const { texts, taken, contested } = merge(base, mine, theirs);
    for (const name of names) {
      const [before, here, there, text] = [base, mine, theirs, texts].map((one) => one[name]);
      const bothChanged = here !== before && there !== before && here !== there;
      assertEquals(contested.includes(name), bothChanged);
      assertEquals(taken.includes(name), here === before && there !== before);
      if (here !== before) assertEquals(text, here);
      else assertEquals(text, there);
    }
  }
});

Deno.test("An untouched form changes nothing, in every module", () => {
  for (const module of CATALOG.modules) {
    const payload = examplePayload(module) as Record<string, unknown>;
    const texts = Object.fromEntries(
      module.fields.map((field) => [field.name, toText(field, payload[field.name])]),
    );
    assertEquals(changesOf(module.fields, payload, texts), { set: {}, remove: [], wrong: [] });
    // The same payload from an empty form.
    assertEquals(changesOf(module.fields, {}, texts), { set: payload, remove: [], wrong: [] });
    const emptied = changesOf(module.fields, payload, {});
    assertEquals(emptied.remove.sort(), Object.keys(payload).sort());
  }
});

Deno.test("Values are compared in readable form, and different ones look different", () => {
  const compared = (edit: "tags" | "select" | "text", value: unknown) =>
    toComparedText({ name: "field", edit }, value);
  assertEquals(compared("tags", ["a, b", "c"]), "a, b\nc");
  assertNotEquals(compared("tags", ["a", "b"]), compared("tags", ["a, b"]));
  assertEquals(compared("select", "LATER_LIFE"), "Later life");
  assertEquals([compared("text", "LATER_LIFE"), compared("tags", undefined)], ["LATER_LIFE", ""]);
});

Deno.test("A text without a value of its type is rejected before sending", () => {
  const wrong = [
    ["number", "two"],
    ["json", "{"],
    ["number", "1e999"],
    ["json", '{"id":[9007199254740993]}'],
    ["json", "[1234567890123456789012345]"],
  ] as const;
  for (const [edit, text] of wrong) {
    assertEquals(toValue({ name: "field", edit }, text), null);
    assertEquals(changesOf([{ name: "field", edit }], {}, { field: text }).wrong, ["field"]);
  }
  const exact = '[-0,9007199254740991,100000000000000000000,1e30,0.1,"9007199254740993"]';
  assertEquals(toValue({ name: "field", edit: "json" }, exact), JSON.parse(exact));
});

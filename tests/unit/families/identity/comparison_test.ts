import { assertEquals } from "@std/assert";
import { IDENTITY } from "../../../../src/catalog/modules/identity.ts";
import { compareFields } from "../../../../src/families/identity/comparison.ts";
import { FIELD_NAMES, type IdentityFields } from "../../../../src/families/identity/fields.ts";
import { seededRandom } from "../../../support/random.ts";

const NONE: IdentityFields = {
  displayName: null,
  currentRole: null,
  lifeStage: null,
  startedAt: null,
  endedAt: null,
  biography: null,
  publicSummary: null,
  tags: null,
};

Deno.test("The eight fields are in catalog order", () => {
  const names: readonly string[] = FIELD_NAMES;
  assertEquals(names, IDENTITY.fields.map(({ name }) => name));
  assertEquals(names, Object.keys(NONE));
  assertEquals(compareFields(NONE, NONE).map(({ field }) => field), FIELD_NAMES);
});

Deno.test("Values are compared as stored", () => {
  const cases: [Partial<IdentityFields>, Partial<IdentityFields>, string][] = [
    [{}, {}, "SAME"],
    [{ displayName: "Ada" }, { displayName: "Ada" }, "SAME"],
    [{ displayName: "Ada" }, { displayName: "ada" }, "CHANGED"],
    [{ displayName: "caf\u00e9" }, { displayName: "cafe\u0301" }, "CHANGED"],
    [{}, { displayName: "Ada" }, "ADDED"],
    [{ displayName: "Ada" }, {}, "REMOVED"],
    [{}, { biography: "" }, "ADDED"],
    [{ biography: "" }, {}, "REMOVED"],
    [{ tags: [] }, {}, "REMOVED"],
    [{ tags: ["a", "b"] }, { tags: ["a", "b"] }, "SAME"],
    [{ tags: ["a", "b"] }, { tags: ["b", "a"] }, "CHANGED"],
    [{ tags: ["a,b"] }, { tags: ["a", "b"] }, "CHANGED"],
  ];
  for (const [left, right, expected] of cases) {
    const named = Object.keys({ ...left, ...right });
    for (const { field, change } of compareFields({ ...NONE, ...left }, { ...NONE, ...right })) {
      assertEquals(
        change,
        named.includes(field) ? expected : "SAME",
        JSON.stringify([left, right]),
      );
    }
  }
});

Deno.test("A reversed comparison is its mirror image", () => {
  const random = seededRandom(7);
  const mirror = { SAME: "SAME", CHANGED: "CHANGED", ADDED: "REMOVED", REMOVED: "ADDED" };
  const some = (): IdentityFields => ({
    ...NONE,
    displayName: random.pick([null, "Ada", "Eda"]),
    biography: random.pick([null, "", "A lake"]),
    tags: random.pick([null, [], ["a"], ["a", "b"]]),
  });
  for (let round = 0; round < 300; round++) {
    const [left, right] = [some(), some()];
    const turned = compareFields(right, left);
    const expected = compareFields(left, right).map(({ field, left, right, change }) => ({
      field,
      left: right,
      right: left,
      change: mirror[change],
    }));
    assertEquals(turned.map((each) => ({ ...each })), expected as typeof turned);
  }
});

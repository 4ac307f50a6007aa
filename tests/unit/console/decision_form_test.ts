import { assertEquals } from "@std/assert";
import {
  analysableOptions,
  analysisBody,
  analysisGroups,
  scoreName,
} from "../../../src/console/web/pages/decision_forms/analysis.js";
import { simulationOptions } from "../../../src/console/web/pages/decisions/computed.js";
import { seededRandom } from "../../support/random.ts";

const OPTIONS = ["By the river", "2024", "__proto__", "Neither"];

Deno.test("An untouched analysis is sent unchanged", () => {
  const random = seededRandom(41);
  for (let round = 0; round < 500; round++) {
    const names = ["Light", "Rent", "constructor", "7"].slice(0, random.integer(1, 4));
    const criteria = names.map((name) => ({ name, weight: random.integer(0, 9_999) / 10 }));
    const scored = OPTIONS.filter(() => random.chance(0.7));
    const scores = Object.fromEntries(
      scored.map((option) => [
        option,
        Object.fromEntries(names.map((name) => [name, random.integer(0, 100) / 10])),
      ]),
    );
    const groups = analysisGroups({ criteria, scores }, OPTIONS);
    assertEquals(analysisBody(groups, OPTIONS), { criteria, scores });
  }
});

Deno.test("An analysis omits an option without scores, and is not sent with some of them", () => {
  const [one = "", two = "", three = ""] = OPTIONS;
  const light = { name: "Light", weight: "2", [scoreName(one)]: "9", [scoreName(two)]: "0" };
  assertEquals(analysisBody([light], OPTIONS)?.scores, {
    [one]: { Light: 9 },
    [two]: { Light: 0 },
  });
  const rent = { name: "Rent", weight: "1", [scoreName(one)]: "4" };
  assertEquals(analysisBody([light, rent], OPTIONS), null);
  assertEquals(analysisBody([{ ...light, weight: "two" }], OPTIONS), null);
  assertEquals(analysisBody([{ ...light, [scoreName(three)]: "1e999" }], OPTIONS), null);
});

Deno.test("An option that cannot be a key is not weighed", () => {
  const long = "😀".repeat(128);
  assertEquals(analysableOptions([...OPTIONS, "constructor", long, `${long}x`]), [
    ...OPTIONS.filter((option) => option !== "__proto__"),
    long,
  ]);
});

Deno.test("A simulation has its factors by option, with its distribution's parameters", () => {
  const normal = { name: "Years", weight: "1", distribution: "NORMAL" };
  const groups = [
    { ...normal, option: "Neither", mean: "10", standardDeviation: "2", minimum: "left over" },
    { ...normal, option: "By the river", distribution: "UNIFORM", minimum: "-1.5", maximum: "3" },
    { ...normal, option: "Neither", name: "Way", mean: "0", standardDeviation: "0" },
  ];
  const years = { name: "Years", weight: 1 };
  assertEquals(simulationOptions(groups, OPTIONS), [
    {
      option: "By the river",
      factors: [{ ...years, distribution: "UNIFORM", minimum: -1.5, maximum: 3 }],
    },
    {
      option: "Neither",
      factors: [
        { ...years, distribution: "NORMAL", mean: 10, standardDeviation: 2 },
        { name: "Way", weight: 1, distribution: "NORMAL", mean: 0, standardDeviation: 0 },
      ],
    },
  ]);
  const [first = {}] = groups;
  for (const wrong of [{ option: "Gone" }, { distribution: "" }, { mean: "" }, { weight: "x" }]) {
    assertEquals(simulationOptions([{ ...first, ...wrong }], OPTIONS), null);
  }
});

import { assertEquals, assertThrows } from "@std/assert";
import type { JsonValue } from "../../../../src/core/json.ts";
import type { AnalysisRow } from "../../../../src/families/decision/analysis.ts";
import {
  ANALYSIS_BODY,
  type AnalysisBody,
  checkAnalysis,
  decideAnalysis,
  decideReanalysis,
} from "../../../../src/families/decision/analysis_rules.ts";
import type { DecisionRow } from "../../../../src/families/decision/decision.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { firstRevision } from "../../../../src/kit/root.ts";
import { readBody } from "../../../../src/validate/schema.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const LATER = new Date("2026-11-20T12:00:01.000Z");

function decisionOf(items: readonly string[], revision = 1): DecisionRow {
  return {
    decision_id: "01KA0000000000000000000000",
    ...firstRevision(NOW),
    revision,
    archived_at: null,
    question: "Which?",
    options: JSON.stringify({ items }),
    chosen_option: null,
    rationale: null,
    prediction: null,
    actual_outcome: null,
    decided_at: null,
    review_at: null,
    clocks: null,
  };
}

const BODY: AnalysisBody = {
  criteria: [{ name: "light", weight: 2 }, { name: "rent", weight: 1 }],
  scores: { A: { light: 9, rent: 4 }, B: { light: 5, rent: 7 } },
};

function analysis(body: AnalysisBody = BODY, items = ["A", "B", "C"]): AnalysisRow {
  return decideAnalysis(decisionOf(items), body, NOW);
}

function detailsOf(action: () => unknown): unknown {
  const error = assertThrows(action, ServiceError);
  assertEquals(error.code, "PAYLOAD_INVALID");
  return error.details;
}

Deno.test("An invalid body is rejected with the rule and the field", () => {
  const refused: readonly [JsonValue, JsonValue, string[], string[]][] = [
    [null, {}, ["field.length", "field.type"], ["criteria", "scores"]],
    [{}, [], ["field.type"], ["criteria", "scores"]],
    [[], BODY_SCORES, ["field.length"], ["criteria"]],
    [Array(21).fill({ name: "a", weight: 1 }), BODY_SCORES, ["field.length"], ["criteria"]],
    [["light"], BODY_SCORES, ["field.type"], ["criteria"]],
    [[{ name: "a" }], BODY_SCORES, ["field.required"], ["weight"]],
    [[{ name: "a", weight: 1, note: 1 }], BODY_SCORES, ["undeclared_field"], []],
    [[{ name: " ", weight: 1 }], BODY_SCORES, ["field.blank"], ["name"]],
    [[{ name: "a\tb", weight: 1 }], BODY_SCORES, ["field.control_character"], ["name"]],
    [[{ name: "🚀".repeat(129), weight: 1 }], BODY_SCORES, ["field.length"], ["name"]],
    [[{ name: "a", weight: -0.1 }], BODY_SCORES, ["field.range"], ["weight"]],
    [[{ name: "a", weight: 1000.1 }], BODY_SCORES, ["field.range"], ["weight"]],
    [[{ name: "a", weight: "1" }], BODY_SCORES, ["field.type"], ["weight"]],
    [CRITERIA, { A: { light: 1, rent: 1 } }, ["field.length"], ["scores"]],
    [CRITERIA, { A: { light: 1, rent: 1 }, B: 1 }, ["field.type"], ["scores"]],
    [CRITERIA, { A: { light: 1, rent: 1 }, B: { light: 11, rent: 1 } }, ["field.range"], [
      "scores",
    ]],
    [CRITERIA, { A: { light: 1, rent: 1 }, B: { light: -1, rent: 1 } }, ["field.range"], [
      "scores",
    ]],
    [CRITERIA, { A: { light: 1, rent: 1 }, B: { light: null, rent: 1 } }, ["field.type"], [
      "scores",
    ]],
  ];
  for (const [criteria, scores, rules, fields] of refused) {
    const body = { criteria, scores };
    const label = JSON.stringify(body).slice(0, 200);
    const details = detailsOf(() => readBody(ANALYSIS_BODY, body)) as Record<string, string[]>;
    assertEquals([details.rules?.sort(), details.fields?.sort() ?? []], [rules, fields], label);
  }
  const longest = [{ name: "🚀".repeat(128), weight: 1_000 }];
  assertEquals(
    readBody(ANALYSIS_BODY, { criteria: longest, scores: BODY_SCORES }).criteria,
    longest,
  );
});

const CRITERIA = [{ name: "light", weight: 2 }, { name: "rent", weight: 1 }];
const BODY_SCORES = { A: { light: 9, rent: 4 }, B: { light: 5, rent: 7 } };

Deno.test("A body that no options could make valid is rejected", () => {
  const row = { light: 1, rent: 2 };
  const refused: readonly [Partial<AnalysisBody>, string[], string[]][] = [
    [
      { criteria: [{ name: "\u00e9", weight: 1 }, { name: " e\u0301 ", weight: 1 }] },
      ["field.repeated"],
      ["criteria"],
    ],
    [{ criteria: [{ name: "__proto__", weight: 1 }] }, ["criterion.not_a_key"], ["criteria"]],
    [{ criteria: [{ name: "constructor", weight: 1 }] }, ["criterion.not_a_key"], ["criteria"]],
    [{ criteria: [{ name: "prototype", weight: 1 }] }, ["criterion.not_a_key"], ["criteria"]],
    [{ criteria: [{ name: "a", weight: 0 }] }, ["analysis.without_weight"], ["criteria"]],
    [{ criteria: [{ name: "a", weight: 0.0000004 }] }, ["analysis.without_weight"], ["criteria"]],
    [{ scores: { A: row, "A ": row } }, ["field.repeated"], ["scores"]],
    ...[{}, { light: 1 }, { ...row, more: 1 }, { light: 1, "light ": 2 }, { light: 1, Rent: 1 }]
      .map((wrong): [Partial<AnalysisBody>, string[], string[]] => [
        { ...BODY, scores: { A: row, B: wrong as Record<string, number> } },
        ["analysis.scores_fit_criteria"],
        ["scores"],
      ]),
  ];
  for (const [body, rules, fields] of refused) {
    assertEquals(detailsOf(() => checkAnalysis(body)), { rules, fields }, JSON.stringify(body));
  }
  checkAnalysis({});
  checkAnalysis({ scores: { A: {}, B: {} } });
});

Deno.test("Options and criteria are compared after trimming and NFC, and keep their spelling", () => {
  const made = analysis({
    criteria: [{ name: " Caf\u00e9", weight: 1 }, { name: "constructor ", weight: 1 }],
    scores: {
      "re\u0301al ": { "constructor": 1, "Cafe\u0301 ": 2 } as Record<string, number>,
      "A": { " constructor": 3, "Caf\u00e9": 4 },
    },
  }, ["10", " r\u00e9al", "A ", "2"]);
  assertEquals(JSON.parse(made.scores), {
    " r\u00e9al": { " Caf\u00e9": 2, "constructor ": 1 },
    "A ": { " Caf\u00e9": 4, "constructor ": 3 },
  });
  assertEquals(JSON.parse(made.totals), [
    { option: " r\u00e9al", total: 1.5 },
    { option: "A ", total: 3.5 },
  ]);
});

Deno.test("Figures are in the order of the options, for any names", () => {
  const score = (light: number) => ({ light, rent: 5 });
  const scores = { "2": score(3), "10": score(3), "b": score(3), "1": score(9) };
  const made = analysis({ ...BODY, scores }, ["b", "10", "x", "2", "1"]);
  const names = (text: string) => JSON.parse(text).map(({ option }: { option: string }) => option);
  assertEquals(names(made.totals), ["b", "10", "2", "1"]);
  assertEquals(names(made.ranking), ["1", "b", "10", "2"]);
});

Deno.test("An unknown option, or one that cannot be a key, is rejected", () => {
  const row = { light: 1, rent: 2 };
  const long = "x".repeat(129);
  const padded = `${"y".repeat(100)}${" ".repeat(50)}`;
  const items = ["A", "B", "__proto__", "constructor", long, padded, "prototype "];
  for (const option of ["D", "a", "", "toString", "hasOwnProperty"]) {
    const body = { ...BODY, scores: { A: row, [option]: row } };
    assertEquals(detailsOf(() => analysis(body, items)), {
      rules: ["option.unknown"],
      fields: ["scores"],
    });
  }
  for (const option of ["__proto__ ", " constructor", long, "y".repeat(100)]) {
    const body = { ...BODY, scores: { A: row, [option]: row } };
    assertEquals(detailsOf(() => analysis(body, items)), {
      rules: ["option.not_a_key"],
      fields: ["scores"],
    });
  }
  // Others can be analysed, also names with white space.
  const made = analysis({ ...BODY, scores: { A: row, prototype: row } as never }, items);
  assertEquals(JSON.parse(made.totals).length, 2);
  assertEquals(({} as Record<string, unknown>).light, undefined);
});

Deno.test("A further revision keeps what it does not name, and uses the current options", () => {
  const before = analysis();
  const again = decideReanalysis(before, {}, decisionOf(["A", "B", "C"]), LATER);
  assertEquals(again, { row: before, change: null });
  const criteria = [{ name: " light", weight: 1 }, { name: "rent", weight: 1 }];
  const weighed = decideReanalysis(before, { criteria }, decisionOf(["A", "B"]), LATER);
  assertEquals(weighed.change, "MODIFIED");
  assertEquals([weighed.row.revision, weighed.row.updated_at], [2, LATER]);
  assertEquals(JSON.parse(weighed.row.scores), {
    A: { " light": 9, rent: 4 },
    B: { " light": 5, rent: 7 },
  });
  assertEquals(JSON.parse(weighed.row.totals).map(({ total }: { total: number }) => total), [
    6.5,
    6,
  ]);
  const { row: scored } = decideReanalysis(
    weighed.row,
    { scores: { C: { light: 1, rent: 1 }, A: { light: 2, rent: 2 } } },
    decisionOf(["C", "B", "A"], 3),
    LATER,
  );
  assertEquals(scored.decision_revision, 3);
  assertEquals(scored.criteria, weighed.row.criteria);
  assertEquals(scored.totals, '[{"option":"C","total":1},{"option":"A","total":2}]');
});

Deno.test("A new decision revision or option order alone makes a further revision", () => {
  const before = analysis();
  const { row, change } = decideReanalysis(before, {}, decisionOf(["A", "B", "C"], 2), LATER);
  assertEquals([change, row.decision_revision, row.totals], ["MODIFIED", 2, before.totals]);
  const turned = decideReanalysis(before, {}, decisionOf(["B", "A"]), LATER);
  assertEquals(turned.change, "MODIFIED");
});

Deno.test("A further revision is rejected if its parts do not fit the stored ones", () => {
  const before = analysis();
  const decision = decisionOf(["A", "B", "C"]);
  const refused: readonly [Partial<AnalysisBody>, DecisionRow, string][] = [
    [{ criteria: [{ name: "light", weight: 1 }] }, decision, "analysis.scores_fit_criteria"],
    [{ scores: { A: { light: 1 }, B: { light: 1 } } }, decision, "analysis.scores_fit_criteria"],
    [{}, decisionOf(["A", "C"]), "option.unknown"],
    [{ criteria: BODY.criteria }, decisionOf(["B", "C"]), "option.unknown"],
  ];
  for (const [body, today, rule] of refused) {
    assertEquals(detailsOf(() => decideReanalysis(before, body, today, LATER)), {
      rules: [rule],
      fields: ["scores"],
    });
  }
});

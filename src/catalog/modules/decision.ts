import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { comparisonKey, distinctTexts, isBlank, isLongerThan } from "../../validate/text.ts";
import { datetime, feature, json, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { PayloadView } from "../payload_view.ts";
import { notInTheFuture, ordered, requires, rule } from "../rules.ts";

const MINIMUM_OPTIONS = 2;
const MAX_OPTIONS = 50;
const MAX_OPTION_LENGTH = 200;

/** Decisions with their options, the choice, its prediction and its outcome. */
export const DECISION: CatalogModule = {
  code: "decision",
  prefix: "DEC",
  group: "Action and growth",
  completion: "partial",
  access: {
    createCode: "DECISION_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "DECISION_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "decision.read",
  },
  fields: [
    textarea("question", { required: true }),
    json("options", { required: true }),
    text("chosenOption"),
    textarea("rationale"),
    textarea("prediction"),
    textarea("actualOutcome"),
    datetime("decidedAt"),
    datetime("reviewAt"),
  ],
  times: ["decidedAt"],
  rules: [
    rule(
      "decision.options_are_distinct_texts",
      "options is {items:[string,...]}; items equal after trimming and NFC are duplicates, " +
        "the first is kept as written; 2 to 50 remain, each 1..200 code points, not blank",
      {
        fields: ["options"],
        holds: (payload) => {
          const items = optionItems(payload);
          return items === undefined
            ? payload.json("options") === undefined
            : areWithinLimits(items);
        },
      },
    ),
    rule(
      "decision.chosen_option_is_an_option",
      "chosenOption, when set, equals one of options.items under the same comparison and is " +
        "stored in that item's spelling",
      {
        fields: ["chosenOption", "options"],
        holds: (payload) => {
          const chosen = payload.text("chosenOption");
          const items = optionItems(payload);
          return chosen === undefined || items === undefined ||
            findOption(items, chosen) !== undefined;
        },
      },
    ),
    rule(
      "decision.decided_at_requires_chosen_option",
      "decidedAt requires chosenOption",
      requires("decidedAt", "time", "chosenOption"),
    ),
    rule(
      "decision.decided_at_not_in_the_future",
      "decidedAt is not in the future",
      notInTheFuture("decidedAt"),
    ),
    rule(
      "decision.review_at_not_before_decided_at",
      "reviewAt >= decidedAt when both are set",
      ordered("decidedAt", "reviewAt"),
    ),
  ],
  features: [
    feature("DEC-001", "decision record", "record", "V1.0"),
    feature("DEC-002", "option analysis", "analyze", "V1.0"),
    feature("DEC-003", "rationale", "record", "V1.0"),
    feature("DEC-004", "prediction record", "record", "V1.0"),
    feature("DEC-005", "actual outcome", "record", "V2.0"),
    feature("DEC-006", "prediction-bias calibration", "compare", "V2.0"),
    feature("DEC-007", "counterfactual analysis", "simulate", "V2.0"),
    feature("DEC-008", "personal decision simulation", "simulate", "V3.0"),
  ],
  normalise: normaliseOptions,
};

/** Keeps the first of equal options; spells the chosen one like its item. */
function normaliseOptions(payload: JsonObject): JsonObject {
  const view = new PayloadView(payload);
  const items = optionItems(view);
  if (items === undefined || items.some(isTooLong)) return payload;
  const options = { items: distinctTexts(items) };
  const chosen = view.text("chosenOption");
  const spelling = chosen === undefined ? undefined : findOption(items, chosen);
  return spelling === undefined
    ? { ...payload, options }
    : { ...payload, options, chosenOption: spelling };
}

/** Undefined unless the value has the form `{ items: [...] }`. */
function optionItems(payload: PayloadView): string[] | undefined {
  const options = payload.json("options");
  if (!isJsonObject(options) || Object.keys(options).length !== 1) return undefined;
  return new PayloadView(options).list("items");
}

function areWithinLimits(items: readonly string[]): boolean {
  return items.length >= MINIMUM_OPTIONS && items.length <= MAX_OPTIONS &&
    items.every((item) => !isBlank(item) && !isTooLong(item)) &&
    distinctTexts(items).length === items.length;
}

function isTooLong(item: string): boolean {
  return isLongerThan(item, MAX_OPTION_LENGTH);
}

/** Two texts are equal after trimming and NFC. */
export function findOption(items: readonly string[], text: string): string | undefined {
  const key = comparisonKey(text);
  return items.find((item) => comparisonKey(item) === key);
}

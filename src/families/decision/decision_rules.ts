import { findOption } from "../../catalog/modules/decision.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { newColumns } from "../../kit/fields.ts";
import { firstRevision } from "../../kit/root.ts";
import { TITLE_LENGTH } from "../../records/port.ts";
import { firstCodePoints } from "../../validate/text.ts";
import { DECISION_FIELDS, type DecisionRow, optionsOf } from "./decision.ts";

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideCreate(body: JsonObject, now: Date): DecisionRow {
  const decision_id = newId(now);
  return {
    decision_id,
    ...firstRevision(now),
    archived_at: null,
    ...newColumns(DECISION_FIELDS, body, { now, recordId: decision_id }),
  };
}

/**
 * Returns the option in the decision's spelling.
 *
 * @throws ServiceError `PAYLOAD_INVALID` if it is not a current option of the decision.
 */
export function spellOption(decision: Pick<DecisionRow, "options">, option: string): string {
  const spelling = findOption(optionsOf(decision), option);
  if (spelling === undefined) throw payloadInvalid(["option.unknown"], ["option"]);
  return spelling;
}

/** Returns the record's title: the question on one line, cut if it is too long. */
export function projectedTitle(question: string): string {
  return firstCodePoints(question.replace(/[\s\p{Cc}]+/gu, " ").trim(), TITLE_LENGTH);
}

/** REL-005: confirmed evaluations; confirmations append them. */

import { entryReadEndpoints } from "../../kit/entry.ts";
import type { Endpoint } from "../../http/route.ts";
import {
  type Evaluation,
  EVALUATION_SCHEMA,
  type EvaluationRow,
  showEvaluation,
} from "./evaluation.ts";
import { findEvaluation, readEvaluations } from "./evaluation_store.ts";
import { PEOPLE, type PersonTypes, type RelationshipServices } from "./person_store.ts";

export function createEvaluationEndpoints(
  services: RelationshipServices,
): Readonly<Record<"list" | "detail", Endpoint>> {
  return entryReadEndpoints<PersonTypes, EvaluationRow, Evaluation>(services, PEOPLE, {
    idName: "evaluationId",
    find: (sql, owner, { personId }, id) => findEvaluation(sql, owner, personId, id),
    cursor: (sql, owner, { personId }, id) => findEvaluation(sql, owner, personId, id),
    rows: (sql, reader, { personId }, page) => readEvaluations(sql, reader, personId, page),
    cursorOf: (row) => row.evaluation_id,
    show: showEvaluation,
    schema: EVALUATION_SCHEMA,
  }, {
    list: {
      summary: "List the evaluations of a person, newest first",
      signedWith: services.serverSecret,
    },
    detail: { summary: "Read an evaluation" },
  });
}

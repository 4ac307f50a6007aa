/** Assignments of terms to records of other modules. */

import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogModule } from "../../catalog/module.ts";
import {
  type Command,
  commandOf,
  type CommandResult,
  type PlannedWrite,
} from "../../command/command.ts";
import type { Envelope } from "../../command/envelope.ts";
import { newId } from "../../core/ids.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import {
  assertReadable,
  findRecordHead,
  type RecordHead,
  requireReadableModule,
} from "../../records/port.ts";
import { component, type JsonSchema, TEXT, TIME, ULID } from "../../validate/json_schema.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import {
  type AssignableTerm,
  type AssignmentRow,
  endAssignment,
  findAssignment,
  findPresent,
  insertAssignment,
  lockTerm,
} from "./assignment_store.ts";
import { assertActive } from "./term_rules.ts";
import { ASSIGNMENT_BODY, type AssignmentBody } from "./taxonomy_schema.ts";

export interface AssignmentServices extends FamilyServices {
  readonly catalog: Catalog;
}

export interface Assignment extends AssignmentBody {
  readonly assignmentId: string;
  readonly assignedAt: string;
}

/** The response after a removal, also if the record did not have the term. */
interface Removal extends AssignmentBody {
  readonly assigned: false;
}

const NAMED = { termId: ULID, moduleCode: TEXT, recordId: ULID } as const;

const ASSIGNMENT_SCHEMA: JsonSchema = component<Assignment>("TaxonomyAssignment", {
  assignmentId: ULID,
  ...NAMED,
  assignedAt: TIME,
});

const REMOVAL_SCHEMA: JsonSchema = component<Removal>("TaxonomyRemovedAssignment", {
  ...NAMED,
  assigned: { const: false },
});

const EXAMPLE = {
  termId: "01JD5A0000000000000000TERM",
  moduleCode: "commitment",
  recordId: "01JD5A0000000000000000RECD",
};

export function createAssignmentEndpoints(
  services: AssignmentServices,
): Readonly<Record<"assign" | "remove", Endpoint>> {
  return {
    assign: assignmentEndpoint(services, assign, {
      summary: "Assign a tag or category to a record",
      schema: ASSIGNMENT_SCHEMA,
      errors: ["TAXONOMY_STATE_CONFLICT"],
    }),
    remove: assignmentEndpoint(services, remove, {
      summary: "Remove a tag or category from a record",
      schema: REMOVAL_SCHEMA,
      errors: [],
    }),
  };
}

interface AssignmentText {
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly errors: readonly ErrorCode[];
}

function assignmentEndpoint(
  services: AssignmentServices,
  write: typeof assign | typeof remove,
  { summary, schema, errors }: AssignmentText,
): Endpoint {
  return endpoint({
    contract: {
      summary,
      body: bodyOf(ASSIGNMENT_BODY, EXAMPLE),
      responses: { 200: { data: schema } },
      errors: ["RECORD_MODULE_NOT_FOUND", "RECORD_NOT_FOUND", ...errors],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(ASSIGNMENT_BODY, call.body);
      assertCarrying(body.moduleCode);
      const module = requireReadableModule(services.catalog, body.moduleCode, call.caller);
      const options = { module: "taxonomy", policy: "taxonomy-assignment", target: "" };
      const { result, replayed } = await write(
        services,
        commandOf(call, options),
        module,
        body,
      );
      return replying(ok(result), replayed);
    },
  });
}

/**
 * @throws ServiceError `PAYLOAD_INVALID` for the taxonomy itself, whose records cannot have terms.
 */
export function assertCarrying(moduleCode: string): void {
  if (moduleCode === "taxonomy") throw payloadInvalid(["module.carries_no_terms"], ["moduleCode"]);
}

/**
 * Assigns a term, unless the record already has it.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` for an unknown term or record; `FORBIDDEN` for a guarded
 *   record; `TAXONOMY_STATE_CONFLICT` for an inactive term.
 */
export async function assign(
  services: AssignmentServices,
  command: Command,
  module: CatalogModule,
  body: AssignmentBody,
): Promise<CommandResult<Assignment>> {
  const { now, caller: { account: { accountId: owner } } } = command;
  return await writeAssignment(services, command, module, body, {
    decide(term, present) {
      assertActive(term);
      const { termId: term_id, moduleCode: module_code, recordId: record_id } = body;
      const row = present ??
        { assignment_id: newId(now), term_id, module_code, record_id, assigned_at: now };
      return {
        subjectId: row.assignment_id,
        revision: null,
        result: showAssignment(row),
        statement: present === undefined
          ? (sql, ledger) => insertAssignment(sql, ledger, owner, row)
          : null,
      };
    },
    async replay({ recordId: assignmentId }) {
      const [row] = await services.database.read((sql) => findAssignment(sql, owner, assignmentId));
      // The key of another request can get here only after a change of the server secret.
      if (row?.record_id !== body.recordId || row.module_code !== body.moduleCode) {
        throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
      }
      // A merge may have moved the assignment to another tag.
      return { ...showAssignment(row), termId: body.termId };
    },
  });
}

/** Removes a term, in any state, from a record. Otherwise throws as `assign`. */
async function remove(
  services: AssignmentServices,
  command: Command,
  module: CatalogModule,
  body: AssignmentBody,
): Promise<CommandResult<Removal>> {
  const { now, caller: { account: { accountId: owner } } } = command;
  const result: Removal = { ...body, assigned: false };
  return await writeAssignment(services, command, module, body, {
    decide: (term, present) => ({
      subjectId: present?.assignment_id ?? term.term_id,
      revision: null,
      result,
      statement: present === undefined
        ? null
        : (sql, ledger) => endAssignment(sql, ledger, owner, present, now),
    }),
    replay: () => Promise.resolve(result),
  });
}

interface AssignmentWork<Result> {
  readonly decide: (
    term: AssignableTerm,
    present: AssignmentRow | undefined,
  ) => PlannedWrite<Result>;
  readonly replay: (envelope: Envelope) => Promise<Result>;
}

interface Concerned {
  readonly head: RecordHead | undefined;
  readonly present: AssignmentRow | undefined;
}

async function writeAssignment<Result>(
  { commands, catalog, database }: AssignmentServices,
  command: Command,
  module: CatalogModule,
  { termId, recordId }: AssignmentBody,
  { decide, replay }: AssignmentWork<Result>,
): Promise<CommandResult<Result>> {
  const { caller } = command;
  const owner = caller.account.accountId;
  return await commands.run<AssignableTerm, Result, Concerned>(command, {
    check: () => {},
    lock: (sql) => lockTerm(sql, owner, termId),
    async related(sql) {
      const [[head], [present]] = await Promise.all([
        findRecordHead(sql, owner, recordId),
        findPresent(sql, owner, termId, recordId),
      ]);
      return { head, present };
    },
    decide(term, { head, present }) {
      if (term === null) throw new ServiceError("RECORD_NOT_FOUND");
      assertReadable(catalog, module, head, caller);
      return decide(term, present);
    },
    // A repetition shows no more of a guarded record than its caller may read today.
    async replay(envelope) {
      const [head] = await database.read((sql) => findRecordHead(sql, owner, recordId));
      assertReadable(catalog, module, head, caller);
      return await replay(envelope);
    },
  });
}

function showAssignment(row: AssignmentRow): Assignment {
  return {
    assignmentId: row.assignment_id,
    termId: row.term_id,
    moduleCode: row.module_code,
    recordId: row.record_id,
    assignedAt: row.assigned_at.toISOString(),
  };
}

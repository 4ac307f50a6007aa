/**
 * Commands on one entry below a person. Most are controls: they end an entry, or raise its privacy,
 * without changing its row.
 */

import type { Caller } from "../../access/identity.ts";
import type { StepUpPurpose } from "../../access/step_up.ts";
import { type Command, commandOf, type CommandResult, type Plan } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { spendProof } from "../../kit/proof.ts";
import { readOnlyKey } from "../../kit/route.ts";
import { type FamilyServices, locking, writableRoot } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { readPathId } from "../../http/path.ts";
import { ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import type { JsonSchema } from "../../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, readBody } from "../../validate/schema.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen } from "./person_rules.ts";
import { PEOPLE, personOptions, type RelationshipServices } from "./person_store.ts";

export interface Controlling<Body> {
  readonly caller: Caller;
  readonly owner: string;
  readonly personId: string;
  readonly entryId: string;
  readonly body: Body;
  readonly now: Date;
}

export interface ControlRoute<S extends ObjectSchema, Related, Row, Item> {
  readonly summary: string;
  readonly body: S;
  readonly example: JsonObject;
  readonly bodyIsOptional?: true;
  readonly errors: readonly ErrorCode[];
  /** Purpose of the required proof, with the entry as its target; default: none. */
  readonly proof?: StepUpPurpose;
  readonly idName: string;
  /** Policy name in the command's envelopes, which name the control. */
  readonly policy: string;
  readonly schema: JsonSchema;
  /** Must be pure. Rejects a body that no stored state can make valid. */
  readonly check?: (body: InferObject<S>) => void;
  /** Reads the entry and further rows, while the person is locked. */
  readonly related: (sql: Sql, controlling: Controlling<InferObject<S>>) => Promise<Related>;
  /** Must be pure; the person is neither archived nor sealed. */
  readonly decide: (
    person: PersonRow,
    related: Related,
    controlling: Controlling<InferObject<S>>,
  ) => Plan<Item>;
  readonly findAfter: (
    sql: Sql,
    controlling: Controlling<InferObject<S>>,
    controlId: string,
  ) => Query<Row>;
  readonly show: (row: Row, reader: Caller, now: Date) => Item;
}

/**
 * Controls an entry, or returns the replay.
 *
 * @param verify See `CreateWork.verify`: it consumes the proof after all other checks.
 * @throws ServiceError errors of `check`; `RECORD_NOT_FOUND` without a person;
 *   `RELATIONSHIP_STATUS_CONFLICT` if it is archived or sealed; errors of `decide`; in this order.
 */
export async function controlEntry<S extends ObjectSchema, Related, Row, Item>(
  { commands, database }: FamilyServices,
  { check, related, decide, findAfter, show }: ControlRoute<S, Related, Row, Item>,
  command: Command,
  controlling: Controlling<InferObject<S>>,
  verify?: (sql: Sql) => Promise<void>,
): Promise<CommandResult<Item>> {
  const { caller, now } = command;
  const key = { personId: controlling.personId };
  return await commands.run<PersonRow, Item, Related>(command, {
    ...personOptions({ caller, parsed: key }),
    check: () => check?.(controlling.body),
    ...locking(PEOPLE, caller, key, (sql) => related(sql, controlling)),
    decide(found, related) {
      const person = writableRoot(PEOPLE, found, caller);
      assertOpen(person);
      const decision = decide(person, related, controlling);
      return "refusal" in decision ? decision : { ...decision, ...(verify && { verify }) };
    },
    async replay({ recordId }) {
      const [row] = await database.read((sql) => findAfter(sql, controlling, recordId));
      // As in `replayRoot`.
      if (row === undefined) throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
      return show(row, caller, now);
    },
  });
}

/** POST of a control; responds with the controlled entry. */
export function controlEndpoint<S extends ObjectSchema, Related, Row, Item>(
  services: RelationshipServices,
  route: ControlRoute<S, Related, Row, Item>,
): Endpoint {
  const { summary, example, errors, idName, schema, proof } = route;
  return endpoint({
    contract: {
      summary,
      body: bodyOf(route.body, example),
      stepUp: proof,
      responses: { 200: { data: schema } },
      errors: ["RECORD_NOT_FOUND", "RELATIONSHIP_STATUS_CONFLICT", ...errors],
    },
    body: route.bodyIsOptional ? "optional-json" : "json",
    parse(call) {
      const key = readOnlyKey(call, PEOPLE.keyNames);
      return { ...key, entryId: readPathId(call, idName) };
    },
    async handle(call) {
      const { caller, now, parsed } = call;
      const { accountId: owner } = caller.account;
      const body = readBody(route.body, call.body);
      const { module } = PEOPLE;
      const { policy } = route;
      const command = commandOf(call, { module, policy, target: parsed.entryId });
      const use = proof && { purpose: proof, targetId: parsed.entryId };
      const verify = use &&
        ((sql: Sql) => spendProof(services, call, sql, use));
      const controlling = { caller, owner, ...parsed, body, now };
      const { result, replayed } = await controlEntry(
        services,
        route,
        command,
        controlling,
        verify,
      );
      return replying(ok(result), replayed);
    },
  });
}

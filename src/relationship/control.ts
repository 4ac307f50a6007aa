/** Controls: what ends an entry of a person's ledgers, or guards it more. The entry itself stays. */

import type { Identity } from "../access/identity.ts";
import type { Write } from "../command/command.ts";
import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { readOnlyKey } from "../family/route.ts";
import { familyCommand, locking, writableRoot } from "../family/write.ts";
import { bodyOf } from "../http/contract.ts";
import { readPathId } from "../http/path.ts";
import { ok, replying } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, readBody } from "../validate/schema.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen } from "./rules.ts";
import { PEOPLE, personOptions, type RelationshipServices } from "./store.ts";

/** Who controls which entry, and when. */
export interface Controlling<Body> {
  readonly identity: Identity;
  readonly owner: string;
  readonly personId: string;
  readonly entryId: string;
  readonly body: Body;
  readonly now: Date;
}

/** The control of one kind of entry. */
export interface ControlRoute<S extends ObjectSchema, Related, Item> {
  readonly summary: string;
  readonly body: S;
  readonly example: JsonObject;
  /** Further codes that it responds with. */
  readonly errors?: readonly ErrorCode[];
  /** The name of the entry's identifier in the path. */
  readonly idName: string;
  /** The name of the policy in its envelopes, which name the control. */
  readonly policy: string;
  /** The schema of the entry, which is the response. */
  readonly schema: JsonSchema;
  /** Pure. Refuses what needs no stored state to be refused. */
  readonly check?: (body: InferObject<S>) => void;
  /** Reads the entry and what else the decision needs, behind the person's lock. */
  readonly related: (sql: Sql, controlling: Controlling<InferObject<S>>) => Promise<Related>;
  /** Pure, given the person, which is neither archived nor sealed. */
  readonly decide: (
    person: PersonRow,
    related: Related,
    controlling: Controlling<InferObject<S>>,
  ) => Write<Item>;
  /** The entry right after a control. */
  readonly replay: (
    controlling: Controlling<InferObject<S>>,
    controlId: string,
  ) => Promise<Item>;
}

/** POST of a control of one entry, answered by the entry as it then is. */
export function controlEndpoint<S extends ObjectSchema, Related, Item>(
  services: RelationshipServices,
  route: ControlRoute<S, Related, Item>,
): Endpoint {
  const { summary, example, errors = [], idName, policy, schema } = route;
  return endpoint({
    contract: {
      summary,
      body: bodyOf(route.body, example),
      responses: { 200: { data: schema } },
      errors: [
        "RECORD_NOT_FOUND",
        "RELATIONSHIP_STATUS_CONFLICT",
        "RELATIONSHIP_ENTRY_CONFLICT",
        ...errors,
      ],
    },
    body: "json",
    parse(call) {
      const key = readOnlyKey(call, ["personId"]);
      return { ...key, entryId: readPathId(call, idName) };
    },
    async handle(call) {
      const { identity, now, parsed: { personId, entryId } } = call;
      const body = readBody(route.body, call.body);
      const owner = identity.account.accountId;
      const controlling = { identity, owner, personId, entryId, body, now };
      const command = familyCommand(call, { module: "relationship", policy, target: entryId });
      const { result, replayed } = await services.commands.run<PersonRow, Item, Related>(command, {
        ...personOptions(call),
        check: () => route.check?.(body),
        ...locking(PEOPLE, identity, { personId }, (sql) => route.related(sql, controlling)),
        decide(found, related) {
          const person = writableRoot(PEOPLE, found, identity);
          assertOpen(person);
          return route.decide(person, related, controlling);
        },
        replay: ({ recordId }) => route.replay(controlling, recordId),
      });
      return replying(ok(result), replayed);
    },
  });
}

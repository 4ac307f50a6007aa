/** Routes of a person's ledgers. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import {
  checkControl,
  CONTROL_BODY,
  type ControlBody,
  type ControlledLedger,
  type ControlledRow,
  type ControlRow,
} from "../../kit/controlled_ledger.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import { type KeptFields, newColumns } from "../../kit/fields.ts";
import type { BodyRoute } from "../../kit/route.ts";
import type { StoredLedger } from "../../kit/stored_ledger.ts";
import type { ObjectSchema } from "../../validate/schema.ts";
import type { Controlling, ControlRoute } from "./control.ts";
import type { PersonRow } from "./person.ts";
import type { NextPerson } from "./person_rules.ts";
import {
  entryWrite,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";
import { isHidden } from "./privacy.ts";

interface FieldEntries<S extends ObjectSchema, Columns, Item> {
  readonly append: Pick<BodyRoute<S>, "summary" | "body" | "example">;
  /** Summaries of the two reads. */
  readonly list: string;
  readonly detail: string;
  readonly kept: Pick<KeptFields<never, Columns>, "fields" | "columns">;
  /** Must be pure. */
  readonly write: (
    person: PersonRow,
    columns: Columns,
    writer: Caller,
    now: Date,
  ) => PlannedWrite<Item>;
}

/** Append, list and detail of a ledger whose entries are made of fields. */
export function fieldEntryEndpoints<S extends ObjectSchema, Columns, Row extends object, Item>(
  services: RelationshipServices,
  ledger: StoredLedger<Row, Item>,
  { append, list, detail, kept, write }: FieldEntries<S, Columns, Item>,
): ReturnType<typeof entryEndpoints> {
  const columnsOf = (body: object, now: Date) =>
    newColumns(kept, body as JsonObject, { now, recordId: "" });
  return entryEndpoints<PersonTypes, Row, Item, S>(services, PEOPLE, ledger, {
    append: {
      ...append,
      errors: ["RELATIONSHIP_STATUS_CONFLICT"],
      options: personOptions,
      check: (body, now) => void columnsOf(body, now),
      decide: (person, body, { call: { caller, now } }) =>
        write(person, columnsOf(body, now), caller, now),
    },
    list: { summary: list, signedWith: services.serverSecret },
    detail: { summary: detail },
  });
}

interface LedgerControl<Row, Control extends ControlRow, More> {
  readonly summary: string;
  /** Reads further values for `decide`, while the person is locked. */
  readonly readMore: (sql: Sql, owner: string, personId: string) => Promise<More>;
  /** Must be pure. Returns the control, and the person's revision that it appends, or null. */
  readonly decide: (
    person: PersonRow,
    entry: Row,
    controlling: Controlling<ControlBody>,
    more: More,
  ) => { readonly control: Control; readonly next: NextPerson | null };
}

interface Controlled<Row, More> {
  readonly before: Row | undefined;
  /** The owner's entry that `supersededBy` names; null if not given. */
  readonly named: readonly Row[] | null;
  readonly newest: Pick<ControlRow, "control_id"> | undefined;
  readonly more: More;
}

/** Route that controls an entry of a ledger. */
export function ledgerControl<Row extends ControlledRow, Item, Control extends ControlRow, More>(
  ledger: ControlledLedger<Row, Item, Control>,
  { summary, readMore, decide }: LedgerControl<Row, Control, More>,
): ControlRoute<typeof CONTROL_BODY, Controlled<Row, More>, Row, Item> {
  return {
    summary,
    body: CONTROL_BODY,
    example: { kind: "RETRACTED" },
    errors: ["RELATIONSHIP_ENTRY_CONFLICT", "PRIVACY_DOWNGRADE_FORBIDDEN"],
    idName: ledger.idName,
    policy: `${ledger.policy}-control`,
    schema: ledger.schema,
    check: checkControl,
    related: (sql, controlling) => readControlled(sql, ledger, controlling, readMore),
    decide(person, { before, named, newest, more }, controlling) {
      const { caller, body, now } = controlling;
      const [superseding = null] = named ?? [];
      const isUnknown = named !== null && superseding === null;
      if (before === undefined || isUnknown) throw new ServiceError("RECORD_NOT_FOUND");
      if (isHidden(before.privacy_today, caller)) throw new ServiceError("FORBIDDEN");
      const after = ledger.decide(before, body, superseding);
      const result = ledger.show(after, caller, now);
      if (after === before) {
        // A replay shows the entry after this control, or as created.
        const subjectId = newest?.control_id ?? ledger.cursorOf(before);
        return { subjectId, revision: null, result, statement: null };
      }
      const { control, next } = decide(person, before, controlling, more);
      return entryWrite(caller, next, {
        subjectId: control.control_id,
        result,
        added: (sql, owner) => ledger.addedControl(sql, owner, control),
      });
    },
    findAfter: (sql, { owner, personId, entryId }, controlId) =>
      ledger.findAfter(sql, owner, { personId }, entryId, controlId),
    show: ledger.show,
  };
}

async function readControlled<Row extends ControlledRow, More>(
  sql: Sql,
  ledger: ControlledLedger<Row, unknown, never>,
  { owner, personId, entryId, body: { supersededBy } }: Controlling<ControlBody>,
  readMore: LedgerControl<Row, ControlRow, More>["readMore"],
): Promise<Controlled<Row, More>> {
  const key = { personId };
  const [[before], named, [newest], more] = await Promise.all([
    ledger.find(sql, owner, key, entryId),
    supersededBy === undefined ? null : ledger.findAny(sql, owner, supersededBy),
    ledger.findLastControl(sql, owner, key, entryId),
    readMore(sql, owner, personId),
  ]);
  return { before, named, newest, more };
}

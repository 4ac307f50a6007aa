import type { ReadSmallFile } from "../../attachments/port.ts";
import type { Caller } from "../../access/identity.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { PlannedWrite } from "../../command/command.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { storedRoot } from "../../kit/tables.ts";
import type { ProofServices } from "../../kit/proof.ts";
import { entryStatement, type WriteOptions } from "../../kit/write.ts";
import type { CheckedCall } from "../../http/route.ts";
import {
  type Projection,
  projectionEntries,
  type RecordOrigin,
  toProjection,
} from "../../records/port.ts";
import { firstContact } from "./contact.ts";
import { contactEntries } from "./contact_store.ts";
import { fileDetails } from "./detail_store.ts";
import {
  type Person,
  PERSON_PARTS,
  PERSON_SCHEMA,
  type PersonChange,
  type PersonRow,
  showPerson,
  showPersonRevision,
  type Status,
} from "./person.ts";
import { assertUnsealed, type NextPerson } from "./person_rules.ts";
import type { FindUids } from "./vcard_sources.ts";

export interface RelationshipServices extends ProofServices {
  /** Signs the cursors of lists. */
  readonly serverSecret: Uint8Array;
  /** Reads the pictures of vCards. */
  readonly readSmallFile: ReadSmallFile;
  /** UIDs of vCards. */
  readonly findUids: FindUids;
  /** Wakes this process's worker after a request. */
  readonly proposalRequested: () => void;
}

export interface PersonTypes {
  readonly key: { readonly personId: string };
  readonly row: PersonRow;
  readonly change: PersonChange;
  readonly shown: Person;
}

/** People, each with the contact that its creation may state. */
export const STORED_PEOPLE = storedRoot<PersonTypes>({
  module: "relationship",
  policy: "relationship-person",
  keyNames: ["personId"],
  ...PERSON_PARTS,
  tables: (sql) => ({ ...PERSON_PARTS.tables(sql), derived: fileDetails(sql) }),
  show: showPerson,
  showRevision: showPersonRevision,
  schema: PERSON_SCHEMA,
  assertWritable: assertUnsealed,
  isNamed: (sql, { personId }) => sql`person_id = ${personId}`,
  entries(sql, owner, row, change) {
    const projection = projectionEntries(sql, owner, personProjection(row, change));
    const contact = change === "CREATED" ? firstContact(row) : null;
    return contact === null
      ? projection
      : sql`${projection}, ${contactEntries(sql, owner, contact)}`;
  },
});
export const PEOPLE = STORED_PEOPLE.root;

/**
 * The record of a person, whose fields the specification determines.
 *
 * @param origin Default: the owner's input, now.
 */
export function personProjection(
  row: PersonRow,
  change: PersonChange,
  origin: RecordOrigin = {},
): Projection {
  return toProjection(row, change, {
    recordId: row.person_id,
    module: RELATIONSHIP,
    title: row.person_name,
    summary: row.relationship_type,
    payload: {},
    ownTime: row.last_contact_at,
    unshown: {
      opinion: row.opinion,
      evidence: row.evidence,
      counterEvidence: row.counter_evidence,
    },
    isSealed: row.status === "SEALED",
    ...origin,
  });
}

/** Error codes of the guards, if one rejects a write that was decided on older rows. */
const CONSTRAINTS = {
  person_status_allows: "RELATIONSHIP_STATUS_CONFLICT",
  one_control_a_contact: "RELATIONSHIP_ENTRY_CONFLICT",
  // A second retraction would violate either.
  one_timeline_entry_a_source: "RELATIONSHIP_ENTRY_CONFLICT",
  one_end_an_evidence: "RELATIONSHIP_ENTRY_CONFLICT",
  evidence_not_superseded_by_itself: "RELATIONSHIP_ENTRY_CONFLICT",
  evidence_superseded_by_evidence: "RELATIONSHIP_ENTRY_CONFLICT",
  evidence_superseded_by_live: "RELATIONSHIP_ENTRY_CONFLICT",
  evidence_privacy_rises: "PRIVACY_DOWNGRADE_FORBIDDEN",
  one_end_a_detail: "RELATIONSHIP_ENTRY_CONFLICT",
  detail_not_superseded_by_itself: "RELATIONSHIP_ENTRY_CONFLICT",
  detail_superseded_by_detail: "RELATIONSHIP_ENTRY_CONFLICT",
  detail_superseded_by_live: "RELATIONSHIP_ENTRY_CONFLICT",
  detail_links_another: "RELATIONSHIP_ENTRY_CONFLICT",
  detail_privacy_rises: "PRIVACY_DOWNGRADE_FORBIDDEN",
  one_open_proposal_a_person: "RELATIONSHIP_PROPOSAL_CONFLICT",
} as const;

/** Options of every write about a person. A sealed one is rejected before a key is claimed. */
export function personOptions(
  { caller, parsed: { personId } }: Pick<
    CheckedCall<PersonTypes["key"]>,
    "caller" | "parsed"
  >,
): WriteOptions {
  const owner = caller.account.accountId;
  return {
    async before(sql) {
      const [person] = await sql<{ readonly status: Status }>`
        select status from people where owner_id = ${owner} and person_id = ${personId}`;
      if (person !== undefined) assertUnsealed(person);
    },
    constraints: CONSTRAINTS,
  };
}

interface EntryWrite<Item> {
  readonly subjectId: string;
  readonly result: Item;
  /** CTEs of the entry, conditional on the claim. */
  readonly added: (sql: Sql, owner: string) => Query<object>;
}

/** The write of an entry, and of the person's revision that it appends, if any. */
export function entryWrite<Item>(
  { account: { accountId: owner } }: Caller,
  next: NextPerson | null,
  { subjectId, result, added }: EntryWrite<Item>,
): PlannedWrite<Item> {
  return {
    subjectId,
    revision: next?.row.revision ?? null,
    result,
    statement: (sql, ledger) => {
      const entry = added(sql, owner);
      const entries = next === null
        ? entry
        : sql`${STORED_PEOPLE.entries(sql, owner, next.row, next.change)}, ${entry}`;
      return entryStatement(sql, ledger, entries);
    },
  };
}

/** Many people, one with many entries: data for query plans. */

import { sha256Hex } from "../../../src/core/digest.ts";
import type { Caller } from "../../support/world.ts";
import { newRow } from "../../storage/family_rows.ts";
import { idOf, idsSql, insertManyRows } from "../../storage/many_rows.ts";
import { PEOPLE } from "./rows.ts";
import { AT } from "../../storage/rows.ts";

/** The person's id, from the identifiers' prefix. */
export function crowdedPerson(beginning: string): string {
  return idOf(beginning, 0);
}

/** The n-th entries; on the timeline, the n-th contact's line. */
export function entryId(beginning: string, number: number): string {
  return idOf(beginning, number);
}

/**
 * Many people, and one with as many entries of each ledger: a revision per contact, then per move
 * between ACTIVE and PAUSED.
 */
export function insertRelationshipCrowd(
  { accountId }: Pick<Caller, "accountId">,
  count: number,
  beginning: string,
): string {
  const people = insertManyRows(PEOPLE, newRow(PEOPLE, accountId), count, beginning, {
    archived_at: "null::timestamptz",
  });
  const crowd = { owner: accountId, person: crowdedPerson(beginning), count, beginning };
  return [
    people,
    insertRoot(crowd),
    insertLedgers(crowd),
    insertProposals(crowd),
    insertLines(crowd),
  ].join("\n");
}

interface Crowd {
  readonly owner: string;
  readonly person: string;
  readonly count: number;
  readonly beginning: string;
}

const contactedAt = (number: string) => `timestamptz '2000-01-01Z' + ${number} * interval '1 hour'`;

/** All people with projections, and the newest revision of one. */
function insertRoot({ owner, person, count, beginning }: Crowd): string {
  const newest = 2 * count + 1;
  const revisionIds = idsSql(`${beginning}S`);
  const status = (i: string) =>
    `case when ${i} > ${count + 1} and (${i} - ${
      count + 1
    }) % 2 = 1 then 'PAUSED' else 'ACTIVE' end`;
  const lastContact = (i: string) =>
    `case when ${i} > 1 then ${contactedAt(`least(${i} - 1, ${count})`)} end`;
  const change = `case when i = 1 then 'CREATED' when i <= ${count + 1} then 'CONTACT_RECORDED'
    else 'STATUS_CHANGED' end`;
  const own = `person_name, relationship_type, importance, last_contact_at, status`;
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${owner}', '${person}', 'relationship', i, ${revisionIds}, 'USER_INPUT', '${AT}', '${AT}',
             '${AT}', 'Lena', 'FRIEND', '{}' from (values (${newest})) n (i);
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select '${owner}', '${person}', 'relationship', i, ${revisionIds},
             case i when 1 then 'CREATED' else 'MODIFIED' end, 'Lena', 'FRIEND', '{}', '${AT}'
        from generate_series(1, ${newest}) i;
    insert into people (owner_id, person_id, revision, revision_id, created_at, updated_at, ${own})
      select '${owner}', '${person}', i, ${revisionIds}, '${AT}', '${AT}', 'Lena', 'FRIEND', 3,
             ${lastContact("i")}, ${status("i")} from (values (${newest})) n (i);
    insert into person_revisions (owner_id, person_id, revision, revision_id, change, created_at, ${own})
      select '${owner}', '${person}', i, ${revisionIds}, ${change}, '${AT}', 'Lena', 'FRIEND', 3,
             ${lastContact("i")}, ${status("i")} from generate_series(1, ${newest}) i;`;
}

/** Every second piece of evidence is retracted. */
function insertLedgers({ owner, person, count, beginning }: Crowd): string {
  const ids = idsSql(beginning);
  const numbered = `from generate_series(1, ${count}) i;`;
  const moves = `case i % 2 when 1 then 'ACTIVE' else 'PAUSED' end,
             case i % 2 when 1 then 'PAUSED' else 'ACTIVE' end`;
  return `
    insert into person_status_events (owner_id, event_id, person_id, person_revision, from_status,
                                      to_status, recorded_at)
      select '${owner}', ${ids}, '${person}', ${count + 1} + i, ${moves}, '${AT}' ${numbered}
    insert into person_contacts (owner_id, contact_id, person_id, person_revision, contacted_at,
                                 channel, direction, note, privacy, content_hash, recorded_at)
      select '${owner}', ${ids}, '${person}', i + 1, ${contactedAt("i")}, 'CALL', 'MUTUAL', 'x',
             'NORMAL', '${sha256Hex("x")}', '${AT}' ${numbered}
    insert into person_experiences (owner_id, experience_id, person_id, title, time_precision, privacy,
                                    recorded_at)
      select '${owner}', ${ids}, '${person}', 'A', 'UNKNOWN', 'NORMAL', '${AT}' ${numbered}
    insert into person_evidence (owner_id, evidence_id, person_id, stance, content, source_kind,
                                 privacy, provider_consent, content_hash, recorded_at)
      select '${owner}', ${ids}, '${person}', 'COUNTER', 'x', 'OTHER', 'NORMAL', false,
             '${sha256Hex("x")}', '${AT}' ${numbered}
    insert into person_evidence_controls (owner_id, control_id, person_id, evidence_id, control_number,
                                          kind, recorded_at)
      select '${owner}', ${ids}, '${person}', ${ids}, i / 2, 'RETRACTED', '${AT}'
        from generate_series(2, ${count}, 2) i;`;
}

/** Stale, each of the first ten pieces of evidence. */
function insertProposals({ owner, person, count, beginning }: Crowd): string {
  const ids = idsSql(beginning);
  const sources = JSON.stringify(Array.from({ length: 10 }, (_, i) => idOf(beginning, i + 1)));
  const events = [["A", "null", "REQUESTED"], ["B", "'REQUESTED'", "STALE"]] as const;
  return `
    insert into person_proposals (owner_id, proposal_id, person_id, created_at, provider_consent,
                                  source_digest, source_revision, sources, state, attempts, claimable_at)
      select '${owner}', ${ids}, '${person}', '${AT}', true, '${sha256Hex("x")}', 1, '${sources}',
             'STALE', 0, '${AT}' from generate_series(1, ${count}) i;` +
    events.map(([infix, from, to]) => `
    insert into person_proposal_events (owner_id, event_id, person_id, proposal_id, from_state, to_state,
                                        recorded_at)
      select '${owner}', ${
      idsSql(beginning + infix)
    }, '${person}', ${ids}, ${from}, '${to}', '${AT}'
        from generate_series(1, ${count}) i;`).join("");
}

/** Inserts lines for contacts, experiences and status events. */
function insertLines({ owner, person, count, beginning }: Crowd): string {
  const sources = idsSql(beginning);
  const lines = [
    ["", "CONTACT_RECORDED", contactedAt("i")],
    ["E", "EXPERIENCE_RECORDED", "null::timestamptz"],
    ["S", "STATUS_CHANGED", "null::timestamptz"],
  ] as const;
  return lines.map(([infix, kind, occurredAt]) => `
    insert into person_timeline_entries (owner_id, entry_id, person_id, kind, source_id, occurred_at,
                                         recorded_at)
      select '${owner}', ${idsSql(beginning + infix)}, '${person}', '${kind}', ${sources},
             ${occurredAt}, '${AT}' from generate_series(1, ${count}) i;`).join("");
}

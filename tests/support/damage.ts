/** Queries past the service for inconsistent ledgers. */

/** Counts of inconsistencies that a crash could cause; all 0 if consistent. */
export const DAMAGE = `
  with newest as (
    select owner_id, record_id, max(revision) as revision, count(*) as revisions
      from record_revisions group by owner_id, record_id
  ), audited as (
    select owner_id, subject_id as record_id, revision, count(*) as entries
      from audit_entries where operation like 'record.%' group by 1, 2, 3
  ), replayable as (
    select owner_id, envelope->>'recordId' as record_id, (envelope->>'revision')::int as revision,
           count(*) as envelopes
      from idempotency_envelopes group by 1, 2, 3
  )
  select
    (select count(*)::int from records full join newest using (owner_id, record_id)
      where records.revision is distinct from newest.revision
         or newest.revision <> newest.revisions) as roots,
    (select count(*)::int from records r join record_revisions v
       using (owner_id, record_id, revision)
      where (r.revision_id, r.title, r.summary, r.payload::text)
            <> (v.revision_id, v.title, v.summary, v.payload::text)) as copies,
    (select count(*)::int from record_revisions full join audited
       using (owner_id, record_id, revision)
      where audited.entries is distinct from 1
         or record_revisions.revision_id is null) as audits,
    (select count(*)::int from record_revisions full join replayable
       using (owner_id, record_id, revision)
      where replayable.envelopes is distinct from 1
         or record_revisions.revision_id is null) as envelopes,
    (select count(*)::int from records left join search_index using (owner_id, record_id)
       left join record_order using (owner_id, record_id)
      where search_index.record_id is null or record_order.record_id is null) as words`;

/** The revisions that the changes feed must deliver, in order. */
export const FEED = `
  select record_id as "recordId", revision from record_revisions order by transaction_id, revision_id`;

export const UNDAMAGED = [{ roots: 0, copies: 0, audits: 0, envelopes: 0, words: 0 }];

/** Each revision names the profile's revision that it shows. */

import { enabledAccounts } from "../../access/account_row.ts";
import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { storedRoot } from "../../kit/tables.ts";
import { executionEntry, type ExecutionRow } from "../../records/port.ts";
import {
  type NextPublication,
  type Publication,
  PUBLICATION_SCHEMA,
  type PublicationChange,
  type PublicationRow,
  type PublicField,
  showPublication,
  type ViewRow,
} from "./publication.ts";

/** The key is empty: an owner has one publication. */
interface PublicationTypes {
  readonly key: Readonly<Record<never, string>>;
  readonly row: PublicationRow;
  readonly change: PublicationChange;
  readonly shown: Publication;
}

/** Without the public fields, which are in the profile's revision. */
const STORED = storedRoot<PublicationTypes>({
  module: "identity",
  policy: "identity-publication",
  keyNames: [],
  idOf: (row) => row.publication_id,
  show: showPublication,
  schema: PUBLICATION_SCHEMA,
  tables: (sql) => ({
    root: sql`identity_publications`,
    ledger: sql`identity_publication_revisions`,
    id: sql`publication_id`,
    fixed: sql`publication_id`,
    changing: sql`slug, fields, state, profile_revision, published_at, revoked_at`,
    short: sql`array_to_string(fields, ' ') as fields, state, profile_revision, published_at,
      revoked_at`,
    long: { kind: "text", columns: { slug: sql`slug` }, hidden: null },
  }),
  isNamed: (sql) => sql`true`,
  fixedValues: (sql, row) => sql`${row.publication_id}`,
  changingValues: (sql, row) =>
    sql`${row.slug}, string_to_array(${row.fields}, ' '), ${row.state},
      ${row.profile_revision}::integer, ${row.published_at}::timestamptz,
      ${row.revoked_at}::timestamptz`,
});

export function findPublication(sql: Sql, owner: string): Query<PublicationRow> {
  return withView(sql, owner, STORED.root.find(sql, owner, {}));
}

export function findPublicationAt(
  sql: Sql,
  owner: string,
  revision: number,
): Query<PublicationRow> {
  return withView(sql, owner, STORED.root.findAt(sql, owner, {}, revision));
}

function withView(sql: Sql, owner: string, publication: Query<object>): Query<PublicationRow> {
  return sql<PublicationRow>`
    select publication.*, ${viewColumns(sql)}
      from (${publication}) publication join identity_profile_revisions profile
        on profile.owner_id = ${owner} and profile.revision = publication.profile_revision`;
}

/**
 * The public fields under a slug, of any owner, and the new address of an owner who has moved.
 * The slug names its owner first, because publications have no index by slug.
 */
export function findView(
  sql: Sql,
  slug: string,
): Query<ViewRow & { readonly moved_to: string | null }> {
  return sql<ViewRow & { readonly moved_to: string | null }>`
    select publication.slug, publication.fields, publication.updated_at, publication.moved_to,
           ${viewColumns(sql)}
      from (
        select p.owner_id, p.slug, array_to_string(p.fields, ' ') as fields, p.state,
               p.profile_revision, p.updated_at, a.moved_to
          from identity_slugs named
          join identity_publications p on p.owner_id = named.owner_id and p.slug = named.slug
          join ${enabledAccounts(sql)} a on a.account_id = named.owner_id
         where named.slug = ${slug} and p.state = 'PUBLISHED'
      ) publication join identity_profile_revisions profile
        on profile.owner_id = publication.owner_id
       and profile.revision = publication.profile_revision`;
}

/** Selects published fields only: no other value leaves the database. */
function viewColumns(sql: Sql): Query<object> {
  const shown = (name: PublicField, column: Query<object>) =>
    sql`case when publication.state = 'PUBLISHED'
              and ${name} = any (string_to_array(publication.fields, ' ')) then ${column} end`;
  return sql`${shown("displayName", sql`profile.display_name`)} as display_name,
    ${shown("currentRole", sql`profile.role`)} as role,
    ${shown("lifeStage", sql`profile.life_stage`)} as life_stage,
    ${shown("publicSummary", sql`profile.public_summary`)} as public_summary,
    ${shown("tags", sql`profile.tags`)}::text as tags`;
}

type WrittenPublication = NextPublication & { readonly change: string };

/**
 * Writes the publication, its slug and the execution. A slug of another owner stays theirs, so the
 * publication violates `publication_slug_of_owner`.
 */
export function writePublication(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  { row, change }: WrittenPublication,
  execution: ExecutionRow,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    slug as (
      insert into identity_slugs (slug, owner_id, created_at)
      select ${row.slug}, ${owner}, ${row.updated_at}::timestamptz from claim where verdict = 'GO'
          on conflict (slug) do nothing
    ),
    ${STORED.entries(sql, owner, row, change)},
    ${executionEntry(sql, owner, execution)},
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

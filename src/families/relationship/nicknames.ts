import type { Caller } from "../../access/identity.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readWalk, type Walked } from "../../database/walk.ts";
import { newestFirst } from "../../kit/tables.ts";

/** The newest nicknames of an account that are read. */
const MAX_NICKNAMES = 5_000;

interface NicknameRow {
  readonly person_id: string;
  readonly nickname: string;
}

/**
 * Reads the newest nicknames of live details that are not SECRET, by person; none for a reader who
 * may not list details.
 */
export async function readNicknames(
  database: Database,
  { permissions, account: { accountId: owner } }: Caller,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!permissions.has("relationship.ledger.read")) return new Map();
  const rows: NicknameRow[] = [];
  let cursor: string | null = null;
  do {
    const limit = MAX_NICKNAMES - rows.length;
    const part: Walked<NicknameRow> = await database.read((sql) =>
      readPart(sql, owner, cursor, limit)
    );
    rows.push(...part.rows);
    cursor = part.examined;
  } while (cursor !== null && rows.length < MAX_NICKNAMES);
  const groups = Map.groupBy(rows, ({ person_id }) => person_id);
  return new Map([...groups].map(([id, named]) => [id, named.map(({ nickname }) => nickname)]));
}

async function readPart(
  sql: Sql,
  owner: string,
  cursor: string | null,
  limit: number,
): Promise<Walked<NicknameRow>> {
  const id = sql`detail_id`;
  const walk = newestFirst(sql, { from: sql`person_details`, id, owner, part: sql`true`, cursor });
  return await readWalk<NicknameRow>(sql, walk, {
    columns: sql`detail_id, person_id, value ->> 'nickname' as nickname`,
    long: null,
    conditions: isShownNickname(sql),
    limit,
  });
}

/** The detail is live and not SECRET. */
function isShownNickname(sql: Sql): Query<object> {
  return sql`
    and kind = 'NAME' and value ->> 'nickname' is not null and privacy <> 'SECRET'
    and not exists (
      select from (select owner_id as owner, detail_id as ended, kind, privacy
                     from person_detail_controls) control
       where owner = walk.owner_id and ended = walk.detail_id
         and (control.kind <> 'PRIVACY_RECLASSIFIED' or control.privacy = 'SECRET') offset 0)`;
}

import type { Database } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { readWalk } from "../../database/walk.ts";
import { cutPart, PART } from "../../kit/export.ts";
import { conditionsOf, memoryWalk } from "./memory_list.ts";
import type { MemoryRow, PrivacyLevel } from "./memory.ts";
import type { ExportBody } from "./export_schema.ts";
import { memoryColumns } from "./memory_store.ts";

/** Newest first. */
export interface ExportPart {
  readonly rows: readonly MemoryRow[];
  /** True if a named memory is not the owner's. */
  readonly namesUnknown: boolean;
  readonly namesSecret: boolean;
  /** Start of the next part; null after the last. */
  readonly next: string | null;
}

interface Candidate {
  readonly memory_id: string;
  readonly privacy_level: PrivacyLevel;
  readonly bytes: number;
}

/** Memories that may go into a part. `next` applies if all of them fit. */
interface Candidates {
  readonly rows: readonly Candidate[];
  readonly behind: string | null;
  readonly namesUnknown: boolean;
  readonly namesSecret: boolean;
}

/** Reads the part after `after`, with no more texts than it holds. */
export async function readPart(
  database: Database,
  owner: string,
  body: ExportBody,
  after: string | null,
): Promise<ExportPart> {
  return await database.read(async (sql) => {
    const { rows, behind, namesUnknown, namesSecret } = body.memoryIds === undefined
      ? await walkCandidates(sql, owner, body, after)
      : await namedCandidates(sql, owner, body.memoryIds, after);
    const chosen = cutPart(rows);
    const next = chosen.length < rows.length ? chosen.at(-1)?.memory_id ?? null : behind;
    const read = await readTexts(sql, owner, chosen);
    return { rows: read, next, namesUnknown, namesSecret };
  });
}

async function walkCandidates(
  sql: Sql,
  owner: string,
  { filter = {}, includeSecret = false }: ExportBody,
  after: string | null,
): Promise<Candidates> {
  const conditions = conditionsOf(sql, filter);
  const { rows, more, examined } = await readWalk<Candidate>(
    sql,
    memoryWalk(sql, owner, filter, after ?? undefined),
    {
      columns: candidateColumns(sql),
      long: null,
      conditions: includeSecret
        ? conditions
        : sql`${conditions ?? sql``} and privacy_level <> 'SECRET'`,
      limit: PART.rows,
    },
  );
  const behind = more ? rows.at(-1)?.memory_id ?? null : examined;
  return { rows, behind, namesUnknown: false, namesSecret: false };
}

async function namedCandidates(
  sql: Sql,
  owner: string,
  memoryIds: readonly string[],
  after: string | null,
): Promise<Candidates> {
  const rows = await sql<Candidate>`
    select ${candidateColumns(sql)} from memories
     where owner_id = ${owner} and memory_id = any (string_to_array(${memoryIds.join(" ")}, ' '))
     order by memory_id desc`;
  return {
    rows: rows.filter((row) => after === null || row.memory_id < after),
    behind: null,
    namesUnknown: rows.length < memoryIds.length,
    namesSecret: rows.some((row) => row.privacy_level === "SECRET"),
  };
}

function candidateColumns(sql: Sql) {
  return sql`memory_id, privacy_level, octet_length(original_content)
    + octet_length(current_content) + coalesce(octet_length(ai_draft), 0) as bytes`;
}

/** Reads the chosen memories, except those that have become SECRET in the meantime. */
async function readTexts(
  sql: Sql,
  owner: string,
  chosen: readonly Candidate[],
): Promise<readonly MemoryRow[]> {
  if (chosen.length === 0) return [];
  const ids = chosen.map((candidate) => candidate.memory_id);
  const secret = new Set(
    chosen.filter((each) => each.privacy_level === "SECRET").map((each) => each.memory_id),
  );
  const rows = await sql<MemoryRow>`
    select ${memoryColumns(sql)} from memories
     where owner_id = ${owner} and memory_id = any (string_to_array(${ids.join(" ")}, ' '))
     order by memory_id desc`;
  return rows.filter((row) => row.privacy_level !== "SECRET" || secret.has(row.memory_id));
}

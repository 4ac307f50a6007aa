import { Buffer } from "node:buffer";
import type { Query, Sql } from "../database/sql.ts";
import type { StoredObject } from "./stored_object.ts";

/** Maximum bytes of a chunk. All but the last one of an object have this size. */
export const CHUNK_BYTES = 1024 * 1024;

type ObjectName = Pick<StoredObject, "owner" | "sha256">;

/**
 * The bytes are sent and read as base64, because the built-in engine takes a multiple of the time
 * for binary values, and the driver sends those as hexadecimal text.
 */
export function insertChunk(
  sql: Sql,
  owner: string,
  uploadId: string,
  number: number,
  bytes: Buffer,
): Query<object> {
  return sql`
    insert into attachment_chunks (owner_id, upload_id, number, bytes)
    values (${owner}, ${uploadId}, ${number}::smallint, decode(${
    bytes.toString("base64")
  }, 'base64'))`;
}

/**
 * Makes the upload's chunks those of the object.
 *
 * @returns the number of chunks.
 */
export async function publishChunks(sql: Sql, uploadId: string, sha256: string): Promise<number> {
  const published = await sql`
    update attachment_chunks set sha256 = ${Buffer.from(sha256, "hex")}::bytea
     where upload_id = ${uploadId} and sha256 is null returning 1`;
  return published.length;
}

export function deleteUnfinished(sql: Sql, uploadId: string): Query<object> {
  return sql`delete from attachment_chunks where upload_id = ${uploadId} and sha256 is null`;
}

/** Chunks that one transaction removes. */
const BATCH = 16;

/**
 * Removes some chunks of uploads that received nothing since `before`.
 *
 * @returns how many; 0 if there are no more.
 */
export async function deleteAbandoned(sql: Sql, before: Date): Promise<number> {
  const deleted = await sql`
    delete from attachment_chunks
     where ctid in (
       select ctid from attachment_chunks c
        where c.sha256 is null and c.created_at < ${before}::timestamptz
          and not exists (
            select from attachment_chunks other
             where other.upload_id = c.upload_id and other.created_at >= ${before}::timestamptz)
        limit ${BATCH} for update skip locked)
    returning 1`;
  return deleted.length;
}

/**
 * Until the transaction ends, no other one stores or removes bytes of the owner. Only later
 * statements see the commits that the lock waited for.
 */
export function lockObjects(sql: Sql, owner: string): Query<object> {
  return sql`select pg_advisory_xact_lock(attachment_lock(${owner}))`;
}

/** Call this after `lockObjects`. */
export function removeChunks(sql: Sql, { owner, sha256 }: ObjectName): Query<object> {
  return sql`
    with named as materialized (
      select set_config('prs.removed_object', ${`${owner}/${sha256}`}, true) as name)
    delete from attachment_chunks using named
     where name is not null and ${isOf(sql, { owner, sha256 })}`;
}

export interface ChunksState {
  readonly chunks: number;
  readonly size: number;
  /** Changes when the rows do. */
  readonly stamp: string;
}

/** Does not read the bytes. */
export async function readChunksState(sql: Sql, object: ObjectName): Promise<ChunksState> {
  const [state] = await sql<ChunksState>`
    select count(*)::integer as chunks,
           coalesce(sum(octet_length(bytes)), 0)::double precision as size,
           hashtext(string_agg(ctid::text || xmin::text, ' ' order by number))::text as stamp
      from attachment_chunks where ${isOf(sql, object)}`;
  if (state === undefined) throw new Error("An aggregate has no row");
  return state;
}

/** Reads a part of a chunk; null if the chunk does not exist. */
export async function readChunk(
  sql: Sql,
  object: ObjectName,
  number: number,
  start: number,
  length: number,
): Promise<Buffer | null> {
  const [row] = await sql<{ piece: string }>`
    select encode(substring(bytes from ${
    start + 1
  }::integer for ${length}::integer), 'base64') as piece
      from attachment_chunks where ${isOf(sql, object)} and number = ${number}::smallint`;
  return row === undefined ? null : Buffer.from(row.piece, "base64");
}

function isOf(sql: Sql, { owner, sha256 }: ObjectName): Query<object> {
  return sql`owner_id = ${owner} and sha256 = ${Buffer.from(sha256, "hex")}::bytea`;
}

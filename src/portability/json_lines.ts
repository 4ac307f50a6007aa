/**
 * An account as JSON Lines: canonical JSON in UTF-8, each line ended by a line feed.
 *
 *   {"format":"prs-account","version":1}
 *   {"moduleCode":"…","recordId":"…","revisions":[{…},…],"type":"record", …}
 *   {"revisions":[{…}],"type":"continued"}     the rest of the line before
 *   …                                          other types, in the order of `LINE_TYPES`
 *   {"attachmentId":"…","size":12,"type":"attachment", …}
 *   {"base64":"aGVsbG8gd29ybGQh","type":"bytes"}
 *   {"attachmentId":"…","lost":true,"size":12,"type":"attachment", …}     its bytes are lost
 *   {"manifest":{"counts":{"record":1, …},"sha256":"…"}}
 *
 * A line has at most `LINE_BYTES`, unless a single row is larger. `continued` and `bytes` lines
 * belong to the line before and are not counted. The manifest counts every type, including those
 * without a line; its digest covers all bytes before it.
 */

import { Buffer } from "node:buffer";
import type { Sql } from "../database/sql.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { LineType } from "./description.ts";
import type { AccountExportFormat, LostDigests, RowCounts } from "./export_format.ts";
import { LINE_TYPES } from "./line_types.ts";
import { RowCursor } from "./row_cursor.ts";
import type { SpoolWriter } from "./spool.ts";

/** The first line of a file of some kind, and the types of its other lines in order. */
export interface FileForm {
  readonly headLine: string;
  readonly types: readonly LineType[];
}

export const OWN_FILE: FileForm = {
  headLine: canonicalJson({ format: "prs-account", version: 1 }),
  types: LINE_TYPES,
};
/** Type of a line that continues the one before. */
export const CONTINUED = "continued";
/** Member of an attachment without `bytes` lines; its value is always true. */
export const LOST = "lost";
/** The size from which a row continues in another line. */
const LINE_BYTES = 1024 * 1024;

/** The form that can be imported again. */
export const JSON_LINES: AccountExportFormat = {
  mediaType: "application/jsonl",
  extension: "jsonl",
  write: (sql, owner, spool, lost) => writeForm(sql, owner, OWN_FILE, { spool, lost }),
  end: (counts, sha256) => `${manifestLine(counts, sha256)}\n`,
};

/** The target of lines, and the attachments whose bytes it cannot have. */
interface LinesTarget {
  readonly spool: SpoolWriter;
  readonly lost: LostDigests;
}

export async function writeForm(
  sql: Sql,
  owner: string,
  { headLine, types }: FileForm,
  target: LinesTarget,
): Promise<void> {
  await target.spool.text(`${headLine}\n`);
  for (const type of types) await writeLines(sql, owner, type, target);
}

export function manifestLine(counts: RowCounts, sha256: string): string {
  return canonicalJson({ manifest: { counts, sha256 } });
}

/** Writes all lines of a type: the rows of its table and of those below it, in one walk. */
async function writeLines(
  sql: Sql,
  owner: string,
  type: LineType,
  { spool, lost }: LinesTarget,
): Promise<void> {
  const { table, key, columns } = type;
  const read = { table, rows: type.rows?.(sql) ?? null, order: key, columns };
  const rows = await RowCursor.open(sql, owner, read);
  const lists = await Promise.all(type.lists.map((list) => {
    const [above = ""] = list.inherited;
    const [order = ""] = Object.keys(list.columns);
    const read = { table: list.table, order: [above, order], columns: list.columns };
    return RowCursor.open(sql, owner, read);
  }));
  spool.count(type.type, 0);
  for (; !rows.isDone; await rows.advance()) {
    const members = new Map(rows.members());
    const isLost = type.hasBytes && lost.has(String(rows.key("sha256")));
    if (isLost) members.set(LOST, "true");
    const line = new Line(spool, type, members);
    for (const [index, { member, inherited: [above = ""] }] of type.lists.entries()) {
      const list = lists[index];
      if (list === undefined) continue;
      for (; !list.isDone && list.key(above) === rows.key(above); await list.advance()) {
        await line.add(member, toObject(list.members()));
      }
    }
    await line.end();
    spool.count(type.type, 1);
    if (type.hasBytes && !isLost) {
      await spool.object("lines", String(rows.key("sha256")), Number(rows.key("size")));
    }
  }
  for (const cursor of [rows, ...lists]) await cursor.close();
}

class Line {
  readonly #spool: SpoolWriter;
  #members: [name: string, json: string][];
  #lists: Map<string, string[]>;
  #bytes: number;

  constructor(spool: SpoolWriter, { type, lists }: LineType, members: Iterable<[string, string]>) {
    this.#spool = spool;
    this.#members = [["type", JSON.stringify(type)], ...members];
    this.#lists = new Map(lists.map(({ member }) => [member, []]));
    this.#bytes = Buffer.byteLength(this.#text());
  }

  async add(member: string, row: string): Promise<void> {
    const bytes = Buffer.byteLength(row) + 1;
    if (this.#bytes + bytes > LINE_BYTES) await this.#continue();
    const list = this.#lists.get(member);
    if (list === undefined) this.#lists.set(member, [row]);
    else list.push(row);
    this.#bytes += bytes + (list === undefined ? `"${member}":[],`.length : 0);
  }

  async end(): Promise<void> {
    await this.#spool.text(`${this.#text()}\n`);
  }

  async #continue(): Promise<void> {
    await this.end();
    this.#members = [["type", JSON.stringify(CONTINUED)]];
    this.#lists = new Map();
    this.#bytes = Buffer.byteLength(this.#text());
  }

  #text(): string {
    const lists = Array.from(
      this.#lists,
      ([member, rows]): [string, string] => [member, `[${rows.join()}]`],
    );
    return toObject([...this.#members, ...lists]);
  }
}

/** Joins members in canonical JSON to a canonical object. */
function toObject(members: readonly (readonly [name: string, json: string])[]): string {
  const sorted = members.toSorted(([one], [other]) => one < other ? -1 : 1);
  return `{${sorted.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

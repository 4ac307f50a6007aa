/** Records and revisions for an assistant. */

import { payloadAttachmentIds } from "../catalog/attachment_fields.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { PayloadView } from "../catalog/payload_view.ts";
import { isoText } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { findMemoryTexts, memoryAttachmentIds } from "../families/memory/port.ts";
import { CHANGES, LOCAL_TIMES, type RecordRow, type RevisionRow } from "../records/port.ts";
import { ATTACHMENT_IDS } from "../validate/attachment_ids.ts";
import {
  ANY_OBJECT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import type { LentScope } from "./lent.ts";
import { hideContent, type ShownContent } from "./shown.ts";

const HIDDEN = { hidden: listOf(TEXT), truncated: { type: "boolean" } } as const;
const CONTENT = {
  title: nullable(TEXT),
  summary: TEXT,
  payload: ANY_OBJECT,
  localTimes: LOCAL_TIMES,
};

export interface ShownRecord extends ShownContent {
  readonly moduleCode: string;
  /** Absent in a record at a revision. Cut texts count whole. */
  readonly attachmentIds?: readonly string[];
  readonly recordId: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
}

interface ShownRevision extends ShownContent {
  readonly revisionId: string;
  readonly revision: number;
  readonly change: RevisionRow["change"];
  readonly archivedAt: string | null;
  readonly createdAt: string;
}

export const RECORD_OUTPUT: JsonSchema = objectOf({
  moduleCode: TEXT,
  recordId: ULID,
  ...CONTENT,
  attachmentIds: ATTACHMENT_IDS,
  revision: REVISION,
  createdAt: TIME,
  updatedAt: TIME,
  archivedAt: nullable(TIME),
  ...HIDDEN,
}, ["attachmentIds"]);

export const REVISION_OUTPUT: JsonSchema = objectOf({
  revisionId: ULID,
  revision: REVISION,
  change: enumOf(CHANGES),
  ...CONTENT,
  archivedAt: nullable(TIME),
  createdAt: TIME,
  ...HIDDEN,
});

/**
 * Includes the texts of memories if the assistant may see sensitive fields.
 *
 * @param isCurrent False for rows of a revision, which have no `attachmentIds`.
 */
export async function showRecords(
  sql: Sql,
  { owner, rights }: LentScope,
  module: CatalogModule,
  rows: readonly RecordRow[],
  isCurrent: boolean,
): Promise<ShownRecord[]> {
  const isTexts = module.code === "memory" && rights.showsSensitive && rows.length > 0;
  const found = isTexts
    ? await findMemoryTexts(sql, owner, rows.map((row) => row.revision_id))
    : [];
  const texts = new Map(found.map((row) => [row.revision_id, row]));
  return rows.map((row) => {
    const own = texts.get(row.revision_id);
    const payload = {
      ...JSON.parse(row.payload),
      ...(own && { originalContent: own.original_content, currentContent: own.current_content }),
      ...(own && own.ai_draft !== null && { aiDraft: own.ai_draft }),
    };
    const { title, summary, payload: shown, localTimes, ...hiding } = hideContent(rights, module, {
      ...row,
      payload,
    });
    return {
      moduleCode: module.code,
      recordId: row.record_id,
      title,
      summary,
      payload: shown,
      localTimes,
      ...(isCurrent && { attachmentIds: shownAttachmentIds(module, shown) }),
      revision: row.revision,
      createdAt: isoText(row.created_at),
      updatedAt: isoText(row.updated_at),
      archivedAt: row.archived_at === null ? null : isoText(row.archived_at),
      ...hiding,
    };
  });
}

/** From the fields that the assistant sees; those of a memory are in the memory's own order. */
function shownAttachmentIds(module: CatalogModule, payload: JsonObject): readonly string[] {
  if (module.code !== "memory") return payloadAttachmentIds(module, payload);
  const view = new PayloadView(payload);
  return memoryAttachmentIds({
    currentContent: view.text("currentContent") ?? null,
    originalContent: view.text("originalContent") ?? null,
  });
}

export function showRevision(
  { rights }: LentScope,
  module: CatalogModule,
  row: RevisionRow,
): ShownRevision {
  const { title, summary, payload, localTimes, ...hiding } = hideContent(rights, module, {
    ...row,
    payload: JSON.parse(row.payload),
  });
  return {
    revisionId: row.revision_id,
    revision: row.revision,
    change: row.change,
    title,
    summary,
    payload,
    localTimes,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...hiding,
  };
}

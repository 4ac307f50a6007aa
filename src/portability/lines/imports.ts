/** Imports that have run, with the report on each item, and the origins of records. */

import { type Columns, lineType } from "../description.ts";
import {
  added,
  anyId,
  bigInteger,
  boolean,
  digest,
  id,
  integer,
  json,
  object,
  oneOf,
  optional,
  sparse,
  stamp,
  text,
  texts,
} from "../kinds.ts";
import { ranImports } from "../../imports/import_store.ts";
import { OUTCOMES } from "../../imports/import.ts";

const ITEM: Columns = {
  place: integer,
  key: text,
  target: optional(text),
  outcome: oneOf(OUTCOMES),
  record_id: optional(id),
  attachment_ids: texts,
  rules: texts,
  unmapped: texts,
  matches: optional(texts),
  entry: sparse(text),
};

/** One that had not ended is stopped: its file stays with its server. */
export const IMPORT_LINES = lineType("import", {
  table: "imports",
  rows: ranImports,
  columns: {
    import_id: id,
    format: text,
    name: optional(text),
    source: optional(text),
    size: bigInteger,
    sha256: digest,
    keep_original: boolean,
    created_at: stamp,
    updated_at: stamp,
    state: oneOf(["STOPPED", "DONE", "WITHDRAWN"]),
    mapping: optional(object),
    columns: optional(texts),
    counts: object,
    attachments: object,
    unmapped: json,
    rules: json,
    needs: texts,
    plan: optional(text),
    done: integer,
    total: integer,
    refusal: optional(object),
    original_attachment_id: optional(anyId),
    withdrawn: optional(object),
    tries: added(integer),
    reads: added(texts),
    filename: added(text),
    table_facts: sparse(object),
    looks_like: sparse(texts),
    presets: sparse(texts),
  },
  lists: [{ member: "items", table: "import_items", inherited: ["import_id"], columns: ITEM }],
});

export const ORIGIN_LINES = lineType("origin", {
  table: "import_origins",
  columns: {
    origin_id: id,
    import_id: id,
    kind: oneOf(["ITEM", "TAG", "FILE", "UID"]),
    source: text,
    key: text,
    target: text,
    record_id: id,
    revision: optional(integer),
    digest: optional(digest),
    change: oneOf(["NEW", "CHANGED", "WITHDRAWN"]),
    created_at: stamp,
  },
});

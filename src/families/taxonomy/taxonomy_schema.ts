import { numberField, textField } from "../../catalog/field_schema.ts";
import { TAXONOMY } from "../../catalog/modules/taxonomy.ts";
import { fieldsBody } from "../../kit/fields.ts";
import { PAGE_QUERY } from "../../http/page.ts";
import { CURSOR_OF_EITHER_FORM } from "../../http/signed_page.ts";
import { nullable, ULID } from "../../validate/json_schema.ts";
import {
  arrayOf,
  boolean,
  identifier,
  type InferObject,
  integer,
  object,
  oneOf,
  optional,
  revision,
  type Schema,
  string,
  stringMatching,
} from "../../validate/schema.ts";
import { isUlid } from "../../core/ids.ts";
import { KEPT_FIELDS, MAX_ALIASES, TERM_TYPES } from "./term.ts";

const name = textField(TAXONOMY, "name");
const kind = oneOf(...TERM_TYPES);

/** Whether inactive terms are listed; by default `exclude`. */
const inactive = optional(oneOf("exclude", "only", "include"));
export type Inactive = "exclude" | "only" | "include";

export const TAG_BODY = fieldsBody(KEPT_FIELDS.fields);
export const CATEGORY_BODY = { ...fieldsBody(KEPT_FIELDS.fields), parentId: optional(identifier) };

export const RENAME_BODY = { expectedRevision: revision, name, keepAlias: optional(boolean) };
export type RenameBody = Omit<InferObject<typeof RENAME_BODY>, "expectedRevision">;

const parentOrTop: Schema<string | null> = {
  check: (value, field, violations) =>
    value === null ? null : identifier.check(value, field, violations),
  json: nullable(ULID),
};

export const TERM_MOVE_BODY = { expectedRevision: revision, parentId: parentOrTop };
export const MERGE_BODY = { expectedRevision: revision, intoId: identifier };

export const ACTIVITY_BODY = { expectedRevision: optional(revision) };

const TERM_SORTS = ["name", "-name", "use", "-use"] as const;
export type TermSort = (typeof TERM_SORTS)[number];

export const TERM_LIST_QUERY = {
  limit: PAGE_QUERY.limit,
  cursor: CURSOR_OF_EITHER_FORM,
  sort: optional(oneOf(...TERM_SORTS)),
  inactive,
};

/** The parent, or `root` for categories at the top. */
const parent: Schema<string> = stringMatching(
  "field.identifier",
  (text) => text === "root" || isUlid(text),
  { type: "string", pattern: `^root$|${ULID.pattern}` },
);

export const CATEGORY_LIST_QUERY = { ...TERM_LIST_QUERY, parentId: optional(parent) };
export const TREE_QUERY = { inactive: optional(oneOf("exclude", "include")) };
export const USAGE_QUERY = { ...TERM_LIST_QUERY, kind: optional(kind) };

export const SEARCH_BODY = {
  q: string({ maximum: 200 }),
  kind: optional(kind),
  inactive,
  limit: optional(integer(1, 100)),
};
export type SearchBody = InferObject<typeof SEARCH_BODY>;

/** Any module name is accepted here; an unknown one is not found later. */
const moduleCode = string({ maximum: 500 });

export const ASSIGNMENT_BODY = {
  termId: identifier,
  moduleCode,
  recordId: identifier,
};
export type AssignmentBody = InferObject<typeof ASSIGNMENT_BODY>;

export const ASSIGNMENT_QUERY = {
  ...PAGE_QUERY,
  termId: optional(identifier),
  moduleCode: optional(moduleCode),
  recordId: optional(identifier),
};

export const FORMAT = "prs-taxonomy";
export const VERSION = 1;

const only = <const T extends string | number>(expected: T): Schema<T> => ({
  check: (value, field, violations) =>
    value === expected ? expected : violations.add("field.option", field),
  json: { const: expected },
});

const color = stringMatching(
  "taxonomy.color_is_hexadecimal",
  (text) => /^#[0-9a-f]{6}$/i.test(text),
  { type: "string", pattern: "^#[0-9A-Fa-f]{6}$" },
);

export const FILE_TERM = {
  kind,
  name,
  parent: optional(name),
  aliases: arrayOf(name, 0, MAX_ALIASES),
  description: optional(textField(TAXONOMY, "description")),
  color: optional(color),
  sortOrder: optional(numberField(TAXONOMY, "sortOrder")),
  active: boolean,
};
export type FileTerm = InferObject<typeof FILE_TERM>;

export const TAXONOMY_IMPORT_BODY = {
  format: only(FORMAT),
  version: only(VERSION),
  conflictMode: oneOf("REJECT", "SKIP"),
  terms: arrayOf(object(FILE_TERM), 1, 2_000),
};
export type TaxonomyImportBody = InferObject<typeof TAXONOMY_IMPORT_BODY>;

/**
 * Targets of items. Each one checks an item by the schemas and policies of its own create route, and
 * makes rows of it; the SQL is its room's.
 *
 * A new target is a value of `Target` and a line in `createTargets`.
 */

import type { Catalog } from "../catalog/catalog.ts";
import { number, select, tags, text, textarea } from "../catalog/fields.ts";
import type { CatalogModule, Field } from "../catalog/module.ts";
import { MEMORY } from "../catalog/modules/memory.ts";
import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import { PRIVACY_LEVELS } from "../families/memory/memory.ts";
import { decideCreate as decideMemory } from "../families/memory/memory_rules.ts";
import { TEXT_BODY } from "../families/memory/memory_schema.ts";
import type { MemoryRow } from "../families/memory/memory.ts";
import { decideImported, type NewPerson } from "../families/relationship/imported_people.ts";
import { TAG_BODY } from "../families/taxonomy/taxonomy_schema.ts";
import type { TermRow } from "../families/taxonomy/term.ts";
import { decideCreate as decideTerm } from "../families/taxonomy/term_rules.ts";
import { decideCreate as decideRecord, type NextRecord } from "../records/record_rules.ts";
import { CREATE_BODY } from "../records/record_schema.ts";
import { readBody } from "../validate/schema.ts";

/** The content of an item, as its target's create route takes it. */
export interface ItemContent {
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
}

/** The rows of a new object, by the target that stores them. */
export type NewRow =
  & { readonly id: string }
  & (
    | { readonly target: "records"; readonly module: CatalogModule; readonly next: NextRecord }
    | { readonly target: "memory"; readonly row: MemoryRow }
    | { readonly target: "taxonomy"; readonly row: TermRow }
    | { readonly target: "people"; readonly person: NewPerson }
  );

export interface Target {
  readonly name: string;
  readonly moduleCode: string;
  /** Null for the module of a family. */
  readonly module: CatalogModule | null;
  /** Needed by a token that writes it. */
  readonly permissions: readonly Permission[];
  /** The fields that a mapping can name. */
  readonly fields: readonly Field[];
  /** The field that gets the identifiers of an item's files; null if it has none. */
  readonly fileField: { readonly name: string; readonly isList: boolean } | null;
  /** @throws ServiceError `PAYLOAD_INVALID`. */
  readonly create: (content: ItemContent, now: Date) => NewRow;
}

export interface Targets {
  has(name: string): boolean;
  /** @throws Error for an unknown target. */
  get(name: string): Target;
  readonly fieldsOf: (name: string) => readonly Field[] | null;
}

/** The targets of a catalog: its generic modules, memories and tags. */
export function createTargets(catalog: Catalog): Targets {
  const generic = catalog.modules.filter(({ access }) => access === "GENERIC").map(recordTarget);
  const all = new Map(
    [...generic, MEMORY_TARGET, TAG_TARGET, PERSON_TARGET].map((each) => [each.name, each]),
  );
  return {
    has: (name) => all.has(name),
    get(name) {
      const target = all.get(name);
      if (target === undefined) throw new Error("An item has a target that is not known");
      return target;
    },
    fieldsOf: (name) => all.get(name)?.fields ?? null,
  };
}

const FILE_FIELDS: Readonly<Record<string, Target["fileField"]>> = {
  capture: { name: "attachmentIds", isList: true },
  media: { name: "fileId", isList: false },
};

function recordTarget(module: CatalogModule): Target {
  return {
    name: module.code,
    moduleCode: module.code,
    module,
    permissions: ["record.write"],
    fields: module.fields,
    fileField: FILE_FIELDS[module.code] ?? null,
    create({ title, summary, payload }, now) {
      const body = readBody(CREATE_BODY, { title, summary, payload });
      const next = decideRecord(module, body, now, "IMPORT");
      return { target: "records", id: next.row.record_id, module, next };
    },
  };
}

const MEMORY_TARGET: Target = {
  name: "memory",
  moduleCode: "memory",
  module: null,
  permissions: ["memory.write"],
  fields: [
    ...MEMORY.fields.filter(({ name }) => name !== "aiDraft"),
    select("privacyLevel", PRIVACY_LEVELS),
  ],
  fileField: null,
  create({ title, summary, payload }, now) {
    const body = readBody(TEXT_BODY, withoutNames(payload, { title, summary }));
    const row = decideMemory(body, now);
    return { target: "memory", id: row.memory_id, row };
  },
};

const TAG_TARGET: Target = {
  name: "tag",
  moduleCode: "taxonomy",
  module: null,
  permissions: ["taxonomy.write"],
  fields: [
    tags("aliases"),
    textarea("description"),
    text("color"),
    number("sortOrder", { minimum: 0, maximum: 1_000_000, integer: true }),
  ],
  fileField: null,
  create({ title, payload }, now) {
    const body = readBody(TAG_BODY, withoutNames(payload, { name: title }));
    const row = decideTerm("TAG", body as JsonObject, undefined, now);
    return { target: "taxonomy", id: row.term_id, row };
  },
};

const PERSON_TARGET: Target = {
  name: "person",
  moduleCode: "relationship",
  module: null,
  permissions: ["relationship.person.write", "relationship.ledger.write"],
  fields: [
    text("relationshipType"),
    number("importance", { minimum: 1, maximum: 5, integer: true }),
    number("desiredContactIntervalDays", { minimum: 1, maximum: 3_650, integer: true }),
  ],
  fileField: null,
  create({ title, payload }, now) {
    const person = decideImported(title, payload, now);
    return { target: "people", id: person.row.person_id, person };
  },
};

/** The body of a create route. A payload that states what the item states has one member too many. */
function withoutNames(payload: JsonObject, names: JsonObject): JsonObject {
  const repeats = Object.keys(names).some((name) => Object.hasOwn(payload, name));
  return repeats ? { ...payload, ...names, "undeclared field": true } : { ...payload, ...names };
}

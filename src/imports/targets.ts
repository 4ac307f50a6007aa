import type { Catalog } from "../catalog/catalog.ts";
import type { Field } from "../catalog/module.ts";
import { MEMORY_TARGET } from "../families/memory/import_port.ts";
import { PERSON_TARGET } from "../families/relationship/import_port.ts";
import { TAG_TARGET } from "../families/taxonomy/import_port.ts";
import type { ImportTarget } from "../kit/import_target.ts";
import { recordTargets } from "../records/import_port.ts";

export interface Targets {
  has(name: string): boolean;
  /** @throws Error for an unknown target. */
  get(name: string): ImportTarget;
  readonly fieldsOf: (name: string) => readonly Field[] | null;
}

/** The targets of a catalog: its generic modules, memories, tags and people. */
export function createTargets(catalog: Catalog): Targets {
  const generic = recordTargets(catalog.modules.filter(({ access }) => access === "GENERIC"));
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

/**
 * Every module with its fields, rules and features. A value, so that tests can pass another one.
 */

import type { CatalogModule, Feature, Field, Rule } from "./module.ts";
import { ACTION } from "./modules/action.ts";
import { AI_AGENT } from "./modules/ai_agent.ts";
import { CAPTURE } from "./modules/capture.ts";
import { COMMITMENT } from "./modules/commitment.ts";
import { COMMUNITY } from "./modules/community.ts";
import { CONSTITUTION } from "./modules/constitution.ts";
import { DECISION } from "./modules/decision.ts";
import { HEALTH } from "./modules/health.ts";
import { IDENTITY } from "./modules/identity.ts";
import { INTEGRATION } from "./modules/integration.ts";
import { INTERVIEW } from "./modules/interview.ts";
import { KNOWLEDGE } from "./modules/knowledge.ts";
import { LEGACY } from "./modules/legacy.ts";
import { MEDIA } from "./modules/media.ts";
import { MEMORY } from "./modules/memory.ts";
import { PERSONAL_MODEL } from "./modules/personal_model.ts";
import { PLACE } from "./modules/place.ts";
import { PUBLICATION } from "./modules/publication.ts";
import { RELATIONSHIP } from "./modules/relationship.ts";
import { RESOURCE } from "./modules/resource.ts";
import { REVIEW } from "./modules/review.ts";
import { ROUTINE } from "./modules/routine.ts";
import { TAXONOMY } from "./modules/taxonomy.ts";
import { TIMELINE } from "./modules/timeline.ts";

interface CatalogFeature {
  readonly module: CatalogModule;
  readonly feature: Feature;
}

export interface Catalog {
  readonly modules: readonly CatalogModule[];
  module(code: string): CatalogModule | undefined;
  feature(id: string): CatalogFeature | undefined;
}

/**
 * @throws {Error} If codes, prefixes, feature ids, fields or rules repeat, a feature or rule has
 *   the wrong prefix, a rule names an undeclared field, or a select has no options.
 */
export function createCatalog(modules: readonly CatalogModule[]): Catalog {
  modules.forEach(requireConsistentModule);
  requireDistinct("prefix", modules.map(({ prefix }) => prefix));
  const byCode = indexBy("module code", modules, ({ code }) => code);
  const byFeature = indexBy(
    "feature id",
    modules.flatMap((module) => module.features.map((feature) => ({ module, feature }))),
    ({ feature }) => feature.id,
  );
  return {
    modules,
    module: (code) => byCode.get(code),
    feature: (id) => byFeature.get(id),
  };
}

function requireConsistentModule(module: CatalogModule): void {
  requireDistinct("field", module.fields.map(({ name }) => name));
  requireDistinct("rule", module.rules.map(({ name }) => name));
  module.fields.forEach(requireOptions);
  module.features.forEach(({ id }) => requirePrefix(id, `${module.prefix}-`));
  for (const rule of module.rules) {
    requirePrefix(rule.name, `${module.code.replaceAll("-", "_")}.`);
    requireDeclared(rule, module.fields);
  }
}

function requireOptions({ name, edit, options = [] }: Field): void {
  if (edit === "select" && options.length === 0) {
    throw new Error(`The catalog gives the select "${name}" no options`);
  }
}

function requirePrefix(name: string, prefix: string): void {
  if (!name.startsWith(prefix)) {
    throw new Error(`The catalog name "${name}" does not begin with "${prefix}"`);
  }
}

function requireDeclared(rule: Rule, fields: readonly Field[]): void {
  const undeclared = rule.fields.find((name) => !fields.some((field) => field.name === name));
  if (undeclared !== undefined) {
    throw new Error(`The catalog rule "${rule.name}" names the undeclared field "${undeclared}"`);
  }
}

function indexBy<T>(
  what: string,
  values: readonly T[],
  key: (value: T) => string,
): ReadonlyMap<string, T> {
  requireDistinct(what, values.map(key));
  return new Map(values.map((value) => [key(value), value]));
}

function requireDistinct(what: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`The catalog repeats the ${what} "${repeated}"`);
}

/** The service's own (specification, Modules described here). */
export const CATALOG: Catalog = createCatalog([
  RELATIONSHIP,
  COMMITMENT,
  IDENTITY,
  CONSTITUTION,
  RESOURCE,
  DECISION,
  HEALTH,
  ACTION,
  ROUTINE,
  REVIEW,
  AI_AGENT,
  PERSONAL_MODEL,
  INTERVIEW,
  MEMORY,
  CAPTURE,
  TIMELINE,
  KNOWLEDGE,
  MEDIA,
  INTEGRATION,
  LEGACY,
  TAXONOMY,
  COMMUNITY,
  PLACE,
  PUBLICATION,
]);

/** What the suites share of version 1: its modules, and records of them in the tables. */

import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../src/catalog/module.ts";
import type { Route } from "../../src/http/route.ts";
import { LEGACY_MODULES } from "../../src/legacy/modules.ts";
import {
  insertLegacyRecords,
  type LegacyRecord,
  randomLegacyRecord,
} from "../support/legacy_records.ts";
import { seededRandom } from "../support/random.ts";
import type { Person, World } from "../support/world.ts";

/** The modules of version 1. */
export const LEGACY_CODES: readonly string[] = Object.keys(LEGACY_MODULES);

/** Whether a route is a write of version 1: all of them are refused. */
export function isClosed({ endpoint }: Route): boolean {
  return Object.keys(endpoint.contract.responses).length === 0;
}

/** A module of the catalog. */
export function moduleOf(code: string): CatalogModule {
  const module = CATALOG.module(code);
  if (module === undefined) throw new Error(`The catalog has no module ${code}`);
  return module;
}

const RANDOM = seededRandom(20_261_122);

/** Puts records of a module into the tables, as an import or a family would; the oldest first. */
export async function keepRecords(
  world: World,
  { accountId }: Person,
  code: string,
  count: number,
  { guard = null }: { readonly guard?: string | null } = {},
): Promise<LegacyRecord[]> {
  const make = () => randomLegacyRecord(moduleOf(code), RANDOM, { now: world.now() });
  const records = Array.from({ length: count }, make);
  await world.raw(insertLegacyRecords(accountId, code, records, { guard }));
  return records.sort((one, other) => one.recordId < other.recordId ? -1 : 1);
}

/** What a parameter is filled with: below `/api/v1` a record of the path's own module. */
export function legacyParameter(path: string, parameter: string): string {
  const [, module] = /^\/api\/v1\/(\w+)/.exec(path) ?? [];
  return module !== undefined && parameter === "recordId" ? `${module}.recordId` : parameter;
}

/** What makes the records that `legacyParameter` names. */
export function legacyMakers(
  world: () => World,
): Readonly<Record<string, (person: Person) => Promise<string>>> {
  return Object.fromEntries(LEGACY_CODES.map((code) => [
    `${code}.recordId`,
    async (person: Person) => {
      const [record] = await keepRecords(world(), person, code, 1);
      return record?.recordId ?? "";
    },
  ]));
}

/** One record of each module, under the names of `legacyParameter`. */
export async function legacyExample(
  world: World,
  person: Person,
): Promise<Record<string, string>> {
  const makers = Object.entries(legacyMakers(() => world));
  const values = makers.map(async ([name, make]) => [name, await make(person)] as const);
  return Object.fromEntries(await Promise.all(values));
}

/** Version 1: modules, and records in tables. */

import { assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../src/catalog/module.ts";
import type { Route } from "../../src/http/route.ts";
import { LEGACY_MODULES, type LegacyModuleCode } from "../../src/v1/modules.ts";
import {
  insertLegacyRecords,
  type LegacyRecord,
  randomLegacyRecord,
} from "../support/legacy_records.ts";
import { seededRandom } from "../support/random.ts";
import type { Caller, TestResponse, World } from "../support/world.ts";

export const LEGACY_CODES = Object.keys(LEGACY_MODULES) as readonly LegacyModuleCode[];

const SUCCESSORS: Readonly<Record<LegacyModuleCode, string>> = {
  identity: "/api/v2/identity/profile",
  relationship: "/api/v2/relationship/people",
  resource: "/api/v2/resource/resources",
};

export function rootOf(code: string): string {
  return `/api/v1/${code}`;
}

/** Name, method and path of each. */
export function writesOf(code: string, id: string): readonly (readonly [string, string, string])[] {
  const [root, record] = [rootOf(code), `${rootOf(code)}/${id}`];
  return [
    ["create", "POST", root],
    ["modify", "PUT", record],
    ["archive", "POST", `${record}/archive`],
    ["restore", "POST", `${record}/restore`],
    ["delete", "DELETE", record],
    ["feature", "POST", `${record}/features/IDN-001`],
  ];
}

export function readsOf(code: string, id: string): readonly string[] {
  const root = rootOf(code);
  return [root, `${root}/export`, `${root}/${id}`, `${root}/${id}/revisions`];
}

/** The two deprecation headers. */
export function assertDeprecated(
  { headers }: TestResponse,
  code: LegacyModuleCode,
  label: string,
): void {
  // 20 November 2026 in RFC 9745's form.
  assertEquals(headers.get("Deprecation"), "@1795132800", label);
  assertEquals(headers.get("Link"), `<${SUCCESSORS[code]}>; rel="successor-version"`, label);
  assertEquals(headers.get("Sunset"), null, label);
}

/** All writes of version 1 are refused. */
export function isClosed({ endpoint }: Route): boolean {
  return Object.keys(endpoint.contract.responses).length === 0;
}

export function moduleOf(code: string): CatalogModule {
  const module = CATALOG.module(code);
  if (module === undefined) throw new Error(`The catalog has no module ${code}`);
  return module;
}

const RANDOM = seededRandom(20_261_122);

/** Older than the world's time. */
export function newLegacyRecords(
  { now }: Pick<World, "now">,
  count: number,
  code: string = "identity",
): LegacyRecord[] {
  return Array.from(
    { length: count },
    () => randomLegacyRecord(moduleOf(code), RANDOM, { now: now() }),
  );
}

/** Inserts as an import or family does; oldest first. */
export async function keepRecords(
  world: World,
  { accountId }: Caller,
  code: string,
  count: number,
  { guard = null }: { readonly guard?: string | null } = {},
): Promise<LegacyRecord[]> {
  const records = newLegacyRecords(world, count, code);
  await world.raw(insertLegacyRecords(accountId, code, records, { guard }));
  return records.sort((one, other) => one.recordId < other.recordId ? -1 : 1);
}

/** Names, under `/api/v1`, a record of the path's module. */
export function legacyParameter(path: string, parameter: string): string {
  const [, module] = /^\/api\/v1\/(\w+)/.exec(path) ?? [];
  return module !== undefined && parameter === "recordId" ? `${module}.recordId` : parameter;
}

/** Create the records that `legacyParameter` names. */
export const LEGACY_MAKERS: Readonly<
  Record<string, (caller: Caller, valueOf: unknown, world: World) => Promise<string>>
> = Object.fromEntries(LEGACY_CODES.map((code) => [
  `${code}.recordId`,
  async (caller, _valueOf, world) => {
    const [record] = await keepRecords(world, caller, code, 1);
    return record?.recordId ?? "";
  },
]));

/** Steps of a sample root: each runs once, however often the routine does. */

import type { Command } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import type { PatchRoute } from "../../kit/fields.ts";
import { type ArchivableRow, archived } from "../../kit/root.ts";
import { changeRoot, type Root, type RootTypes } from "../../kit/write.ts";
import { seedCommand, type Seeding } from "./seeding.ts";

type PatchedTypes = RootTypes & { readonly row: ArchivableRow; readonly change: "MODIFIED" };

export interface SeededRoot<T extends RootTypes> {
  readonly seeding: Seeding;
  readonly root: Root<T>;
  /** The sample's name for the routine, within its module. */
  readonly name: string;
  readonly key: T["key"];
}

/** The empty step creates the root. */
export function stepCommand(
  { seeding, name }: Pick<SeededRoot<RootTypes>, "seeding" | "name">,
  { module, policy }: Pick<Root<RootTypes>, "module" | "policy">,
  step: string,
  operation: string,
): Command {
  return seedCommand(seeding, `${module}/${name}${step}`, {
    operation: `${module}.${operation}`,
    moduleCode: module,
    policy,
  });
}

export async function patchSeeded<T extends PatchedTypes>(
  { seeding, root, name, key }: SeededRoot<T>,
  { check, decide }: PatchRoute<T["row"]>,
  revision: number,
  set: JsonObject,
): Promise<void> {
  const command = stepCommand({ seeding, name }, root, `/revision ${revision}`, "modify");
  await changeRoot(seeding, root, command, {
    key,
    expectedRevision: undefined,
    check: () => check({ set }, command.now),
    decide: (row) => decide(row, { set }, command.now),
  });
}

export async function archiveSeeded<T extends PatchedTypes>(
  { seeding, root, name, key }: SeededRoot<T>,
): Promise<void> {
  const command = stepCommand({ seeding, name }, root, "/archive", "archive");
  await changeRoot(seeding, root, command, {
    key,
    expectedRevision: undefined,
    decide: (row) => archived(row, command.now),
  });
}

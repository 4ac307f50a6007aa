/** Adds the sample identity, with the schemas and rules of requests. */

import { IDENTITY } from "../../catalog/modules/identity.ts";
import type { Command, CommandResult } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import { appendEntry, type EntryCreation, type LedgerEntry } from "../../kit/entry.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { archived } from "../../kit/root.ts";
import { changeRoot, createRoot, createRootBelow, type RootResult } from "../../kit/write.ts";
import { COMPARISON_BODY, sideColumns } from "../../families/identity/comparison.ts";
import { COMPARISONS, readSides } from "../../families/identity/comparison_store.ts";
import { comparisonWrite } from "../../families/identity/comparison_routes.ts";
import { decideProfile, PROFILE_PATCH } from "../../families/identity/profile.ts";
import { ONE_PROFILE, PROFILES, type ProfileTypes } from "../../families/identity/profile_store.ts";
import { decideRole, readRole, ROLE_FIELDS } from "../../families/identity/role.ts";
import { readPresentRoles, ROLES } from "../../families/identity/role_store.ts";
import { roleWrite } from "../../families/identity/role_routes.ts";
import {
  type ProfileSnapshot,
  readSnapshot,
  SNAPSHOT_BODY,
} from "../../families/identity/snapshot.ts";
import { PROFILE_SNAPSHOTS } from "../../families/identity/snapshot_store.ts";
import { snapshotWrite } from "../../families/identity/snapshot_routes.ts";
import { decideStage, STAGE_FIELDS } from "../../families/identity/stage.ts";
import { STAGES, type StageTypes, WITHOUT_OVERLAP } from "../../families/identity/stage_store.ts";
import { readBody } from "../../validate/schema.ts";
import type { Life, SampleIdentity, SampleStage } from "./sample.ts";
import type { Seeding } from "./seeding.ts";
import { stepCommand } from "./steps.ts";

const STAGE_PATCH = patchRoute(STAGES.root.idOf, STAGE_FIELDS);

/**
 * Creates the profile with its later revisions, then the rest; yields each creation's outcome.
 *
 * @param ids Receives the identifiers of the snapshots, which the comparisons name.
 */
export async function* seedIdentity(
  seeding: Seeding,
  life: Life,
  ids: Map<string, string>,
  { profile, roles, changes, stages, snapshots, comparisons }: SampleIdentity,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  yield await createProfile(seeding, life.fill(profile));
  for (const [index, role] of roles.entries()) {
    yield await enterRole(seeding, index, life.fill(role));
  }
  for (const [index, set] of changes.entries()) await changeProfile(seeding, index, life.fill(set));
  for (const [index, stage] of stages.entries()) {
    yield await makeStage(seeding, life, `stage ${index + 1}`, stage);
  }
  for (const [index, snapshot] of snapshots.entries()) {
    const made = await takeSnapshot(seeding, index, life.fill(snapshot));
    ids.set(`snapshot/${made.result.label}`, made.id);
    yield made;
  }
  for (const [index, comparison] of comparisons.entries()) {
    yield await compare(seeding, index, life.fill(comparison));
  }
}

async function createProfile(seeding: Seeding, sent: JsonObject): Promise<CommandResult<unknown>> {
  const body = readBody(fieldsBody(IDENTITY), sent);
  const command = identityCommand(seeding, "profile", "profile.create", PROFILES);
  return await createRoot(seeding, PROFILES, command, {
    decide: () => decideProfile(body, command.now),
    options: ONE_PROFILE,
  });
}

async function changeProfile(seeding: Seeding, index: number, set: JsonObject): Promise<void> {
  const step = `profile/change ${index + 1}`;
  const command = identityCommand(seeding, step, "profile.modify", PROFILES);
  await changeRoot(seeding, PROFILES, command, {
    key: {},
    expectedRevision: undefined,
    check: () => PROFILE_PATCH.check({ set }, command.now),
    decide: (row) => PROFILE_PATCH.decide(row, { set }, command.now),
  });
}

async function makeStage(
  seeding: Seeding,
  life: Life,
  step: string,
  { stage, changes = [], archived: isArchived }: SampleStage,
): Promise<CommandResult<unknown>> {
  const { root } = STAGES;
  const body = readBody(fieldsBody(STAGE_FIELDS.fields), life.fill(stage));
  const command = identityCommand(seeding, step, "stage.create", root);
  const made = await createRootBelow(seeding, PROFILES, root, command, {
    key: {},
    decide: () => decideStage(body, command.now),
    options: WITHOUT_OVERLAP,
  });
  const change = { key: { stageId: made.id }, expectedRevision: undefined };
  for (const [index, fields] of changes.entries()) {
    const set = life.fill(fields);
    const command = identityCommand(seeding, `${step}/revision ${index + 2}`, "stage.modify", root);
    await changeRoot(seeding, root, command, {
      ...change,
      check: () => STAGE_PATCH.check({ set }, command.now),
      decide: (row) => STAGE_PATCH.decide(row, { set }, command.now),
      options: WITHOUT_OVERLAP,
    });
  }
  if (isArchived) {
    const command = identityCommand(seeding, `${step}/archive`, "stage.archive", root);
    const decide = (row: StageTypes["row"]) => archived(row, command.now);
    await changeRoot(seeding, root, command, { ...change, decide });
  }
  return made;
}

async function enterRole(
  seeding: Seeding,
  index: number,
  sent: JsonObject,
): Promise<CommandResult<unknown>> {
  const body = readBody(fieldsBody(ROLE_FIELDS.fields), sent);
  return await append(seeding, ROLES, "role", index, (owner, now) => ({
    related: (sql, { role_id }) => readPresentRoles(sql, owner, role_id),
    decide: (profile, present) =>
      roleWrite(owner, decideRole(profile, present, readRole(body, now), now)),
  }));
}

async function takeSnapshot(
  seeding: Seeding,
  index: number,
  sent: JsonObject,
): Promise<RootResult<ProfileSnapshot>> {
  const body = readBody(SNAPSHOT_BODY, sent);
  return await append(seeding, PROFILE_SNAPSHOTS, "snapshot", index, (owner, now) => ({
    decide: (profile) => snapshotWrite(owner, profile, readSnapshot(body, now), now),
  }));
}

async function compare(
  seeding: Seeding,
  index: number,
  sent: JsonObject,
): Promise<CommandResult<unknown>> {
  const named = sideColumns(readBody(COMPARISON_BODY, sent));
  return await append(seeding, COMPARISONS, "comparison", index, (owner, now) => ({
    related: (sql) => readSides(sql, owner, named),
    decide: (_profile, sides) => comparisonWrite(owner, named, sides, now),
  }));
}

async function append<Row, Item, Related>(
  seeding: Seeding,
  entry: LedgerEntry<ProfileTypes["key"], Row, Item>,
  kind: string,
  index: number,
  creation: (owner: string, now: Date) => Omit<EntryCreation<ProfileTypes, Item, Related>, "key">,
): Promise<RootResult<Item>> {
  const command = identityCommand(seeding, `${kind} ${index + 1}`, `${kind}.create`, entry);
  return await appendEntry(seeding, PROFILES, entry, command, {
    key: {},
    ...creation(seeding.caller.account.accountId, command.now),
  });
}

/** A step runs once, however often the routine does. */
function identityCommand(
  seeding: Seeding,
  name: string,
  operation: string,
  { policy }: { readonly policy: string },
): Command {
  return stepCommand({ seeding, name }, { module: PROFILES.module, policy }, "", operation);
}

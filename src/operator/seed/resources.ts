/** Adds sample resources, with the schemas and rules of requests. */

import { RESOURCE } from "../../catalog/modules/resource.ts";
import type { CommandResult } from "../../command/command.ts";
import type { JsonObject } from "../../core/json.ts";
import { appendEntry } from "../../kit/entry.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { createRoot } from "../../kit/write.ts";
import { RESOURCE_FIELDS } from "../../families/resource/resource.ts";
import { decideCreate } from "../../families/resource/resource_rules.ts";
import { SNAPSHOT_FIELDS, takeSnapshot, toMeasurement } from "../../families/resource/snapshot.ts";
import { RESOURCE_SNAPSHOTS, writeSnapshot } from "../../families/resource/snapshot_store.ts";
import { resourcesFrom, type ResourceTypes } from "../../families/resource/resource_store.ts";
import { readBody } from "../../validate/schema.ts";
import type { Life, SampleResource } from "./sample.ts";
import type { Seeding } from "./seeding.ts";
import { archiveSeeded, patchSeeded, type SeededRoot, stepCommand } from "./steps.ts";

const RESOURCES = resourcesFrom("SEED").root;
const PATCH = patchRoute(RESOURCES.idOf, RESOURCE_FIELDS);

/** Yields the outcome of each creation. */
export async function* seedResource(
  seeding: Seeding,
  life: Life,
  { name, resource: sent, snapshots = [], changes = [], archived }: SampleResource,
): AsyncGenerator<CommandResult<unknown>, void, void> {
  const command = stepCommand({ seeding, name }, RESOURCES, "", "create");
  const body = readBody(fieldsBody(RESOURCE), { name, ...life.fill(sent) });
  const made = await createRoot(seeding, RESOURCES, command, {
    decide: () => decideCreate(body, command.now),
  });
  yield made;
  const resource = { seeding, root: RESOURCES, name, key: { resourceId: made.id } };
  for (const [index, sent] of snapshots.entries()) {
    yield await measure(
      resource,
      index + 1,
      readBody(fieldsBody(SNAPSHOT_FIELDS), life.fill(sent)),
    );
  }
  for (const [index, set] of changes.entries()) {
    await patchSeeded(resource, PATCH, index + 2, life.fill(set));
  }
  if (archived) await archiveSeeded(resource);
}

async function measure(
  resource: SeededRoot<ResourceTypes>,
  number: number,
  body: JsonObject,
): Promise<CommandResult<unknown>> {
  const { seeding, key } = resource;
  const entry = { module: RESOURCES.module, policy: RESOURCE_SNAPSHOTS.policy };
  const command = stepCommand(resource, entry, `/snapshot ${number}`, "snapshot.create");
  const measurement = toMeasurement(body, command.now);
  return await appendEntry(seeding, RESOURCES, RESOURCE_SNAPSHOTS, command, {
    key,
    decide(row) {
      const snapshot = takeSnapshot(row, measurement, command.now);
      return writeSnapshot(command.caller.account.accountId, snapshot);
    },
  });
}

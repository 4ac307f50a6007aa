/** People, memories, tags and routines, which the service writes itself: as many at every stage. */

import type { JsonObject } from "../../src/core/json.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { ServiceProcess } from "./service_process.ts";

const PEOPLE = 1_000;
const MEMORIES = 1_000;
const TAGS = 300;
const ROUTINES = 50;
const COMPLETIONS = 12;
const WRITES_AT_ONCE = 8;
const NAMES = ["Anna", "Émile", "Łucja", "Müller", "Ōe", "Zoë", "Ваня", "王芳"];

/** @throws if the service refuses a write. */
export async function writeLife(service: ServiceProcess): Promise<void> {
  await writeMany(PEOPLE, (index) =>
    service.call("POST", "/api/v2/relationship/people", {
      personName: `${NAMES[index % NAMES.length]} ${index}`,
      relationshipType: "FRIEND",
      importance: 3,
      lastContactAt: daysAgo(index * 37 % PEOPLE),
      desiredContactIntervalDays: 30,
    }));
  await writeMany(MEMORIES, (index) =>
    service.call("POST", "/api/v2/memory/texts", {
      title: `A day at the lake, ${index}`,
      memoryType: "EVENT",
      originalContent: "We swam until the light was gone.",
      occurredAt: daysAgo(index * 37 % MEMORIES),
      timePrecision: "DAY",
    }));
  await writeMany(TAGS, (index) =>
    service.call("POST", "/api/v2/taxonomy/tags", {
      name: `${NAMES[index % NAMES.length]} tag ${index}`,
    }));
  await writeMany(ROUTINES, (index) => writeRoutine(service, index));
}

async function writeRoutine(service: ServiceProcess, index: number): Promise<void> {
  const path = "/api/v2/records/routine";
  const payload: JsonObject = {
    routineName: "Stretch",
    area: "body",
    intervalDays: 3,
    active: true,
  };
  const { recordId } = await service.call("POST", path, { title: `Stretch ${index}`, payload });
  for (let revision = 1; revision <= COMPLETIONS; revision++) {
    await service.call("PATCH", `${path}/${recordId}`, {
      payload: { lastCompletedAt: daysAgo(COMPLETIONS - revision) },
      expectedRevision: revision,
    });
  }
}

async function writeMany(count: number, write: (index: number) => Promise<unknown>) {
  let next = 0;
  const writers = Array.from({ length: WRITES_AT_ONCE }, async () => {
    while (next < count) await write(next++);
  });
  await Promise.all(writers);
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

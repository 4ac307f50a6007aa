/** Documents, generated lives, imports and exports. */

import { assertEquals } from "@std/assert";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { clockOf, localTimeText } from "../../../src/validate/local_time.ts";
import type { Random } from "../../support/random.ts";
import type { Caller, Json, TestResponse } from "../../support/world.ts";
import { IDENTITY_BASE, roleBody, stageBody } from "./api.ts";
import { post, read } from "../memory/api.ts";

export const IMPORTS = `${IDENTITY_BASE}/imports`;
export const EXPORTS = `${IDENTITY_BASE}/exports`;

/** Something of each kind, without overlap with the example's stage. */
export const IMPORT_BODY: JsonObject = {
  version: 1,
  conflictMode: "CREATE_SNAPSHOT",
  profile: { displayName: "Eda" },
  stages: [stageBody(2020, 2025), stageBody(2025)],
  roles: [roleBody(2007), roleBody(2008)],
  snapshots: [{ label: "B", fields: { tags: [] } }, { label: "C", fields: { tags: ["a"] } }],
};

/** Saves the existing profile in a snapshot first. */
export function bringIn(
  caller: Pick<Caller, "call">,
  document: JsonObject,
  conflictMode = "CREATE_SNAPSHOT",
): Promise<TestResponse> {
  return post(caller, IMPORTS, { version: 1, conflictMode, ...document });
}

export async function imported(
  caller: Pick<Caller, "call">,
  document: JsonObject,
  conflictMode = "CREATE_SNAPSHOT",
): Promise<Json> {
  const response = await bringIn(caller, document, conflictMode);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** The JSON document as text. */
export async function exportedText(caller: Pick<Caller, "call">): Promise<string> {
  return (await read(caller, `${EXPORTS}?format=json`)).content;
}

const STAGES = ["CHILDHOOD", "ADOLESCENCE", "ADULTHOOD", "MIDLIFE", "TRANSITION", "OTHER"];
const AWKWARD = [
  "=1+1",
  "\t\r\n",
  '"quoted", and more',
  "\u2028\u2029\u007f",
  "e\u0301",
  " ",
  "\\",
];

const ZONES = ["Asia/Tokyo", "America/St_Johns", "Africa/Monrovia"];

/** With the clock of a zone or an offset, or with none. */
function randomlyClocked(random: Random, time: number): string {
  const clock = random.chance(0.5) ? null : clockOf(random.pick(ZONES), time);
  return localTimeText(time, random.chance(0.5) ? clock : clock?.slice(0, "+00:00".length) ?? null);
}

/** Fields may be missing, stages touch or leave gaps, texts are awkward. */
export function randomLife(random: Random): JsonObject {
  const perhaps = (members: () => JsonObject) => random.chance(0.6) ? members() : {};
  const line = (maximum: number) => random.text(1, maximum);
  const lines = () => random.chance(0.3) ? random.pick(AWKWARD) : random.text(0, 300);
  const times = (count: number, last: string): string[] => {
    const [start, end] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse(last)];
    const drawn = Array.from(
      { length: count },
      () => start + Math.floor(random.next() * (end - start)),
    );
    return [...new Set(drawn)].sort((a, b) => a - b).map((time) => randomlyClocked(random, time));
  };
  const fields = (): JsonObject => {
    const [startedAt, endedAt] = times(2, "9999-12-31T23:59:59.999Z");
    return {
      ...perhaps(() => ({ currentRole: random.text(0, 60) })),
      ...perhaps(() => ({ lifeStage: random.pick(STAGES) })),
      ...perhaps(() => ({ startedAt: startedAt ?? null })),
      ...perhaps(() => ({ endedAt: endedAt ?? null })),
      ...perhaps(() => ({ biography: lines() })),
      ...perhaps(() => ({ publicSummary: lines() })),
      ...perhaps(() => ({ tags: ["a", "=b", "\u00e9", "c, d"].slice(random.integer(0, 4)) })),
    };
  };
  const past = "2026-11-01T00:00:00Z";
  const roleTimes = times(random.integer(0, 5), past);
  const roles = roleTimes.flatMap((changedAt) =>
    Array.from({ length: random.integer(1, 2) }, () => ({
      role: line(40),
      changedAt,
      ...perhaps(() => ({ reason: lines() })),
    }))
  );
  const [newest] = roles.slice(-1);
  return {
    profile: {
      displayName: line(60),
      ...fields(),
      // If roles begin together, the last one is current.
      ...(newest && { currentRole: newest.role }),
    },
    stages: randomStages(random, times(random.integer(0, 12), past), line, lines),
    roles,
    snapshots: Array.from({ length: random.integer(0, 5) }, () => ({
      label: line(100),
      ...perhaps(() => ({ asOf: times(1, past)[0] ?? null })),
      fields: random.chance(0.5) ? { displayName: line(60), ...fields() } : { biography: lines() },
    })),
  };
}

/** Ordered and disjoint; some are open. */
function randomStages(
  random: Random,
  moments: readonly string[],
  line: (maximum: number) => string,
  lines: () => string,
): JsonValue[] {
  const stages: JsonValue[] = [];
  for (let at = 0; at < moments.length; at++) {
    const isLast = at === moments.length - 1;
    const end = isLast ? undefined : moments[at + 1];
    if (isLast && random.chance(0.5)) break;
    stages.push({
      lifeStage: random.pick(STAGES),
      title: line(80),
      startedAt: moments[at] ?? null,
      ...(end !== undefined && { endedAt: end }),
      ...(random.chance(0.5) && { note: lines() }),
    });
    if (random.chance(0.3)) at++;
  }
  return stages;
}

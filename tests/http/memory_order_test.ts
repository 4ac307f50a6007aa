/** Order of checks: the earlier of two faults answers. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { type Caller, fileWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, setMaintenance } from "./kernel.ts";
import { MEMORY, remember, TEXTS, withoutSecrets } from "../families/memory/api.ts";

const shared = fileWorld();

/** Everything that can be wrong. */
interface Sent {
  readonly memoryId: string;
  readonly query: string;
  readonly key: string | null;
  readonly mediaType: string;
  readonly body: JsonObject;
  readonly secret: boolean;
}

interface Fault {
  readonly code: ErrorCode;
  readonly spoils: Partial<Sent>;
}

const GOOD = { expectedRevision: 1, timePrecision: "UNKNOWN" };

/** Faults of `POST /texts/{memoryId}/time`, in order of precedence. */
const FAULTS: readonly Fault[] = [
  { code: "PAYLOAD_INVALID", spoils: { query: "?unknown=1" } },
  { code: "PAYLOAD_INVALID", spoils: { memoryId: "not-an-id" } },
  { code: "RECORD_IDEMPOTENCY_KEY_REQUIRED", spoils: { key: null } },
  { code: "HTTP_415", spoils: { mediaType: "text/plain" } },
  { code: "PAYLOAD_INVALID", spoils: { body: { ...GOOD, undeclared: 1 } } },
  { code: "IDEMPOTENCY_KEY_REUSED", spoils: { key: "used-before" } },
  { code: "PAYLOAD_INVALID", spoils: { body: { ...GOOD, timePrecision: "EXACT" } } },
  { code: "RECORD_NOT_FOUND", spoils: { memoryId: ulid() } },
  { code: "FORBIDDEN", spoils: { secret: true } },
  { code: "REVISION_CONFLICT", spoils: { body: { ...GOOD, expectedRevision: 7 } } },
];

Deno.test("A memory route reports the earlier of two faults and writes nothing", async () => {
  const world = shared();
  const owner = await world.createCaller();
  const caller = await withoutSecrets(world, owner);
  const memories = {
    open: (await remember(owner)).memoryId,
    secret: (await remember(owner, { privacyLevel: "SECRET" })).memoryId,
  };
  const send = (sent: Partial<Sent>) => {
    const memoryId = sent.memoryId ?? (sent.secret ? memories.secret : memories.open);
    const key = sent.key === undefined ? ulid() : sent.key;
    return caller.call("POST", `${TEXTS}/${memoryId}/time${sent.query ?? ""}`, {
      body: sent.body ?? GOOD,
      headers: { "Content-Type": sent.mediaType ?? "application/json" },
      ...(key !== null && { key }),
    });
  };
  for (const memoryId of Object.values(memories)) await spendKey(owner, memoryId);
  await assertWritesNothing(world, async () => {
    for (const [index, earlier] of FAULTS.entries()) {
      for (const later of FAULTS.slice(index)) {
        // Only keys of existing memories are used.
        const parted = earlier.spoils.key === "used-before" && "memoryId" in later.spoils;
        if (parted || collide(earlier, later)) continue;
        const label = JSON.stringify([earlier.spoils, later.spoils]);
        assertFailure(await send({ ...later.spoils, ...earlier.spoils }), earlier.code, label);
      }
    }
  });
  assertEquals((await send({ body: { ...GOOD, expectedRevision: 2 } })).status, 200);
});

/** Uses the key `used-before`. */
async function spendKey(caller: Caller, memoryId: string): Promise<void> {
  const body = { expectedRevision: 1, timePrecision: "LIFE_PERIOD", timeText: "then" };
  const response = await caller.call("POST", `${TEXTS}/${memoryId}/time`, {
    key: "used-before",
    body,
  });
  assertEquals(response.status, 200, response.text);
}

function collide(one: Fault, other: Fault): boolean {
  return one !== other && Object.keys(one.spoils).some((name) => name in other.spoils);
}

Deno.test("The maintenance window precedes policy, absence and revision of a frozen write", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const { memoryId } = await remember(caller);
  await setMaintenance(world, true);
  const frozen: [string, JsonObject][] = [
    [TEXTS, { ...MEMORY, timePrecision: "EXACT" }],
    [`${TEXTS}/${ulid()}/archive`, {}],
    [`${TEXTS}/${memoryId}/restore`, { expectedRevision: 9 }],
  ];
  for (const [path, body] of frozen) {
    const response = await caller.call("POST", path, { key: ulid(), body });
    assertFailure(response, "SYSTEM_MAINTENANCE", path);
  }
  const shape = await caller.call("POST", TEXTS, { key: ulid(), body: {} });
  assertFailure(shape, "PAYLOAD_INVALID");
});

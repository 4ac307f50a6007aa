/** Atomic writes of memory. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld, type TestResponse } from "../support/world.ts";
import { DRAFTS, EXPORTS, MEMORY, memoryExample, TEXTS } from "../families/memory/api.ts";

const world = fileWorld();

/** Tables of memory writes. */
const TABLES = [
  "memories",
  "memory_revisions",
  "memory_slices",
  "memory_drafts",
  "records",
  "record_revisions",
  "executions",
  "step_up_proofs",
  "audit_entries",
  "idempotency_envelopes",
];

const TEXT = `${TEXTS}/:memoryId`;
const NEXT = { expectedRevision: 2 };

/** Keyed by route. */
const WRITES: Readonly<Record<string, JsonObject>> = {
  [`POST ${TEXTS}`]: MEMORY,
  [`POST ${TEXT}/archive`]: {},
  [`POST ${TEXT}/revisions`]: { ...NEXT, title: "B" },
  [`POST ${TEXT}/ai-draft`]: { ...NEXT, aiDraft: "B", provider: "p" },
  [`POST ${TEXT}/ai-draft/adopt`]: { ...NEXT, confirm: true },
  [`POST ${TEXT}/ai-draft/reject`]: NEXT,
  [`POST ${TEXT}/time`]: { ...NEXT, timePrecision: "UNKNOWN" },
  [`POST ${TEXT}/privacy`]: { ...NEXT, privacyLevel: "NORMAL" },
  [`POST ${TEXT}/slices`]: { label: "B" },
  [`POST ${TEXT}/slices/:sliceId/recover`]: NEXT,
  [`PUT ${DRAFTS}/:draftId`]: { draftVersion: 2, content: { title: "B" } },
  [`POST ${DRAFTS}/:draftId/commit`]: {},
  [`POST ${DRAFTS}/:draftId/discard`]: {},
  [`POST ${EXPORTS}`]: { format: "JSON", includeSecret: true },
};

for (const [route, body] of Object.entries(WRITES)) {
  Deno.test(`${route} leaves nothing wherever it breaks off, and then succeeds`, async () => {
    const faulty = faultyDatabase(world().database);
    const identity = await world().createCaller();
    const caller: Caller = callerOf(world().again({ database: faulty.database }), identity);
    const values = await memoryExample(caller);
    if (route.endsWith("/recover")) {
      const change = { expectedRevision: 2, title: "Changed" };
      const path = `${TEXTS}/${values.memoryId}/revisions`;
      await caller.call("POST", path, { key: ulid(), body: change });
    }
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replaceAll(/:(\w+)/g, (_, name) => values[name] ?? "");
    const purpose = route.includes("export") ? "MEMORY_SECRET_EXPORT" : "MEMORY_PRIVACY_DOWNGRADE";
    const headers = await proofOf(world(), identity, purpose);
    const sent = route.endsWith("/recover") ? { expectedRevision: 3 } : body;
    const send = (): Promise<TestResponse> =>
      caller.call(method, path, { key: "the-key", body: sent, headers });

    await assertWholeOrNothing(world(), faulty, TABLES, send);
  });
}

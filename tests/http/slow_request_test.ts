/** A credential must be valid at the end of a slow request. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, type CallOptions, sharedWorld, type TestResponse } from "../support/world.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "./kernel.ts";

const world = sharedWorld();
/** Just over the time after which the credential is checked again. */
const LONG_MS = 1_050;

const { now } = performance;

/** The second half arrives after `meanwhile`, later by the process's clock. */
function slowBody(text: string, meanwhile: () => Promise<unknown>, waitMs: number): ReadableStream {
  const [first, second] = [text.slice(0, 5), text.slice(5)].map((part) =>
    new TextEncoder().encode(part)
  );
  return new ReadableStream({
    start: (body) => body.enqueue(first),
    async pull(body) {
      await meanwhile();
      performance.now = () => now.call(performance) + waitMs;
      body.enqueue(second);
      body.close();
    },
  });
}

const UPLOAD = { "Content-Type": "text/plain", "X-Filename": "a.txt" };

async function send(
  caller: Caller,
  kind: "record" | "file",
  meanwhile: () => Promise<unknown>,
  waitMs: number,
): Promise<TestResponse> {
  const record = JSON.stringify({ title: "A", payload: COMMITMENT });
  const [path, options]: [string, CallOptions] = kind === "record"
    ? [COMMITMENTS, {
      key: ulid(),
      headers: { "Content-Type": "application/json" },
      raw: slowBody(record, meanwhile, waitMs),
    }]
    : ["/api/v2/attachments", {
      headers: UPLOAD,
      raw: slowBody("a file's content", meanwhile, waitMs),
    }];
  try {
    return await caller.call("POST", path, options);
  } finally {
    performance.now = now;
  }
}

const ENDINGS: Readonly<Record<string, (caller: Caller) => string>> = {
  "its session is revoked": ({ sessionId }) =>
    `update sessions set revoked_at = created_at where session_id = '${sessionId}'`,
  "its account is disabled": ({ accountId }) =>
    `update accounts set disabled_at = created_at where account_id = '${accountId}'`,
};

for (const [name, end] of Object.entries(ENDINGS)) {
  for (const kind of ["record", "file"] as const) {
    Deno.test(`A slowly arriving ${kind} is not stored if ${name} meanwhile`, async () => {
      const caller = await world().createCaller();
      const response = await send(caller, kind, () => world().raw(end(caller)), LONG_MS);
      assertFailure(response, "AUTH_REQUIRED");
      const [row] = await world().rows(`
        select (select count(*)::integer from records where owner_id = '${caller.accountId}') as records,
               (select count(*)::integer from attachments where owner_id = '${caller.accountId}') as files`);
      assertEquals(row, { records: 0, files: 0 });
    });
  }
}

Deno.test("A slow request is not stored if the role loses the permission meanwhile", async () => {
  const caller = await world().createCaller();
  const demote = () =>
    world().raw(`update accounts set role = 'VIEWER' where account_id = '${caller.accountId}'`);
  assertFailure(await send(caller, "record", demote, LONG_MS), "FORBIDDEN");
});

Deno.test("A slow request is stored if the credential stays valid", async () => {
  const caller = await world().createCaller();
  for (const kind of ["record", "file"] as const) {
    const response = await send(caller, kind, () => Promise.resolve(), LONG_MS);
    assertEquals(response.status, 201, response.text);
  }
});

/** An ended credential in a process that cached it. */

import { assertEquals } from "@std/assert";
import type { AppServices } from "../../src/app.ts";
import { AUTH } from "../http/access.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { stalledBody } from "../support/stalled_body.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const BODY = { title: "A promise", payload: COMMITMENT };
const JSON_TYPE = { "Content-Type": "application/json" };

/** A revoked token and another one of the account, both cached. */
async function revokedToken(
  limits: AppServices["limits"],
): Promise<{ ended: Caller; owner: Caller }> {
  const caller = await world().createCaller();
  const permissions = ["record.write"];
  const stolen = await makeToken(world(), caller, { permissions });
  const own = await makeToken(world(), caller, { permissions });
  const app = world().again({ limits });
  const [ended, owner] = [stolen, own].map(({ token }) =>
    callerOf(app, { ...caller, secret: token })
  ) as [Caller, Caller];
  const known = await ended.call("POST", COMMITMENTS, { key: "known", body: BODY });
  assertEquals(known.status, 201, known.text);
  const ending = `${AUTH}/tokens/${stolen.tokenId}/revoke`;
  assertEquals((await callerOf(app, caller).call("POST", ending)).status, 200);
  return { ended, owner };
}

Deno.test("Unfinished bodies of an ended credential do not use its account's places", async () => {
  const { ended, owner } = await revokedToken({ perCredential: 0, perAddress: 0, inFlight: 4 });
  const bodies = Array.from({ length: 3 }, () => stalledBody("{"));
  const answers = bodies.map(({ stream: raw }, place) =>
    // Other cookies do not change the credential.
    ended.call("POST", COMMITMENTS, {
      key: `ended-${place}`,
      raw,
      headers: { ...JSON_TYPE, ...(place > 0 && { Cookie: `other=${place}` }) },
    })
  );
  const meanwhile = await owner.call("POST", COMMITMENTS, { key: "meanwhile", body: BODY });
  assertEquals(meanwhile.status, 201, meanwhile.text);
  for (const answer of await Promise.all(answers)) assertFailure(answer, "AUTH_REQUIRED");
  const behind = await owner.call("POST", COMMITMENTS, { key: "behind", body: BODY });
  assertEquals(behind.status, 201, behind.text);
  for (const { breakOff } of bodies) breakOff();
});

Deno.test("After a rejection for lack of a place, the rest of the body is not read", async () => {
  const { owner } = await revokedToken({ perCredential: 0, perAddress: 0, inFlight: 4 });
  const known = await owner.call("POST", COMMITMENTS, { key: "known-too", body: BODY });
  assertEquals(known.status, 201, known.text);
  const held = stalledBody("{");
  const holding = owner.call("POST", COMMITMENTS, {
    key: "held",
    raw: held.stream,
    headers: JSON_TYPE,
  });
  const refused = stalledBody("{");
  const answer = owner.call("POST", COMMITMENTS, {
    key: "refused",
    raw: refused.stream,
    headers: JSON_TYPE,
  });
  assertFailure(await answer, "HTTP_429");
  assertEquals([refused.isGivenUp(), held.isGivenUp()], [true, false]);
  held.breakOff();
  assertFailure(await holding, "HTTP_408");
});

Deno.test("A credential leaves the cache after any rejection that found it ended", async () => {
  const { ended } = await revokedToken({ perCredential: 0, perAddress: 3, inFlight: 256 });
  const peer = "192.0.2.66";
  for (let time = 0; time < 6; time++) {
    const response = await ended.call("POST", COMMITMENTS, { key: `${time}`, body: [], peer });
    assertFailure(response, time < 3 ? "AUTH_REQUIRED" : "HTTP_429");
  }
  let isRead = false;
  const raw = new ReadableStream<Uint8Array>({
    pull(controller) {
      isRead = true;
      controller.enqueue(new TextEncoder().encode("[]"));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const response = await ended.call("POST", COMMITMENTS, {
    key: "last",
    raw,
    peer,
    headers: JSON_TYPE,
  });
  assertFailure(response, "HTTP_429");
  assertEquals(isRead, false);
});

/** What an ended credential takes of its account, in a process that knew it. */

import { assertEquals } from "@std/assert";
import { AUTH } from "../http/access.ts";
import { assertFailure, COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { stalledBody } from "../support/stalled_body.ts";
import { makeToken } from "../support/tokens.ts";
import { type CallOptions, personOf, sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const BODY = { title: "A promise", payload: COMMITMENT };

Deno.test("Unfinished bodies of an ended credential hold no place of its account", async () => {
  const person = await world().person();
  const permissions = ["record.write"];
  const stolen = await makeToken(world(), person, { permissions });
  const own = await makeToken(world(), person, { permissions });
  const limits = { perCredential: 0, perAddress: 0, inFlight: 8 };
  const app = world().again({ limits });
  // One credential is known by as many names as it comes with other cookies.
  const send = (place: number, options: CallOptions) =>
    personOf(app, { ...person, secret: stolen.token }).call("POST", COMMITMENTS, {
      ...options,
      key: `stolen-${place}`,
      headers: { "Content-Type": "application/json", Cookie: `other=${place}` },
    });
  const places = [0, 1, 2, 3];
  for (const place of places) assertEquals((await send(place, { body: BODY })).status, 201);
  const ending = `${AUTH}/tokens/${stolen.tokenId}/revoke`;
  assertEquals((await personOf(app, person).call("POST", ending)).status, 200);
  const bodies = places.map(() => stalledBody("{"));
  const answers = bodies.map(({ stream }, place) => send(place, { raw: stream }));
  for (const answer of await Promise.all(answers)) assertFailure(answer, "AUTH_REQUIRED");
  const owner = personOf(app, { ...person, secret: own.token });
  const taken = await owner.call("POST", COMMITMENTS, { key: "own", body: BODY });
  assertEquals(taken.status, 201, taken.text);
  for (const { breakOff } of bodies) breakOff();
});

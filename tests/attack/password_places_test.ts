/** One account's hashes never use the places of others. */

import { assert, assertEquals } from "@std/assert";
import type { App } from "../../src/app.ts";
import { AUTH, givePassword, MeetingHasher, PASSWORD, register } from "../http/access.ts";
import { callApp, type Caller, callerOf, fileWorld } from "../support/world.ts";

const shared = fileWorld();

const STRANGERS = 14;

Deno.test("Strangers' logins leave places for an address that signed in before", async () => {
  const world = shared();
  const known = await register(world);
  // All arrive before the first hash is done.
  const passwords = new MeetingHasher(STRANGERS + 1);
  const attacked = world.again({ passwords });
  const login = (app: App, password: string, peer: string) =>
    callApp(app, "POST", `${AUTH}/login`, { body: { ...known, password }, peer });
  assertEquals((await login(world.app, known.password, "192.0.2.1")).status, 200);
  const attack = Array.from(
    { length: STRANGERS },
    (_, index) => login(attacked, "not the password, surely", `203.0.113.${index}`),
  );
  const [owner, ...strangers] = await passwords.all([
    login(attacked, known.password, "192.0.2.1"),
    ...attack,
  ]);
  assertEquals(owner?.status, 200, owner?.text);
  const statuses = strangers.map(({ status }) => status);
  assert(statuses.every((status) => status === 401 || status === 429), statuses.join());
  // Later strangers are rejected.
  assert(statuses.includes(429), statuses.join());
});

/** One account's requests, with its password. */
const OUTSTANDING = 10;

for (const kind of ["step-ups", "sign-ins"] as const) {
  Deno.test(`Pending ${kind} of one account leave places for every other account`, async () => {
    const world = shared();
    const callers = await Promise.all([1, 2, 3].map(async () => {
      const caller = await world.createCaller();
      await givePassword(world, caller);
      return caller;
    }));
    const [attacker, known, other] = callers as [Caller, Caller, Caller];
    const login = (app: App, { accountId }: Caller, peer: string) => {
      const body = { email: `${accountId}@example.org`, password: PASSWORD };
      return callApp(app, "POST", `${AUTH}/login`, { body, peer });
    };
    assertEquals((await login(world.app, known, "192.0.2.1")).status, 200);

    const passwords = new MeetingHasher(OUTSTANDING + 4);
    const attacked = world.again({ passwords });
    const stepUp = (caller: Caller) =>
      callerOf(attacked, caller).call("POST", `${AUTH}/step-up`, {
        body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" },
      });
    const attack = Array.from(
      { length: OUTSTANDING },
      (_, index) =>
        kind === "step-ups" ? stepUp(attacker) : login(attacked, attacker, `203.0.113.${index}`),
    );
    const others = [
      login(attacked, known, "192.0.2.1"),
      stepUp(known),
      login(attacked, other, "192.0.2.2"),
      stepUp(other),
    ];
    const responses = await passwords.all([...attack, ...others]);
    const statuses = responses.map(({ status }) => status);
    assertEquals(statuses.slice(OUTSTANDING), [200, 200, 200, 200]);
    // The attack filled every remaining place.
    assert(statuses.includes(429), statuses.join());
  });
}

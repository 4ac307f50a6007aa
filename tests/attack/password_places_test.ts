/** Logins from ever other addresses take the places of password hashes, but never the owner's. */

import { assert, assertEquals } from "@std/assert";
import { AUTH, register } from "../http/access.ts";
import { createWorld } from "../support/world.ts";

Deno.test("Strangers' logins leave places for an address that signed in before", async () => {
  await using world = await createWorld();
  const known = await register(world);
  const login = (password: string, peer: string) =>
    world.call("POST", `${AUTH}/login`, { body: { ...known, password }, peer });
  assertEquals((await login(known.password, "192.0.2.1")).status, 200);
  const attack = Array.from(
    { length: 24 },
    (_, index) => login("not the password, surely", `203.0.113.${index}`),
  );
  // The first is turned away once every place that strangers may take is taken.
  await Promise.any(attack.map(async (attempt) => assertEquals((await attempt).status, 429)));
  const owner = await login(known.password, "192.0.2.1");
  assertEquals(owner.status, 200, owner.text);
  const statuses = (await Promise.all(attack)).map(({ status }) => status);
  assert(statuses.every((status) => status === 401 || status === 429), statuses.join());
});

/** Logins from ever other addresses take the places of password hashes, but never the owner's. */

import { assert, assertEquals } from "@std/assert";
import type { App } from "../../src/app.ts";
import { AUTH, MeetingHasher, register } from "../http/access.ts";
import { callApp, createWorld } from "../support/world.ts";

const STRANGERS = 14;

Deno.test("Strangers' logins leave places for an address that signed in before", async () => {
  await using world = await createWorld();
  const known = await register(world);
  // All of them are there before the first hash is done.
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
  // Those who come once every place that strangers may take is taken are turned away.
  assert(statuses.includes(429), statuses.join());
});

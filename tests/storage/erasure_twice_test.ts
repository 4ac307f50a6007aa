// engines: postgres
/** A second erasure, and the data that moves from one installation to the next. */

import { assertEquals } from "@std/assert";
import { remember, TEXTS } from "../families/memory/api.ts";
import { createPerson, detail } from "../families/relationship/api.ts";
import {
  backUp,
  configFrom,
  createErasable,
  makeFeed,
  plan,
  restore,
  run,
  signIn,
  verify,
} from "../support/erasure.ts";
import { type OwnService, setUpOwner, startOwn } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { createServerDatabase } from "../support/template.ts";
import { callApp, type Caller, callerOf } from "../support/world.ts";
import { newPasskey, newUser } from "./passkey_rows.ts";
import { insertInto } from "./rows.ts";

/** Makes a token that reads memories. */
async function createToken(caller: Caller): Promise<string> {
  const step = await caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: OWNER.password, purpose: "TOKEN_CREATE" },
  });
  const made = await caller.call("POST", "/api/v2/auth/tokens", {
    body: { name: "A token", permissions: ["memory.read"] },
    headers: { "Step-Up-Proof": step.body.data.proof },
  });
  return made.body.data.token;
}

/** Creates a person with a birthday, and returns the identifier. */
async function celebrate(caller: Caller, personName: string): Promise<string> {
  const person = await createPerson(caller, { personName });
  const value = { date: "1990-07-01", what: "BIRTHDAY" };
  await detail(caller, person, { kind: "DATE", value });
  return person.personId;
}

/** The names of people in a calendar. */
async function namesIn({ app }: OwnService, feed: string): Promise<string[]> {
  const { status, text } = await callApp(app, "GET", feed);
  assertEquals(status, 200, text);
  return ["Lena", "Marta"].filter((name) => text.includes(name));
}

async function linesIn(folder: string): Promise<number> {
  return (await Deno.readTextFile(`${folder}/erasures.jsonl`)).trimEnd().split("\n").length;
}

Deno.test("Second erasure keeps the first, tokens and feeds go on, and a lost list is written again", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  let [first, second, secret, person, feed] = ["", "", "", "", ""];
  {
    await using service = await startOwn(configFrom(old.env));
    const owner = await setUpOwner(service);
    [first, second] = [(await remember(owner)).memoryId, (await remember(owner)).memoryId];
    secret = await createToken(owner);
    person = await celebrate(owner, "Lena");
    await celebrate(owner, "Marta");
    feed = await makeFeed(owner, "A feed");
    assertEquals(await namesIn(service, feed), ["Lena", "Marta"]);
    await old.raw(
      insertInto("passkey_users", newUser(owner)) + insertInto("passkeys", newPasskey(owner)),
    );
  }
  await run(
    env,
    (await plan(env, OWNER.email, `memory:${first}`, `person:${person}`)).digest,
    folder,
  );
  await using opened = new AsyncDisposableStack();
  const { url, drop } = await createServerDatabase();
  opened.defer(drop);
  // A folder below DATA_DIR, as the packed program needs it.
  const [next, below] = [{ ...fresh, ERASE_DATABASE_URL: url }, `${folder}/below`];
  const { digest } = await plan(next, OWNER.email, `memory:${second}`);
  const { tables, id } = await run(next, digest, below);
  for (const name of ["tokens", "calendar_feeds", "passkey_users", "passkeys"]) {
    assertEquals([tables[name].after.rows, tables[name].after], [1, tables[name].before], name);
  }
  const newest = { ...fresh, DATA_DIR: below, DATABASE_URL: url };
  assertEquals(await verify(newest), { certificates: 2, subjects: 3, found: [] });
  assertEquals([...Deno.readDirSync(`${below}/erasures`)].length, 2);
  await Deno.remove(`${below}/erasures.jsonl`);
  {
    await using service = await startOwn(configFrom(newest));
    const { accountId, sessionId } = await signIn(service);
    assertEquals(await namesIn(service, feed), ["Marta"]);
    const program = callerOf(service.app, { accountId, sessionId, secret });
    for (const memoryId of [first, second]) {
      assertEquals((await program.call("GET", `${TEXTS}/${memoryId}`)).status, 410);
    }
  }
  assertEquals(await linesIn(below), 2);

  const backup = await backUp(newest);
  await using other = await createErasable();
  await Deno.mkdir(other.folder);
  await Deno.copyFile(backup, `${other.folder}/backup`);
  await restore(other.fresh, `${other.folder}/backup`);
  assertEquals(await linesIn(other.folder), 2);
  const kept = await Deno.readTextFile(`${other.folder}/erasures.jsonl`);
  assertEquals(kept.includes(id), true);
});

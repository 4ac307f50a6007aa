/** The credentials of a moved account: each gets the new address, and nothing else does. */

import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { look, publicCaller } from "../families/identity/public.ts";
import { backupFolder, backUpWorld, restoreFile } from "../storage/backup.ts";
import { emailOf, moveAway } from "../storage/operator.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  fileWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { AUTH, COOKIE, givePassword, PASSWORD } from "./access.ts";
import { createAssistant, LIMITS, send } from "./assistants.ts";
import { makeFeed, pathOfFeed } from "./calendar.ts";
import { assertFailure, COMMITMENTS } from "./kernel.ts";
import { addProgram, allow, exchangeForm, post, refreshForm, signIn } from "./sign_in_tokens.ts";

const NEW = "https://new.example";

const world = fileWorld({ assistants: LIMITS });

/** A call by each kind of credential that a move ends; all succeed before it. */
async function credentialsOf(
  own: World,
  owner: Caller,
): Promise<Record<string, () => Promise<TestResponse>>> {
  const by = (secret: string) => callerOf(own.app, { ...owner, secret });
  const program = await addProgram(own, owner.accountId);
  const { access, refresh } = await signIn(own, program);
  const [token, feed, assistant] = [
    await makeToken(own, owner),
    await makeFeed(own, owner),
    await createAssistant(own, owner, { modules: ["commitment"] }),
  ];
  return {
    session: () => owner.call("GET", COMMITMENTS),
    cookie: () =>
      own.call("GET", COMMITMENTS, { headers: { Cookie: `${COOKIE}=${owner.secret}` } }),
    write: () => owner.call("POST", COMMITMENTS, { key: "k", body: {} }),
    token: () => by(token.token).call("GET", COMMITMENTS),
    feed: () => own.call("GET", pathOfFeed(feed)),
    assistant: () => send(assistant.caller, "ping"),
    accessToken: () => send(by(access), "ping"),
    refreshToken: () => post(own, refreshForm(program, refresh)),
  };
}

/** The status and address of an answer, in the form of its route. */
function seen({ status, body, text }: TestResponse): unknown[] {
  const [named] = /https:\/\/[\w.]+\w/.exec(text) ?? [];
  return [status, body?.error?.details?.movedTo ?? body?.movedTo ?? named];
}

Deno.test("Each credential of a moved account gets the new address for 400 days", async () => {
  const own = world();
  const { caller: owner, slug } = await publicCaller(own);
  await givePassword(own, owner);
  const calls = await credentialsOf(own, owner);
  const other = await own.createCaller();
  assertEquals((await calls.session?.())?.status, 200);
  assertEquals((await calls.feed?.())?.status, 200);
  await moveAway(own, owner, NEW);
  for (const [name, call] of Object.entries(calls)) {
    // One look-up finds both.
    const [moved, open] = await Promise.all([call(), other.call("GET", COMMITMENTS)]);
    assertEquals(seen(moved), [410, NEW], `${name}: ${moved.text}`);
    assertEquals(open.status, 200);
  }
  assertEquals(assertFailure(await look(own, slug), "ACCOUNT_MOVED"), { movedTo: NEW });
  assertEquals((await calls.refreshToken?.())?.body.error, "invalid_grant");
  assertEquals((await calls.feed?.())?.headers.get("Content-Type"), "text/plain; charset=utf-8");

  own.advance(400 * DAY_MS);
  for (const [name, call] of Object.entries(calls)) {
    const { status } = await call();
    assertEquals(status, { feed: 404, refreshToken: 400 }[name] ?? 401, name);
  }
  const body = { email: emailOf(owner), password: PASSWORD };
  assertFailure(await own.call("POST", `${AUTH}/login`, { body }), "ACCOUNT_MOVED");
});

Deno.test("A credential that had ended before the move reveals nothing", async () => {
  await using own = await createWorld({ assistants: LIMITS });
  const owner = await own.createCaller();
  const soon = new Date(own.now().getTime() + DAY_MS).toISOString();
  const by = (secret: string) => callerOf(own.app, { ...owner, secret });
  const read = (caller: Caller) => () => caller.call("GET", COMMITMENTS);
  const idle = await login(own, owner);
  const expiring = await makeToken(own, owner, { expiresAt: soon });
  const feed = await makeFeed(own, owner, { expiresAt: soon });
  own.advance(32 * DAY_MS);
  const current = callerOf(own.app, { ...owner, ...await login(own, owner) });
  const closed = await login(own, owner);
  const revoked = await makeToken(own, current);
  const program = await addProgram(own, owner.accountId);
  const { refresh } = await signIn(own, program);
  const code = await allow(own, program);
  await post(own, refreshForm(program, refresh));
  await by(closed.secret).call("POST", `${AUTH}/logout`);
  await current.call("POST", `${AUTH}/tokens/${revoked.tokenId}/revoke`);
  own.advance(1);
  await moveAway(own, owner, NEW);
  const calls: Record<string, [() => Promise<TestResponse>, number]> = {
    idle: [read(by(idle.secret)), 401],
    closed: [read(by(closed.secret)), 401],
    expired: [read(by(expiring.token)), 401],
    revoked: [read(by(revoked.token)), 401],
    feed: [() => own.call("GET", pathOfFeed(feed)), 404],
    used: [() => post(own, refreshForm(program, refresh)), 400],
    code: [() => post(own, exchangeForm(program, code)), 400],
  };
  for (const [name, [call, status]] of Object.entries(calls)) {
    assertEquals((await call()).status, status, name);
  }
  assertEquals((await read(current)()).status, 410);
  await own.raw(`update accounts set disabled_at = now()`);
  assertEquals((await read(current)()).status, 401);
});

/** Signs in by password. */
async function login(own: World, owner: Caller): Promise<{ sessionId: string; secret: string }> {
  await givePassword(own, owner);
  const body = { email: emailOf(owner), password: PASSWORD, transport: "bearer" };
  const { data }: Json = (await own.call("POST", `${AUTH}/login`, { body })).body;
  return { sessionId: data.session.sessionId, secret: data.accessToken };
}

Deno.test("A restored backup knows the tokens that a move ended, and not those that it ends", async () => {
  await using own = await createWorld();
  const [owner, staying] = [await own.createCaller(), await own.createCaller()];
  const tokens = [await makeToken(own, owner), await makeToken(own, staying)];
  await moveAway(own, owner, NEW);
  await using folder = await backupFolder();
  await backUpWorld(own, `${folder.path}/backup`);
  await using restored = await createWorld();
  await restoreFile(restored, `${folder.path}/backup`);
  const secrets = [...tokens.map(({ token }) => token), owner.secret];
  const statuses = secrets.map(async (secret) =>
    (await callerOf(restored.app, { ...owner, secret }).call("GET", COMMITMENTS)).status
  );
  assertEquals(await Promise.all(statuses), [410, 401, 401]);
});

/** Creation and public form of assistants that sign in. */

import { assert, assertEquals } from "@std/assert";
import { anotherProcess, type Caller, fileWorld, type Json } from "../support/world.ts";
import { askForAssistant, ASSISTANTS, LIMITS } from "./assistants.ts";
import { assertInvalid } from "./kernel.ts";
import { createSigningIn } from "./sign_in.ts";
import { allow, post, refreshForm, signIn, tokensOf } from "./sign_in_tokens.ts";

const world = fileWorld({ assistants: LIMITS });
const OWN = "https://program.example/callback";
const ask = (owner: Caller, signIn: Json) =>
  askForAssistant(world(), owner, { modules: ["commitment"], signIn });

Deno.test("An assistant that signs in has no token, and every answer shows how it signs in", async () => {
  const owner = await world().createCaller();
  const shown = await createSigningIn(world(), owner);
  const { assistantId, signIn } = shown;
  assertEquals(signIn, {
    clientId: assistantId,
    program: "CLAUDE",
    callbacks: [
      "https://claude.ai/api/mcp/auth_callback",
      "https://claude.com/api/mcp/auth_callback",
    ],
    boundTo: null,
    signIns: 0,
  });
  assert(!Object.hasOwn(shown, "token"));
  world().advance(1);
  const pasted = await askForAssistant(world(), owner, { modules: ["commitment"] });
  const { token: _, ...other } = pasted.body.data;
  assert(!Object.hasOwn(other, "signIn"));
  assertEquals((await owner.call("GET", ASSISTANTS)).body.data.items, [other, shown]);
  const path = `${ASSISTANTS}/${assistantId}`;
  assertEquals((await owner.call("GET", path)).body.data, shown);
  const ended = (await owner.call("POST", `${path}/revoke`)).body.data;
  assertEquals(ended, { ...shown, revokedAt: world().now().toISOString() });
});

Deno.test("Only another program has callbacks that the owner types: 1 to 5 different ones", async () => {
  const owner = await world().createCaller();
  const ports = ["http://localhost:1/", "http://localhost:65535/", "http://localhost/"];
  const callbacks = [...ports, ...["1", "2", "3", "4"].map((name) => `${OWN}/${name}`)];
  const made = await createSigningIn(world(), owner, { program: "OTHER", callbacks });
  assertEquals(made.signIn.callbacks, ["http://localhost/", ...callbacks.slice(3)]);
  assertEquals((await owner.call("GET", ASSISTANTS)).body.data.items, [made]);
  const long = `${OWN}/${"x".repeat(499 - OWN.length)}`;
  const longest = [1, 2, 3, 4, 5].map((last) => long.slice(0, -1) + last);
  await createSigningIn(world(), owner, { program: "OTHER", callbacks: longest });

  const wrong: readonly [Json, string, string][] = [
    [{ program: "OTHER" }, "callback.count", "callbacks"],
    [{ program: "OTHER", callbacks: [] }, "callback.count", "callbacks"],
    [{ program: "OTHER", callbacks: [...callbacks, OWN] }, "callback.count", "callbacks"],
    [{ program: "CLAUDE", callbacks: [OWN] }, "callback.count", "callbacks"],
    [{ program: "CLAUDE", callbacks: [] }, "callback.count", "callbacks"],
    [{ program: "OTHER", callbacks: [OWN, `${OWN}#`] }, "callback.format", "callbacks"],
    [{ program: "OTHER", callbacks: [`${long}x`] }, "callback.format", "callbacks"],
    [{ program: "OTHER", callbacks: [1] }, "field.type", "callbacks"],
    [{ program: "OTHER", callbacks: OWN }, "field.type", "callbacks"],
    [{ program: "claude" }, "field.option", "program"],
    [{}, "field.required", "program"],
    ["CLAUDE", "field.type", "signIn"],
    [null, "field.type", "signIn"],
  ];
  for (const [signIn, rule, field] of wrong) {
    assertInvalid(await ask(owner, signIn), [rule], [field], JSON.stringify(signIn));
  }
  assertInvalid(await ask(owner, { program: "CLAUDE", token: "x" }), ["undeclared_field"]);
});

Deno.test("Without the console no assistant can be created that signs in", async () => {
  const closed = anotherProcess(world(), { console: false });
  const owner = await closed.createCaller();
  const body = { modules: ["commitment"], signIn: { program: "CLAUDE" } };
  assertInvalid(await askForAssistant(closed, owner, body), ["assistant.sign_in"], ["signIn"]);
  const pasted = await askForAssistant(closed, owner, { modules: ["commitment"] });
  assertEquals(pasted.status, 201);
});

Deno.test("Sign-ins are counted until they end", async () => {
  const owner = await world().createCaller();
  const made = await createSigningIn(world(), owner);
  world().advance(1);
  await createSigningIn(world(), owner);
  const counts = async () => {
    const { items } = (await owner.call("GET", ASSISTANTS)).body.data;
    const path = `${ASSISTANTS}/${made.assistantId}`;
    const detail = (await owner.call("GET", path)).body.data;
    return [...items.toReversed(), detail].map(({ signIn }: Json) => signIn.signIns);
  };
  const program = { accountId: owner.accountId, assistantId: made.assistantId };
  await allow(world(), program);
  assertEquals(await counts(), [0, 0, 0]);
  const { refresh } = await signIn(world(), program);
  await signIn(world(), program);
  tokensOf(await post(world(), refreshForm(program, refresh)));
  assertEquals(await counts(), [2, 0, 2]);
  world().advance(60_001);
  await post(world(), refreshForm(program, refresh));
  assertEquals(await counts(), [1, 0, 1]);
  const revoked = await owner.call("POST", `${ASSISTANTS}/${made.assistantId}/revoke`);
  assertEquals(revoked.body.data.signIn.signIns, 0);
});

import { assert, assertEquals } from "@std/assert";
import { answerOf, decideRequest, requestOf } from "../http/sign_in.ts";
import {
  addProgram,
  assertOAuthFailure,
  CHALLENGE,
  exchangeForm,
  opens,
  type Place,
  post,
  refreshForm,
  tokensOf,
} from "../http/sign_in_tokens.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { callApp, callerOf, ENGINE } from "../support/world.ts";

const ON = { ASSISTANTS: "true" };
const EXCHANGES = 20;

function placeOf(app: Place["app"]): Place {
  return { app, call: (method, path, options) => callApp(app, method, path, options) };
}

Deno.test({
  name: "A code gives one pair in two processes, and a kill ends neither codes nor sign-ins",
  // The built-in engine serves one process.
  ignore: ENGINE !== "postgres",
  async fn() {
    await using place = await createInstallation();
    const owner = await place.settle();
    await using killed = await startServer({ ...place.env, ...ON });
    await using service = await place.serve(ON);
    const [first, second] = [placeOf(killed.app), placeOf(service.app)];
    const program = await place.withDatabase((database) =>
      addProgram({ database, now: () => new Date() }, owner.accountId)
    );
    const allow = async () => {
      const request = requestOf(program.assistantId, { code_challenge: CHALLENGE });
      const caller = callerOf(first.app, owner);
      return answerOf(await decideRequest(caller, request, program.assistantId)).code;
    };
    const [raced, kept, exchanged] = [await allow(), await allow(), await allow()];
    const answers = await Promise.all(
      Array.from(
        { length: EXCHANGES },
        (_, index) => post([first, second][index % 2] ?? first, exchangeForm(program, raced)),
      ),
    );
    const [winner, ...others] = answers.toSorted((left, right) => left.status - right.status);
    assert(winner !== undefined);
    tokensOf(winner);
    for (const other of others) assertOAuthFailure(other, "invalid_grant");

    const { access, refresh } = tokensOf(await post(first, exchangeForm(program, exchanged)));
    killed.kill("SIGKILL");
    assertEquals((await killed.ended).signal, "SIGKILL");
    assert(await opens(second, access));
    const next = tokensOf(await post(second, refreshForm(program, refresh)));
    const late = tokensOf(await post(second, exchangeForm(program, kept)));
    assert(await opens(second, late.access));
    assertOAuthFailure(await post(second, exchangeForm(program, exchanged)), "invalid_grant");
    assertEquals(await opens(second, next.access), false);
  },
});

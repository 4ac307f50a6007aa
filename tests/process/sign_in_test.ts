import { assert, assertEquals } from "@std/assert";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  opens,
  type Place,
  post,
  refreshForm,
  tokensOf,
} from "../http/sign_in_tokens.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";
import { callApp, ENGINE } from "../support/world.ts";

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
    const { accountId } = await place.settle();
    await using killed = await startServer({ ...place.env, ...ON });
    await using service = await place.serve(ON);
    const [first, second] = [placeOf(killed.app), placeOf(service.app)];
    const { program, codes: [raced = "", kept = "", exchanged = ""] } = await place.withDatabase(
      async (database) => {
        const at = { database, now: () => new Date() };
        const program = await addProgram(at, accountId);
        const allowed = [1, 2, 3].map(() => allow(at, program));
        return { program, codes: await Promise.all(allowed) };
      },
    );
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

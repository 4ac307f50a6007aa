/** Concurrent uses of one code or factor, at two processes. */

import { assertEquals } from "@std/assert";
import { assertRefused, givePassword } from "../http/access.ts";
import { holdBeforeCommit } from "../http/held_database.ts";
import {
  begin,
  changeProof,
  confirm,
  countWrongCodes,
  enrol,
  type Enrolled,
  factorEvents,
  isOn,
  login,
  STEP,
  stepUp,
  TOTP,
  WRONG_CODES_LIMIT,
  wrongCode,
} from "../http/second_factor.ts";
import { emailOf } from "../storage/operator.ts";
import { callerOf, fileWorld, type Json, type TestResponse } from "../support/world.ts";
import { type Ending, ENDINGS, race, type Request } from "./holding.ts";

// Not shared: its tests move the clock.
const world = fileWorld();

const WAYS: Readonly<Record<string, (enrolled: Enrolled, sent: Json) => Request>> = {
  "sign-in": (enrolled, sent) => (caller) => login(caller, enrolled, sent),
  "step-up": (_enrolled, sent) => (caller) => stepUp(caller, sent),
};

/** Code or recovery code. */
async function sentBy(
  { authenticator, recoveryCodes }: Enrolled,
  kind: string,
): Promise<Json> {
  return kind === "code"
    ? { code: await authenticator.codeAt(world().now()) }
    : { recoveryCode: recoveryCodes[0] };
}

function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status);
}

/** `race` for requests without a committing statement. */
function meet(
  { caller }: Enrolled,
  requests: readonly [Request, Request],
  ending?: Ending,
): Promise<readonly [TestResponse, TestResponse]> {
  return race(world(), caller, requests, ending, holdBeforeCommit);
}

for (const ending of ENDINGS) {
  for (const kind of ["code", "recovery code"]) {
    for (const [first, firstWay] of Object.entries(WAYS)) {
      for (const [second, secondWay] of Object.entries(WAYS)) {
        Deno.test(`One ${kind} at two processes, in a ${first} that is ${ending} and a ${second}, is used once`, async () => {
          const enrolled = await enrol(world());
          world().advance(STEP);
          const sent = await sentBy(enrolled, kind);
          const requests = [firstWay(enrolled, sent), secondWay(enrolled, sent)] as const;
          const [one, other] = await meet(enrolled, requests, ending);
          if (ending === "killed") assertEquals(other.status, 200, other.text);
          else {
            assertEquals(one.status, 200, one.text);
            assertRefused(other, second === "sign-in" ? "AUTH_REQUIRED" : "STEP_UP_REQUIRED");
          }
        });
      }
    }
  }

  Deno.test(`A right code that waits for the last wrong one, which is ${ending}, is rejected with it`, async () => {
    const enrolled = await enrol(world());
    await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT - 1);
    world().advance(STEP);
    const wrong = { code: await wrongCode(enrolled.authenticator, world().now()) };
    const right = await sentBy(enrolled, "code");
    const requests: readonly [Request, Request] = [
      (caller) => stepUp(caller, wrong),
      (caller) => login(caller, enrolled, right),
    ];
    const [one, other] = await meet(enrolled, requests, ending);
    if (ending === "killed") assertEquals(other.status, 200, other.text);
    else {
      assertRefused(one, "STEP_UP_REQUIRED");
      assertRefused(other, "AUTH_REQUIRED");
    }
  });

  Deno.test(`Of two confirmations of one secret, the first ${ending}, one turns the factor on`, async () => {
    const caller = await world().createCaller();
    const authenticator = await begin(world(), caller);
    const code = await authenticator.codeAt(world().now());
    const send: Request = (caller) => confirm(caller, code);
    const [one, other] = await race(world(), caller, [send, send], ending, holdBeforeCommit);
    if (ending === "killed") assertEquals(other.status, 200, other.text);
    else {
      assertEquals(one.status, 200, one.text);
      assertRefused(other, "SECOND_FACTOR_STATE_CONFLICT");
    }
    assertEquals(await factorEvents(world(), caller), ["SECOND_FACTOR_ENABLED SESSION"]);
    const [row] = await world().rows(`
      select count(*)::integer as codes from recovery_codes where account_id = '${caller.accountId}'`);
    assertEquals(row.codes, 10);
  });
}

Deno.test("A sign-in without a code that waits while the factor is turned on is asked for one", async () => {
  const owner = await world().createCaller();
  await givePassword(world(), owner);
  const authenticator = await begin(world(), owner);
  const code = await authenticator.codeAt(world().now());
  const [one, other] = await race(
    world(),
    owner,
    [(caller) => confirm(caller, code), (caller) => login(caller, { email: emailOf(owner) })],
    "committed",
    holdBeforeCommit,
  );
  assertEquals(one.status, 200, one.text);
  assertRefused(other, "SECOND_FACTOR_REQUIRED");
});

Deno.test("A proof used by two concurrent changes works for one", async () => {
  const enrolled = await enrol(world());
  const headers = await changeProof(world(), enrolled.caller);
  const send = (path: string): Request => (caller) =>
    caller.call("POST", `${TOTP}${path}`, { headers });
  const [one, other] = await meet(enrolled, [send("/recovery-codes"), send("/disable")]);
  assertEquals(one.status, 200, one.text);
  assertRefused(other, "STEP_UP_REQUIRED");
  assertEquals(await isOn(enrolled.caller), true);
});

Deno.test("Of many concurrent requests with one code in two processes, one succeeds", async () => {
  const enrolled = await enrol(world());
  const { caller } = enrolled;
  const callers = [caller, callerOf(world().again(), caller)];
  for (const kind of ["code", "recovery code"]) {
    world().advance(STEP);
    const sent = await sentBy(enrolled, kind);
    const sending = [...callers, ...callers, ...callers].map((each) => login(each, enrolled, sent));
    const responses = await Promise.all(sending);
    assertEquals(statusesOf(responses).sort(), [200, 401, 401, 401, 401, 401], kind);
  }
});

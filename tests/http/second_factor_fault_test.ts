/** Atomic writes and uses of a second factor. */

import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { type Caller, callerOf, fileWorld, type TestResponse } from "../support/world.ts";
import { AUTH, PASSWORD } from "./access.ts";
import { begin, changeProof, confirm, enrol, login, STEP, stepUp, TOTP } from "./second_factor.ts";

const world = fileWorld();
const TABLES = [
  "pending_second_factors",
  "second_factors",
  "recovery_codes",
  "accounts",
  "sessions",
  "step_up_proofs",
  "access_events",
];

/** Prepares a request for the failing process. */
type Prepare = (broken: OtherProcess) => Promise<() => Promise<TestResponse>>;

interface OtherProcess {
  readonly app: Parameters<typeof callerOf>[0];
  as(caller: Caller): Caller;
}

const withProof = (path: string): Prepare => async (broken) => {
  const { caller } = await enrol(world());
  const headers = await changeProof(world(), caller);
  return () => broken.as(caller).call("POST", `${TOTP}${path}`, { headers });
};

const REQUESTS: Readonly<Record<string, Prepare>> = {
  "A new secret": withProof(""),
  "Turning the factor off": withProof("/disable"),
  "New recovery codes": withProof("/recovery-codes"),
  async "The confirmation of a secret"(broken) {
    const { caller } = await enrol(world());
    const code = await (await begin(world(), caller)).codeAt(world().now());
    await changeProof(world(), caller);
    return () => confirm(broken.as(caller), code);
  },
  async "A sign-in with a code"(broken) {
    const enrolled = await enrol(world());
    world().advance(STEP);
    const code = await enrolled.authenticator.codeAt(world().now());
    return () => login(broken.as(enrolled.caller), enrolled, { code });
  },
  async "A sign-in with a recovery code"(broken) {
    const enrolled = await enrol(world());
    const [recoveryCode = ""] = enrolled.recoveryCodes;
    return () => login(broken.as(enrolled.caller), enrolled, { recoveryCode });
  },
  async "A step-up with a code"(broken) {
    const { caller, authenticator } = await enrol(world());
    world().advance(STEP);
    const code = await authenticator.codeAt(world().now());
    return () => stepUp(broken.as(caller), { code });
  },
  async "A change of password with a recovery code"(broken) {
    const { caller, recoveryCodes: [recoveryCode = ""] } = await enrol(world());
    await changeProof(world(), caller);
    const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new`, recoveryCode };
    return () => broken.as(caller).call("POST", `${AUTH}/password`, { body });
  },
};

for (const [name, prepare] of Object.entries(REQUESTS)) {
  Deno.test(`${name} is atomic`, async () => {
    const faulty = faultyDatabase(world().database);
    const app = world().again({ database: faulty.database });
    const send = await prepare({ app, as: (caller) => callerOf(app, caller) });
    await assertWholeOrNothing(world(), faulty, TABLES, send);
  });
}

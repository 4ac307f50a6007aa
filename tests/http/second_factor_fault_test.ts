/** What writes a second factor, or uses it, leaves nothing behind where it breaks off. */

import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { fileWorld, type Person, personOf, type TestResponse } from "../support/world.ts";
import { begin, changeProof, confirm, enrol, login, STEP, stepUp, TOTP } from "./second_factor.ts";

const world = fileWorld();
const TABLES = [
  ...["pending_second_factors", "second_factors", "recovery_codes"],
  ...["sessions", "step_up_proofs", "access_events"],
];

/** Prepares a request, to be sent through the process that breaks off. */
type Prepare = (broken: Caller) => Promise<() => Promise<TestResponse>>;

/** How a test calls that process. */
interface Caller {
  readonly app: Parameters<typeof personOf>[0];
  as(person: Person): Person;
}

const withProof = (path: string): Prepare => async (broken) => {
  const { person } = await enrol(world());
  const headers = await changeProof(world(), person);
  return () => broken.as(person).call("POST", `${TOTP}${path}`, { headers });
};

const REQUESTS: Readonly<Record<string, Prepare>> = {
  "A new secret": withProof(""),
  "Turning the factor off": withProof("/disable"),
  "New recovery codes": withProof("/recovery-codes"),
  async "The confirmation of a secret"(broken) {
    const { person } = await enrol(world());
    const code = await (await begin(world(), person)).codeAt(world().now());
    await changeProof(world(), person);
    return () => confirm(broken.as(person), code);
  },
  async "A sign-in with a code"(broken) {
    const enrolled = await enrol(world());
    world().advance(STEP);
    const code = await enrolled.authenticator.codeAt(world().now());
    return () => login(broken.as(enrolled.person), enrolled, { code });
  },
  async "A sign-in with a recovery code"(broken) {
    const enrolled = await enrol(world());
    const [recoveryCode = ""] = enrolled.recoveryCodes;
    return () => login(broken.as(enrolled.person), enrolled, { recoveryCode });
  },
  async "A step-up with a code"(broken) {
    const { person, authenticator } = await enrol(world());
    world().advance(STEP);
    const code = await authenticator.codeAt(world().now());
    return () => stepUp(broken.as(person), { code });
  },
};

for (const [name, prepare] of Object.entries(REQUESTS)) {
  Deno.test(`${name} is done as a whole or not at all`, async () => {
    const faulty = faultyDatabase(world().database);
    const app = world().again({ database: faulty.database });
    const send = await prepare({ app, as: (person) => personOf(app, person) });
    await assertWholeOrNothing(world(), faulty, TABLES, send);
  });
}

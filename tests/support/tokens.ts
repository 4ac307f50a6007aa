/** Step-up proofs and personal access tokens of a test's people, without the cost of a password. */

import type { Identity } from "../../src/access/identity.ts";
import { type StepUpPurpose, storedStepUp } from "../../src/access/step_up.ts";
import type { Json, Person, TestResponse, World } from "./world.ts";

/** The header with a proof of the person's session, as /step-up would issue it. */
export async function proofOf(
  world: Pick<World, "database" | "now">,
  person: Person,
  purpose: StepUpPurpose,
  targetId: string | null = null,
): Promise<Record<string, string>> {
  const identity: Identity = {
    account: {
      accountId: person.accountId,
      email: "",
      displayName: "",
      role: "OWNER",
      createdAt: "",
    },
    credential: { kind: "SESSION", id: person.sessionId, expiresAt: "" },
    permissions: new Set(),
  };
  const { proof } = await world.database.transaction((tx) =>
    storedStepUp.issue(tx, identity, { purpose, targetId }, world.now())
  );
  return { "Step-Up-Proof": proof };
}

/** Asks for a token of the person, with a proof; `body` says what differs from a reader of records. */
export async function askForToken(
  world: Pick<World, "database" | "now">,
  person: Person,
  body: Json = {},
): Promise<TestResponse> {
  return await person.call("POST", "/api/v2/auth/tokens", {
    body: { name: "A program", permissions: ["record.read"], ...body },
    headers: await proofOf(world, person, "TOKEN_CREATE"),
  });
}

/** Makes a token and returns its data; fails the test when it is refused. */
export async function makeToken(
  world: Pick<World, "database" | "now">,
  person: Person,
  body: Json = {},
): Promise<{ tokenId: string; token: string } & Json> {
  const response = await askForToken(world, person, body);
  if (response.status !== 201) throw new Error(`The token was refused: ${response.text}`);
  return response.body.data;
}

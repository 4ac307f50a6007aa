/** Step-up proofs and access tokens, without the cost of a password. */

import type { Caller as ServiceCaller } from "../../src/access/identity.ts";
import { type StepUpPurpose, storedStepUp } from "../../src/access/step_up.ts";
import type { Caller, Json, TestResponse, World } from "./world.ts";

/** A header with a proof as /step-up would issue it. */
export async function proofOf(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  purpose: StepUpPurpose,
  targetId: string | null = null,
): Promise<Record<string, string>> {
  const identity: ServiceCaller = {
    account: {
      accountId: caller.accountId,
      email: "",
      displayName: "",
      role: "OWNER",
      createdAt: "",
    },
    credential: { kind: "SESSION", id: caller.sessionId, expiresAt: "" },
    permissions: new Set(),
  };
  const { proof } = await world.database.transaction((tx) =>
    storedStepUp.issue(tx, identity, { purpose, targetId }, world.now())
  );
  return { "Step-Up-Proof": proof };
}

/** Requests a token with a proof; `body` overrides the defaults, a record reader. */
export async function askForToken(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  body: Json = {},
): Promise<TestResponse> {
  return await caller.call("POST", "/api/v2/auth/tokens", {
    body: { name: "A program", permissions: ["record.read"], ...body },
    headers: await proofOf(world, caller, "TOKEN_CREATE"),
  });
}

/** Creates a token, which must succeed, and returns the data. */
export async function makeToken(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  body: Json = {},
): Promise<{ tokenId: string; token: string } & Json> {
  const response = await askForToken(world, caller, body);
  if (response.status !== 201) throw new Error(`The token was refused: ${response.text}`);
  return response.body.data;
}

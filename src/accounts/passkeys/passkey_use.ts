/** The use of a passkey at sign-in and step-up. */

import { Buffer } from "node:buffer";
import type { Tx } from "../../database/database.ts";
import { type AccessEvent, insertAccessEvent } from "../events.ts";
import type { Throttle } from "../throttle.ts";
import type { ExpectedClientData } from "./client_data.ts";
import type { SentAssertion } from "./passkey_schema.ts";
import { findUsedPasskey, noteUse } from "./passkey_store.ts";
import { PasskeyRefusal } from "./refusal.ts";
import { type PasskeySite, verifyAssertion } from "./verification.ts";

interface ExpectedUse extends Pick<ExpectedClientData, "isChallenge"> {
  readonly accountId: string;
  readonly site: PasskeySite;
  readonly sent: SentAssertion;
  readonly now: Date;
}

/**
 * Verifies an assertion by a passkey of an account, whose row the transaction holds, and notes the
 * use.
 *
 * @throws PasskeyRefusal
 */
export async function usePasskey(
  tx: Tx,
  { accountId, site, sent, isChallenge, now }: ExpectedUse,
): Promise<void> {
  const { credentialId, userHandle } = sent;
  const passkey = await findUsedPasskey(tx.sql, accountId, credentialId, site.rpId);
  if (passkey === null) throw new PasskeyRefusal("passkey.user");
  if (userHandle !== null && Buffer.compare(userHandle, passkey.user_handle) !== 0) {
    throw new PasskeyRefusal("passkey.user");
  }
  const state = await verifyAssertion(sent, passkey, site, isChallenge);
  if (!await noteUse(tx, accountId, passkey.passkey_id, state, now)) {
    throw new PasskeyRefusal("passkey.counter");
  }
}

interface RefusedUse extends Omit<AccessEvent, "event"> {
  readonly event: "LOGIN_FAILED" | "STEP_UP_FAILED";
  readonly refusal: PasskeyRefusal;
  readonly attemptId: string;
}

/** Writes the events of a refused use, which the throttle counts as a failure. */
export async function noteRefusedUse(
  tx: Tx,
  throttle: Throttle,
  { refusal, attemptId, ...event }: RefusedUse,
): Promise<void> {
  await throttle.failed(tx.sql, attemptId);
  if (refusal.rule === "passkey.counter") {
    await insertAccessEvent(tx.sql, { ...event, event: "PASSKEY_COUNTER" });
  }
  await insertAccessEvent(tx.sql, event);
}

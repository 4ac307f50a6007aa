/** Passkeys of this browser and its security keys: add one, sign in, and confirm an action. */

import { ApiError, hasCode, refusalWords } from "./base/api.js";
import { fill, h } from "./base/elements.js";
import { loadFailures, t } from "./base/language.js";
import { get } from "./base/reads.js";
import { send } from "./base/sender.js";
import { announceSignIn, deviceName } from "./base/session.js";

const API = "/api/v2/auth/passkeys";

export function canUsePasskeys() {
  return "PublicKeyCredential" in globalThis &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** @param {string} name @param {string} proof @throws {ApiError | PasskeyProblem} */
export async function addPasskey(name, proof) {
  const { data: { ceremonyId, publicKey } } = await send("POST", `${API}/registration/begin`, {
    proof,
  });
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey);
  const credential = await touch(
    publicKey.rp.id,
    () => navigator.credentials.create({ publicKey: options }),
  );
  await send("POST", `${API}/registration/finish`, { body: { ceremonyId, name, credential } });
}

/**
 * Offers to sign in by passkey, with a cookie that no script can read.
 * @param {Element} place
 * @param {() => unknown} done
 * @param {string} [email] The account that the passkey must be of; by default any.
 */
export function offerSignIn(place, done, email) {
  if (!canUsePasskeys()) return;
  offer(place, async () => {
    const named = email === undefined ? {} : { email };
    await useFor("sign-in", named, { deviceName: deviceName() });
    announceSignIn();
    await done();
  });
}

/**
 * Offers to confirm an action by passkey, if the account has one.
 * @param {Element} place
 * @param {{ purpose: string, targetId: string | undefined }} act
 * @param {(proof: string) => unknown} done
 */
export async function offerProof(place, act, done) {
  if (!canUsePasskeys() || !await hasPasskey()) return;
  offer(place, async () => done((await useFor("step-up", act, {})).proof));
}

/** False also if they cannot be read. */
function hasPasskey() {
  return readSignal().then(
    ({ allAcceptedCredentialIds: ids }) => ids.length > 0,
    () => false,
  );
}

/** Reads the host that passkeys belong to, and the account's passkeys of this host. */
export function readSignal() {
  return get(`${API}/signal`);
}

/**
 * Reports the account's passkeys to the browser, so that it does not offer removed ones.
 * @param {any} signal
 */
export function sendSignal(signal) {
  if (!canUsePasskeys() || !("signalAllAcceptedCredentials" in PublicKeyCredential)) return;
  if (signal.userId !== null) {
    PublicKeyCredential.signalAllAcceptedCredentials(signal).catch(() => {});
  }
}

/** @param {Element} place @param {() => Promise<unknown>} use */
function offer(place, use) {
  const problem = h("p.refusal", { role: "alert" });
  const press = async () => {
    button.disabled = true;
    problem.textContent = "";
    await use().catch(async (error) => fill(problem, await problemWords(error)));
    button.disabled = false;
  };
  const button = h("button", { onclick: press }, t("usePasskey"));
  fill(place, button, problem);
}

/** Why no passkey was used, in words for the person. */
export class PasskeyProblem extends Error {}

/** @param {unknown} error @returns {Promise<readonly Child[]>} */
async function problemWords(error) {
  if (error instanceof PasskeyProblem) return [error.message];
  if (!(error instanceof ApiError)) throw error;
  await loadFailures();
  return refusalWords(error);
}

/** @param {"sign-in" | "step-up"} kind @param {object} begin @param {object} finish */
async function useFor(kind, begin, finish) {
  const { data: { ceremonyId, publicKey } } = await send("POST", `${API}/${kind}/begin`, {
    body: begin,
  });
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey);
  const credential = await touch(
    publicKey.rpId,
    () => navigator.credentials.get({ publicKey: options }),
  );
  try {
    const body = { ceremonyId, credential, ...finish };
    return (await send("POST", `${API}/${kind}/finish`, { body })).data;
  } catch (error) {
    const refusal = kind === "sign-in" ? "AUTH_REQUIRED" : "STEP_UP_REQUIRED";
    throw hasCode(error, refusal) ? new PasskeyProblem(t("passkeyRefused")) : error;
  }
}

/**
 * Waits for the person to use a passkey.
 * @param {string} host The host that the passkeys belong to.
 * @param {() => Promise<Credential | null>} ask
 */
async function touch(host, ask) {
  try {
    const credential = /** @type {PublicKeyCredential} */ (await ask());
    return credential.toJSON();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "SecurityError") {
      throw new PasskeyProblem(t("passkeyForeign", { host, here: location.hostname }));
    }
    const isKnown = error.name === "InvalidStateError";
    throw new PasskeyProblem(t(isKnown ? "passkeyKnown" : "passkeyUnused"));
  }
}

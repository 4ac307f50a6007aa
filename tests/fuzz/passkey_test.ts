// engines: none
/**
 * Thousands of mutated answers of authenticators: none breaks the service, and none is accepted for
 * another.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { PasskeyRefusal } from "../../src/accounts/passkeys/refusal.ts";
import { verifyAssertion, verifyRegistration } from "../../src/accounts/passkeys/verification.ts";
import { type Random, seededRandom } from "../support/random.ts";
import {
  AT,
  bytesOf,
  cbor,
  ED,
  SoftwarePasskey,
  UP,
  UV,
} from "../support/software_authenticator.ts";

const ORIGIN = "https://records.example";
const SITE = { origins: [ORIGIN], rpId: "records.example" };
const ROUNDS = 6_000;
const CHALLENGE = "A".repeat(43);
const isChallenge = (challenge: string) => challenge === CHALLENGE;

/** One to three changes: bits, bytes, pieces that are gone, doubled or moved. */
function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  let result = Buffer.from(bytes);
  for (let left = random.integer(1, 3); left > 0; left--) {
    const at = random.integer(0, Math.max(0, result.length - 1));
    const end = Math.min(result.length, at + random.integer(1, 8));
    const [before, piece, after] = [
      result.subarray(0, at),
      result.subarray(at, end),
      result.subarray(end),
    ];
    const changed = [
      () => [before, piece.map((byte) => byte ^ (1 << random.integer(0, 7))), after],
      () => [before, piece.map(() => random.integer(0, 255)), after],
      () => [before, after],
      () => [before, piece, piece, after],
      () => [after, before],
      () => [before, Buffer.of(random.pick([0x00, 0x18, 0x58, 0x5f, 0xa0, 0xbf, 0xff])), after],
      () => [before],
    ];
    result = Buffer.concat(random.pick(changed)());
  }
  return result;
}

Deno.test("No mutated attestation object breaks the service, or registers another key", async () => {
  const random = seededRandom(43);
  const key = await SoftwarePasskey.make("ES256");
  const user = { id: "AQID" };
  const options = { challenge: CHALLENGE, rp: { id: SITE.rpId }, user };
  const extensions = cbor(new Map([["credProps", new Map([["rk", true]])]]));
  const fault = { flags: UP | UV | AT | ED, extensions };
  const { response } = await key.register(options, ORIGIN, fault);
  const sent = {
    credentialId: key.id,
    clientDataJSON: bytesOf(response.clientDataJSON),
    attestationObject: bytesOf(response.attestationObject),
    transports: [],
  };
  const right = await verifyRegistration(sent, SITE, isChallenge);
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const attestationObject = mutated(random, sent.attestationObject);
    try {
      const made = await verifyRegistration({ ...sent, attestationObject }, SITE, isChallenge);
      // Nothing vouches for the model, the counter, the flags of backup and the extensions.
      assertEquals(Buffer.compare(made.publicKey, right.publicKey), 0);
      assertEquals(made.credentialId, right.credentialId);
      accepted++;
    } catch (error) {
      assert(error instanceof PasskeyRefusal, String(error));
    }
  }
  assert(accepted < ROUNDS / 5, `${accepted}`);
});

Deno.test("No mutated authenticator data or signature is accepted", async () => {
  const random = seededRandom(44);
  const key = await SoftwarePasskey.make("ES256", { counter: 7 });
  const known = { public_key: cbor(await key.coseKey()), backup_eligible: false };
  const { response } = await key.assert(
    { challenge: CHALLENGE, rpId: SITE.rpId },
    ORIGIN,
    { flags: UP | UV | ED, extensions: cbor(new Map([["more", 1]])) },
  );
  const sent = {
    credentialId: key.id,
    clientDataJSON: bytesOf(response.clientDataJSON),
    authenticatorData: bytesOf(response.authenticatorData),
    signature: bytesOf(response.signature),
    userHandle: null,
  };
  assertEquals((await verifyAssertion(sent, known, SITE, isChallenge)).counter, 8);
  for (let round = 0; round < ROUNDS; round++) {
    const name = random.chance(0.9) ? "authenticatorData" : "signature";
    const bytes = mutated(random, sent[name]);
    if (Buffer.compare(bytes, sent[name]) === 0) continue;
    const work = verifyAssertion({ ...sent, [name]: bytes }, known, SITE, isChallenge);
    await assertRejects(() => work, PasskeyRefusal);
  }
});

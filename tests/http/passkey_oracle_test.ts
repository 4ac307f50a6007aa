/**
 * The same ceremonies as the service judges them, and as Debian's `python3-fido2` does. Skipped if
 * that is not installed.
 */

import { assertEquals } from "@std/assert";
import { type Fault, SoftwarePasskey, UP } from "../support/software_authenticator.ts";
import { type Json, ORIGIN, sharedWorld } from "../support/world.ts";
import { beginRegistration, beginSignIn, PASSKEYS } from "./passkey.ts";
import { newPeer } from "./second_factor.ts";

const world = sharedWorld();
const ORACLE = "tests/support/passkey_oracle.py";

/** A Python that has the oracle; null if there is none. */
function findPython(): string | null {
  const has = (program: string) => {
    try {
      const args = ["-c", "import fido2.server"];
      return new Deno.Command(program, { args, stdout: "null", stderr: "null" }).outputSync()
        .success;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  };
  return ["python3", "/usr/bin/python3"].find(has) ?? null;
}

async function askOracle(python: string, cases: readonly Json[]): Promise<boolean[]> {
  const process = new Deno.Command(python, { args: [ORACLE], stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(cases)));
  await writer.close();
  const { stdout } = await process.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "another challenge": { clientData: { challenge: "A".repeat(43) } },
  "another origin": { clientData: { origin: "https://evil.example" } },
  "another type": { clientData: { type: "webauthn.other" } },
  "another rp": { rpId: "evil.example" },
  "no user verified": { flags: UP },
  "another signature": { signature: (bytes) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1) },
};

const python = findPython();

Deno.test({
  name: "python3-fido2 accepts and refuses the same ceremonies as the service",
  ignore: python === null,
  async fn() {
    const cases: Json[] = [];
    const judged: [string, boolean][] = [];
    for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
      const caller = await world().createCaller();
      const key = await SoftwarePasskey.make(algorithm);
      const { ceremonyId, publicKey } = await beginRegistration(world(), caller);
      const credential = await key.register(publicKey, ORIGIN);
      const about = { rpId: publicKey.rp.id, origin: ORIGIN, id: credential.id };
      const { attestationObject } = credential.response;
      const { challenge } = publicKey;
      cases.push({ ...about, challenge, attestationObject, response: credential.response });
      const body = { ceremonyId, name: algorithm, credential };
      const made = await caller.call("POST", `${PASSKEYS}/registration/finish`, { body });
      judged.push([`${algorithm}: registration`, made.status === 201]);
      for (const [name, fault] of Object.entries({ "no fault": {}, ...FAULTS })) {
        const begun = await beginSignIn(world());
        const sent = await key.assert(begun.publicKey, ORIGIN, fault);
        const { challenge } = begun.publicKey;
        cases.push({ ...about, challenge, attestationObject, response: sent.response });
        const body = { ceremonyId: begun.ceremonyId, credential: sent };
        const peer = newPeer();
        const { status } = await world().call("POST", `${PASSKEYS}/sign-in/finish`, { body, peer });
        judged.push([`${algorithm}: ${name}`, status === 200]);
      }
    }
    const opinions = await askOracle(python ?? "", cases);
    assertEquals(judged, judged.map(([name], index) => [name, opinions[index] ?? null]));
    assertEquals(judged.filter(([, isAccepted]) => isAccepted).length, 6);
  },
});

/** Answers of authenticators that are wrong in one place each, and the rule that refuses them. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  type Algorithm,
  AT,
  BE,
  BS,
  cbor,
  concat,
  ED,
  type Fault,
  SoftwarePasskey,
  UP,
  UV,
} from "../support/software_authenticator.ts";
import { type Caller, type Json, sharedWorld, type World } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import {
  addPasskey,
  beginRegistration,
  beginSignIn,
  beginStepUp,
  finishRegistration,
  finishSignIn,
  finishStepUp,
} from "./passkey.ts";

const world = sharedWorld();

const clientData = (members: Json): Fault => ({ clientData: members });
const raw = (text: string): Fault => ({ rawClientData: Buffer.from(text) });
const authData = (change: (bytes: Uint8Array) => Uint8Array): Fault => ({ authData: change });
/** Authenticator data with one byte set. */
const setByte = (at: number, value: number): Fault => authData((bytes) => bytes.with(at, value));

/** Faults of both kinds of ceremony. */
const SHARED: Readonly<Record<string, [rule: string, fault: Fault]>> = {
  "no JSON": ["passkey.client_data", raw("{")],
  "no object": ["passkey.client_data", raw("[]")],
  "no UTF-8": ["passkey.client_data", { rawClientData: Uint8Array.of(0x7b, 0xff, 0x7d) }],
  "a byte order mark": ["passkey.client_data", raw("\ufeff{}")],
  "a key twice": ["passkey.client_data", raw('{"type":"webauthn.get","type":"webauthn.create"}')],
  "too deep": [
    "passkey.client_data",
    clientData({ more: JSON.parse("[".repeat(40) + "]".repeat(40)) }),
  ],
  "no type": ["passkey.client_data", clientData({ type: undefined })],
  "another type": ["passkey.client_data", clientData({ type: "payment.get" })],
  "in a frame": ["passkey.client_data", clientData({ crossOrigin: true })],
  "in a frame, as text": ["passkey.client_data", clientData({ crossOrigin: "false" })],
  "a top origin": ["passkey.client_data", clientData({ topOrigin: "https://records.example" })],
  "no challenge": ["passkey.challenge", clientData({ challenge: undefined })],
  "a list as challenge": ["passkey.challenge", clientData({ challenge: [] })],
  "another challenge": ["passkey.challenge", clientData({ challenge: "A".repeat(43) })],
  "no origin": ["passkey.origin", clientData({ origin: undefined })],
  "a port": ["passkey.origin", clientData({ origin: "https://records.example:8443" })],
  "a slash": ["passkey.origin", clientData({ origin: "https://records.example/" })],
  "a subdomain": ["passkey.origin", clientData({ origin: "https://a.records.example" })],
  "no https": ["passkey.origin", clientData({ origin: "http://records.example" })],
  "upper case": ["passkey.origin", clientData({ origin: "https://Records.example" })],
  "another rp": ["passkey.rp", { rpId: "example" }],
  "cut off in the head": ["passkey.format", authData((bytes) => bytes.subarray(0, 36))],
  "a byte more": ["passkey.format", authData((bytes) => concat(bytes, Uint8Array.of(0)))],
  "a map more, without its flag": ["passkey.format", { extensions: cbor(new Map()) }],
};

/** Extension data that is not one CBOR map of CTAP2. */
const EXTENSIONS: Readonly<Record<string, readonly number[]>> = {
  "no extensions": [],
  "a list as extensions": [0x80],
  "two maps": [0xa0, 0xa0],
  "an indefinite map": [0xbf, 0xff],
  "a long length": [0xb8, 0x00],
  "a tag": [0xc0, 0xa0],
  "a float": [0xa1, 0x01, 0xf9, 0x00, 0x00],
  "undefined": [0xa1, 0x01, 0xf7],
  "a key twice": [0xa2, 0x01, 0x01, 0x01, 0x02],
  "bytes as key": [0xa1, 0x41, 0x00, 0x01],
  "too deep": [0xa1, 0x01, 0x81, 0x81, 0x81, 0x80],
  "no UTF-8": [0xa1, 0x61, 0xff, 0x01],
  "a long integer": [0xa1, 0x01, 0x18, 0x01],
  "a huge length": [0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
};

const key = (change: (members: Map<number, Json>) => void): Fault => ({
  key: (members) => {
    change(members);
    return members;
  },
});
const attestation = (change: (members: Map<string, Json>) => void): Fault => ({
  attestation: (members) => {
    change(members);
    return members;
  },
});

const REGISTRATION: Readonly<Record<string, [rule: string, fault: Fault, algorithm?: Algorithm]>> =
  {
    "an assertion's type": ["passkey.client_data", clientData({ type: "webauthn.get" })],
    "no user present": ["passkey.user_verification", { flags: UV | AT }],
    "no user verified": ["passkey.user_verification", { flags: UP | AT }],
    "backed up without being eligible": ["passkey.format", { flags: UP | UV | AT | BS }],
    "no credential": ["passkey.format", { flags: UP | UV }],
    "cut off in the key": ["passkey.format", authData((bytes) => bytes.subarray(0, -1))],
    "cut off before the id": ["passkey.format", authData((bytes) => bytes.subarray(0, 54))],
    "no id": ["passkey.format", setByte(54, 0)],
    "a long id": ["passkey.format", setByte(53, 4)],
    "a longer id than there is": ["passkey.format", setByte(54, 33)],
    "another id": ["passkey.format", setByte(60, 1)],
    "packed": ["passkey.attestation", attestation((map) => map.set("fmt", "packed"))],
    "a number as format": ["passkey.attestation", attestation((map) => map.set("fmt", 1))],
    "a statement": [
      "passkey.attestation",
      attestation((map) => map.set("attStmt", new Map([["alg", -7]]))),
    ],
    "a list as statement": ["passkey.attestation", attestation((map) => map.set("attStmt", []))],
    "no statement": ["passkey.format", attestation((map) => map.delete("attStmt"))],
    "a member more": ["passkey.format", attestation((map) => map.set("more", 1))],
    "text as data": ["passkey.format", attestation((map) => map.set("authData", "x"))],
    "bytes behind it": ["passkey.format", {
      rawAttestation: (bytes) => concat(bytes, Uint8Array.of(0)),
    }],
    "an indefinite map": [
      "passkey.format",
      {
        rawAttestation: (bytes) =>
          concat(Uint8Array.of(0xbf), bytes.subarray(1), Uint8Array.of(0xff)),
      },
    ],
    "no CBOR": ["passkey.format", { rawAttestation: () => Uint8Array.of(0xff) }],
    "a list": ["passkey.format", { rawAttestation: () => Uint8Array.of(0x80) }],
    "a list as key": ["passkey.algorithm", { key: () => [] }],
    "ES384": ["passkey.algorithm", key((map) => map.set(3, -35))],
    "no algorithm": ["passkey.algorithm", key((map) => map.delete(3))],
    "another's algorithm": ["passkey.algorithm", key((map) => map.set(3, -8))],
    "another curve": ["passkey.algorithm", key((map) => map.set(-1, 2))],
    "another kind": ["passkey.algorithm", key((map) => map.set(1, 3))],
    "an operation list": ["passkey.algorithm", key((map) => map.set(4, [2]))],
    "a private part": ["passkey.algorithm", key((map) => map.set(-4, new Uint8Array(32)))],
    "off the curve": ["passkey.algorithm", key((map) => map.set(-3, new Uint8Array(32).fill(7)))],
    "a short x": ["passkey.algorithm", key((map) => map.set(-2, map.get(-2).subarray(1)))],
    "a long x": [
      "passkey.algorithm",
      key((map) => map.set(-2, concat(Uint8Array.of(0), map.get(-2)))),
    ],
    "a compressed point": ["passkey.algorithm", key((map) => map.set(-3, true))],
    "a short Ed25519 key": [
      "passkey.algorithm",
      key((map) => map.set(-2, new Uint8Array(31))),
      "EdDSA",
    ],
    "an Ed25519 key of small order": [
      "passkey.algorithm",
      key((map) => map.set(-2, new Uint8Array(32).with(0, 1))),
      "EdDSA",
    ],
    "RS256 with an even modulus": [
      "passkey.algorithm",
      key((map) => map.set(-1, map.get(-1).with(-1, 2))),
      "RS256",
    ],
    "X25519": ["passkey.algorithm", key((map) => map.set(-1, 4)), "EdDSA"],
    "a y for Ed25519": [
      "passkey.algorithm",
      key((map) => map.set(-3, new Uint8Array(32))),
      "EdDSA",
    ],
    "RS256 of 2,040 bits": [
      "passkey.algorithm",
      key((map) => map.set(-1, map.get(-1).subarray(1))),
      "RS256",
    ],
    "RS256 of 2,047 bits": [
      "passkey.algorithm",
      key((map) => map.set(-1, map.get(-1).with(0, 0x7f))),
      "RS256",
    ],
    "RS256 of 4,104 bits": [
      "passkey.algorithm",
      key((map) => map.set(-1, new Uint8Array(513).fill(0xff))),
      "RS256",
    ],
    "RS256 with a zero before it": [
      "passkey.algorithm",
      key((map) => map.set(-1, concat(Uint8Array.of(0), map.get(-1)))),
      "RS256",
    ],
    "RS256 with exponent 3": [
      "passkey.algorithm",
      key((map) => map.set(-2, Uint8Array.of(3))),
      "RS256",
    ],
    "RS1": ["passkey.algorithm", key((map) => map.set(3, -65535)), "RS256"],
    "ML-DSA-87": ["passkey.algorithm", key((map) => map.set(3, -50)), "ML-DSA-65"],
    "a key of ML-DSA-65 for ML-DSA-44": [
      "passkey.algorithm",
      key((map) => map.set(3, -48)),
      "ML-DSA-65",
    ],
    "ML-DSA of the kind EC2": ["passkey.algorithm", key((map) => map.set(1, 2)), "ML-DSA-44"],
    "a long ML-DSA key": [
      "passkey.algorithm",
      key((map) => map.set(-1, concat(map.get(-1), Uint8Array.of(0)))),
      "ML-DSA-44",
    ],
    "a private part of ML-DSA": [
      "passkey.algorithm",
      key((map) => map.set(-2, new Uint8Array(32))),
      "ML-DSA-44",
    ],
  };

const signature = (change: (bytes: Uint8Array) => Uint8Array): Fault => ({ signature: change });

const ASSERTION: Readonly<Record<string, [fault: Fault, algorithm?: Algorithm]>> = {
  "a registration's type": [clientData({ type: "webauthn.create" })],
  "no user present": [{ flags: UV }],
  "no user verified": [{ flags: UP }],
  "eligible only now": [{ flags: UP | UV | BE }],
  "backed up without being eligible": [{ flags: UP | UV | BS }],
  "a credential": [{ flags: UP | UV | AT }],
  "another signature": [signature((bytes) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1))],
  "no DER": [signature(() => new Uint8Array(64))],
  "DER and a byte more": [signature((bytes) => concat(bytes, Uint8Array.of(0)))],
  "DER with a zero more": [
    signature((bytes) =>
      concat(
        Uint8Array.of(0x30, bytes.length - 1, 2, (bytes[3] ?? 0) + 1, 0),
        bytes.subarray(4),
      )
    ),
  ],
  "DER with a long length": [
    signature((bytes) => concat(Uint8Array.of(0x30, 0x81, bytes.length - 2), bytes.subarray(2))),
  ],
  "a negative number": [signature(() => Uint8Array.of(0x30, 6, 2, 1, 0x80, 2, 1, 1))],
  "zeros": [signature(() => Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0))],
  "a short Ed25519 signature": [signature((bytes) => bytes.subarray(1)), "EdDSA"],
  "another Ed25519 signature": [signature((bytes) => bytes.with(0, (bytes[0] ?? 0) ^ 1)), "EdDSA"],
  "another RS256 signature": [signature((bytes) => bytes.with(9, (bytes[9] ?? 0) ^ 1)), "RS256"],
  "a short RS256 signature": [signature((bytes) => bytes.subarray(1)), "RS256"],
  "another ML-DSA signature": [
    signature((bytes) => bytes.with(9, (bytes[9] ?? 0) ^ 1)),
    "ML-DSA-44",
  ],
  "a long ML-DSA signature": [
    signature((bytes) => concat(bytes, Uint8Array.of(0))),
    "ML-DSA-44",
  ],
};

/** Forms of a credential that are refused before the ceremony is looked at. */
const FORMS: Readonly<Record<string, Json>> = {
  "another raw id": { rawId: "AQID" },
  "no id": { id: undefined },
  "an empty id": { id: "", rawId: "" },
  "padding": { id: "AQIDBA==", rawId: "AQIDBA==" },
  "base64": { id: "+/+/", rawId: "+/+/" },
  "loose bits": { id: "AQIDBB", rawId: "AQIDBB" },
  "a number as id": { id: 7, rawId: 7 },
  "another type": { type: "password" },
  "no answer": { response: undefined },
  "a text as answer": { response: "x" },
};

async function register(caller: Caller, fault: Fault, algorithm?: Algorithm): Promise<Json> {
  const begun = await beginRegistration(world(), caller);
  return await finishRegistration(caller, begun, await SoftwarePasskey.make(algorithm), fault);
}

function extended(flags: number, bytes: readonly number[]): Fault {
  return { flags: flags | ED, extensions: Uint8Array.from(bytes) };
}

Deno.test("Registration that is wrong in one place is refused by one rule", async () => {
  const caller = await world().createCaller();
  const faults = {
    ...SHARED,
    ...REGISTRATION,
    ...Object.fromEntries(
      Object.entries(EXTENSIONS).map(([name, bytes]) =>
        [`extensions: ${name}`, ["passkey.format", extended(UP | UV | AT, bytes)]] as const
      ),
    ),
  } as typeof REGISTRATION;
  for (const [name, [rule, fault, algorithm]] of Object.entries(faults)) {
    const { status, body, text } = await register(caller, fault, algorithm);
    assertEquals(status, 400, `${name}: ${text}`);
    assertEquals(body.error.details, { fields: ["credential"], rules: [rule] }, name);
  }
  assertEquals((await caller.call("GET", "/api/v2/auth/passkeys")).body.data.items, []);
  const good = new Map([["credProps", new Map([["rk", true]])]]);
  const extensions = { flags: UP | UV | AT | ED, extensions: cbor(good) };
  assertEquals((await register(caller, extensions)).status, 201);
  assertEquals(
    (await register(caller, clientData({ crossOrigin: undefined, more: 1 }))).status,
    201,
  );
});

Deno.test("Sign-in and step-up that are wrong in one place are refused, and tell no more", async () => {
  const caller = await world().createCaller();
  const keys = new Map<Algorithm, SoftwarePasskey>();
  for (const algorithm of ["ES256", "EdDSA", "RS256", "ML-DSA-44"] as const) {
    const made = await SoftwarePasskey.make(algorithm);
    keys.set(algorithm, (await addPasskey(world(), caller, made)).key);
  }
  const faults: [string, Fault, Algorithm?][] = [
    ...Object.entries(SHARED).map(([name, [, fault]]) => [name, fault] as [string, Fault]),
    ...Object.entries(ASSERTION).map(([name, rest]) =>
      [name, ...rest] as [string, Fault, Algorithm?]
    ),
    ...Object.entries(EXTENSIONS).map(([name, bytes]) =>
      [`extensions: ${name}`, extended(UP | UV, bytes)] as [string, Fault]
    ),
  ];
  // One check serves both: each fault is tried at one of them.
  for (const [index, [name, fault, algorithm = "ES256"]] of faults.entries()) {
    const passkey = keys.get(algorithm) as SoftwarePasskey;
    if (index % 2 === 1) {
      const stepUp = await finishStepUp(caller, await beginStepUp(caller), passkey, fault);
      assertRefused(stepUp, "STEP_UP_REQUIRED", name);
      continue;
    }
    const signIn = await finishSignIn(world(), await beginSignIn(world()), passkey, fault);
    assertRefused(signIn, "AUTH_REQUIRED", name);
    await forgetFailures(world());
  }
});

/** Removes the attempts, so that the throttle refuses no later one. */
function forgetFailures(world: World): Promise<void> {
  return world.raw("delete from access_attempts");
}

Deno.test("Credentials of a wrong form are PAYLOAD_INVALID everywhere, before the ceremony", async () => {
  const caller = await world().createCaller();
  const { key: passkey } = await addPasskey(world(), caller);
  const fresh = await SoftwarePasskey.make();
  const [signIn, stepUp, registration] = [
    await beginSignIn(world()),
    await beginStepUp(caller),
    await beginRegistration(world(), caller),
  ];
  const long = "A".repeat(8196);
  const responses: readonly (readonly [string, Json])[] = [
    ["clientDataJSON", { clientDataJSON: undefined }],
    ["clientDataJSON", { clientDataJSON: "e30=" }],
    ["clientDataJSON", { clientDataJSON: long }],
    ["both", { signature: 7, attestationObject: 7 }],
    ["both", { authenticatorData: undefined, attestationObject: undefined }],
    ["assertion", { authenticatorData: long }],
    ["assertion", { signature: long }],
    ["assertion", { userHandle: 7 }],
    ["assertion", { userHandle: "=" }],
  ];
  const faults: [string, Fault][] = [
    ...Object.entries(FORMS).map(([name, credential]) => [name, { credential }] as [string, Fault]),
    ...responses.map(([name, response]) => [name, { response }] as [string, Fault]),
  ];
  for (const [name, fault] of faults) {
    const finishes = [
      finishSignIn(world(), signIn, passkey, fault),
      finishStepUp(caller, stepUp, passkey, fault),
      ...(name === "assertion" ? [] : [finishRegistration(caller, registration, fresh, fault)]),
    ];
    for (const { status, body, text } of await Promise.all(finishes)) {
      assertEquals([status, body.error.code], [400, "PAYLOAD_INVALID"], `${name}: ${text}`);
      assertEquals(body.error.details.fields, ["credential"], name);
    }
  }
  assertEquals((await finishSignIn(world(), signIn, passkey)).status, 200);
  assertEquals((await finishStepUp(caller, stepUp, passkey)).status, 200);
  assertEquals((await finishRegistration(caller, registration, fresh)).status, 201);
});

Deno.test("Credential ids have 1 to 1,023 bytes, and RS256 keys up to 4,096 bits", async () => {
  const caller = await world().createCaller();
  for (const length of [1, 1023, 1024]) {
    const id = crypto.getRandomValues(new Uint8Array(length));
    const begun = await beginRegistration(world(), caller);
    const made = await SoftwarePasskey.make("ES256", { id });
    const { status } = await finishRegistration(caller, begun, made);
    assertEquals(status, length <= 1023 ? 201 : 400, `${length}`);
  }
  const wide = key((map) => map.set(-1, new Uint8Array(512).fill(0xff)));
  assertEquals((await register(caller, wide, "RS256")).status, 201);
});

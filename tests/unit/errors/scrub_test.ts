import { assert, assertEquals } from "@std/assert";
import type { JsonValue } from "../../../src/core/json.ts";
import { type DetailField, ERROR_CODES, type ErrorCode } from "../../../src/errors/codes.ts";
import { hasCredential, scrubDetails } from "../../../src/errors/scrub.ts";
import { randomJson } from "../../support/json_values.ts";
import { seededRandom } from "../../support/random.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dGhlIHNpZ25hdHVyZQ";

const CREDENTIAL_TEXTS: readonly string[] = [
  `prs_s_${"A1-_".repeat(10)}`,
  "the token is prs_x_q.",
  JWT,
  `see ${JWT}, please`,
  `"${JWT}"`,
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
  "-----BEGIN PRIVATE KEY-----\nMIIE",
  "x -----BEGIN OPENSSH PRIVATE KEY-----",
  "Bearer abc",
  "authorization: Bearer abc.def",
  " bearer abc ",
  "BEARER\tabc",
  "https://ada:lovelace@example.org/",
  "postgres://ada@localhost/records",
  "see redis://:pass@cache:6379 for it",
  "HTTPS://a%40b:c@example.org?x=1",
];

const HARMLESS_TEXTS: readonly string[] = [
  "",
  "a password is asked for here",
  "prs_S_abc",
  "prs_s",
  "prs__",
  "eyJhbGciOiJIUzI1NiJ9",
  "eyJhbGciOiJIUzI1NiJ9.only",
  "eyJ and more. And. More.",
  "keyJay.is.fine",
  "-----BEGIN",
  "----- begin of the day -----",
  "the bearer of good news",
  "Bearer",
  "https://example.org/@ada",
  "https://example.org/?mail=ada@example.org",
  "https://example.org/#ada@example.org",
  "mailto:ada@example.org",
  "ada@example.org",
  "http://example.org and ada@example.org",
  '{"url":"http://example.org","mail":"ada@example.org"}',
  "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
  "550e8400-e29b-41d4-a716-446655440000",
];

const CREDENTIAL_KEYS = [
  ..."password passwd secret token accessToken access_token REFRESH-TOKEN".split(" "),
  ..."api_key apiKey API-KEY Authorization cookie Set-Cookie private_key".split(" "),
  ..."clientSecret connection_string __password__ to_ken".split(" "),
];

const HARMLESS_KEYS = ["", ..."passwords tokenCount secretary cookies key keys author".split(" ")];

Deno.test("hasCredential() knows credentials by their form", () => {
  for (const text of CREDENTIAL_TEXTS) assert(hasCredential(text), text);
  for (const text of HARMLESS_TEXTS) assert(!hasCredential(text), text);
});

Deno.test("hasCredential() recognises credentials by key, with any value", () => {
  for (const key of CREDENTIAL_KEYS) {
    for (const value of ["", "x", 1, null, {}, [true]]) {
      assert(hasCredential({ [key]: value }), key);
    }
  }
  for (const key of HARMLESS_KEYS) assert(!hasCredential({ [key]: "x" }), key);
});

Deno.test("hasCredential() finds a credential at any depth, in keys as in values", () => {
  const random = seededRandom(8);
  for (let run = 0; run < 1000; run++) {
    const plain: JsonValue = { before: randomJson(random, 3), list: [randomJson(random, 3)] };
    assert(!hasCredential(plain));
    const text = random.pick(CREDENTIAL_TEXTS);
    const hidden: JsonValue = random.pick<JsonValue>([
      { ...plain, deep: [[{ text }]] },
      { ...plain, deep: { [text]: 1 } },
      [plain, { deep: { [random.pick(CREDENTIAL_KEYS)]: 1 } }],
    ]);
    assert(hasCredential(hidden), JSON.stringify(hidden));
  }
});

Deno.test("hasCredential() ends on long misleading texts", () => {
  // Quadratic patterns would take hours.
  const parts = [
    ..."eyJ eyJ- eyJ. eyJa.b prs_ prs_a -----BEGIN -----BEGIN- Bearer :// ://a :/ a:b".split(" "),
    "bearer ",
    "bearer \t",
    ..." @-_.",
  ];
  for (const part of parts) {
    for (const end of ["", "!", " \n", "/"]) hasCredential(part.repeat(500_000) + end);
  }
  assert(hasCredential(`${"eyJ-".repeat(500_000)}.a.b`));
});

Deno.test("scrubDetails() keeps names, codes and revision numbers", () => {
  assertEquals(
    scrubDetails("PAYLOAD_INVALID", {
      fields: ["payload.tags[3]", "password", "personName"],
      rules: ["json.depth", "undeclared_field"],
      limit: 2_097_152,
    }),
    {
      fields: ["payload.tags[3]", "password", "personName"],
      rules: ["json.depth", "undeclared_field"],
      limit: 2_097_152,
    },
  );
  assertEquals(scrubDetails("REVISION_CONFLICT", { expectedRevision: 0, currentRevision: 2 }), {
    expectedRevision: 0,
    currentRevision: 2,
  });
  assertEquals(
    scrubDetails("FEATURE_NOT_IMPLEMENTED", { moduleCode: "ai-agent", featureId: "AIA-001" }),
    { moduleCode: "ai-agent", featureId: "AIA-001" },
  );
});

Deno.test("scrubDetails() drops fields that the code does not list", () => {
  const all = {
    fields: ["a"],
    rules: ["a"],
    moduleCode: "a",
    featureId: "a",
    expectedRevision: 1,
    currentRevision: 1,
    operation: "a",
    scope: "a",
    entryPoint: "a",
    limit: 1,
    movedTo: "https://a.example",
    purpose: "TOKEN_CREATE",
    looksLike: ["csv"],
  } satisfies Record<DetailField, unknown>;
  for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
    const whitelist: readonly string[] = ERROR_CODES[code].details;
    const kept = Object.keys(scrubDetails(code, all) ?? {});
    assertEquals(kept.toSorted(), whitelist.toSorted(), code);
  }
  assertEquals(scrubDetails("INTERNAL_ERROR", all), undefined);
});

Deno.test("scrubDetails() keeps only another installation's origin", () => {
  const told = (movedTo: string) => scrubDetails("ACCOUNT_MOVED", { movedTo });
  for (const origin of ["https://a.example", "http://localhost:8001"]) {
    assertEquals(told(origin), { movedTo: origin });
  }
  const others = ["", "a.example", "https://a.example/", "https://a.example/path?q"];
  for (const other of [...others, "https://me:secret@a.example", "data:text/plain,a"]) {
    assertEquals(told(other), undefined, other);
  }
  assertEquals(scrubDetails("AUTH_REQUIRED", { movedTo: "https://a.example" }), undefined);
});

Deno.test("scrubDetails() drops unstable names and fractional numbers", () => {
  const values = [
    "",
    "two words",
    "a\nb",
    "é",
    "a/b",
    "x".repeat(65),
    "prs_s_abcdef",
    "eyJh.eyJi.c",
    NaN,
    Infinity,
    1.5,
    2 ** 53,
  ];
  for (const value of values) {
    assertEquals(scrubDetails("PAYLOAD_INVALID", { limit: value }), undefined, String(value));
  }
  assertEquals(scrubDetails("PAYLOAD_INVALID", { rules: [] }), undefined);
  assertEquals(
    scrubDetails("PAYLOAD_INVALID", { fields: ["my wine", "title", "prs_p_x"], rules: ["a b"] }),
    { fields: ["title"] },
  );
});

Deno.test("scrubDetails() keeps at most 50 names of a list", () => {
  const fields = Array.from({ length: 51 }, (_, index) => `field${index}`);
  assertEquals(scrubDetails("PAYLOAD_INVALID", { fields }), { fields: fields.slice(0, 50) });
});

Deno.test("scrubDetails() drops values of wrong types", () => {
  const values: unknown[] = [
    null,
    true,
    {},
    { password: "x" },
    [["a"]],
    [{ a: 1 }],
    [1],
    () => "a",
    1n,
    Symbol("a"),
  ];
  for (const value of values) {
    const details = Object.fromEntries([["fields", value]]);
    assertEquals(scrubDetails("PAYLOAD_INVALID", details), undefined);
  }
});

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

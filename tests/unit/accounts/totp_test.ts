import { assertEquals } from "@std/assert";
import {
  matchingStep,
  newTotpSecret,
  stepAt,
  totpCode,
  totpUri,
} from "../../../src/accounts/totp.ts";
import { Authenticator } from "../../http/second_factor.ts";
import { seededRandom } from "../../support/random.ts";

/** The secret of both RFCs' vectors. */
const SECRET = new TextEncoder().encode("12345678901234567890");
const STEP = 30_000;

Deno.test("totpCode() returns the ten codes of RFC 4226, appendix D", () => {
  const codes = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");
  assertEquals(codes.map((_, counter) => totpCode(SECRET, counter)), codes);
});

Deno.test("totpCode() returns the last six digits of RFC 6238's vectors, appendix B", () => {
  const vectors = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
  };
  for (const [seconds, digits] of Object.entries(vectors)) {
    const step = stepAt(new Date(Number(seconds) * 1000));
    assertEquals(totpCode(SECRET, step), digits.slice(2), seconds);
  }
});

Deno.test("stepAt() begins a step every thirty seconds, to the millisecond", () => {
  const begin = Date.parse("2026-11-20T12:00:00.000Z");
  const step = begin / STEP;
  const moments = [begin - 1, begin, begin + STEP - 1, begin + STEP];
  assertEquals(moments.map((at) => stepAt(new Date(at))), [step - 1, step, step, step + 1]);
});

Deno.test("matchingStep() accepts a code from one step early to one step late", () => {
  const step = 60_000_000;
  const code = totpCode(SECRET, step);
  const [first, end] = [(step - 1) * STEP, (step + 2) * STEP];
  const match = (at: number) => matchingStep(SECRET, code, new Date(at), 0);
  assertEquals([first - 1, first, end - 1, end].map(match), [null, step, step, null]);
});

Deno.test("matchingStep() rejects a used step, and older ones", () => {
  const step = 60_000_000;
  const now = new Date(step * STEP);
  const match = (sent: number, last: number) =>
    matchingStep(SECRET, totpCode(SECRET, sent), now, last);
  for (const sent of [step - 1, step, step + 1]) {
    const matches = [sent - 1, sent, sent + 1].map((last) => match(sent, last));
    assertEquals(matches, [sent, null, null], `${sent}`);
  }
});

Deno.test("matchingStep() accepts only the code", () => {
  const now = new Date(60_000_000 * STEP);
  const code = totpCode(SECRET, 60_000_000);
  const others = ["", code.slice(1), `${code}0`, `0${code}`, ` ${code}`, `${code}\0`];
  others.push(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  for (const other of others) assertEquals(matchingStep(SECRET, other, now, 0), null, other);
  assertEquals(matchingStep(newTotpSecret(), code, now, 0), null);
});

Deno.test("totpUri() is read by an authenticator, which shows valid codes", async () => {
  const random = seededRandom(1);
  const accounts = [
    "me@example.org",
    "a+b&c=d?e#f%20@example.org",
    'colon:quote"slash/@example.org',
    "ümläut@例え.jp",
  ];
  for (const account of accounts) {
    const secret = newTotpSecret();
    assertEquals(secret.length, 20);
    const uri = totpUri(secret, { issuer: "Personal Records & more", account });
    const authenticator = new Authenticator(uri);
    assertEquals([authenticator.issuer, authenticator.account], [
      "Personal Records & more",
      account,
    ]);
    for (let round = 0; round < 20; round++) {
      const moment = new Date(random.integer(0, 4_000_000_000) * 1000);
      assertEquals(await authenticator.codeAt(moment), totpCode(secret, stepAt(moment)), uri);
    }
  }
});

Deno.test("totpUri() follows the examples of Key Uri Format", () => {
  assertEquals(
    totpUri(SECRET, { issuer: "ACME Co", account: "john.doe@email.com" }),
    "otpauth://totp/ACME%20Co:john.doe%40email.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" +
      "&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30",
  );
});

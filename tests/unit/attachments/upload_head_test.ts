import { assertEquals, assertThrows } from "@std/assert";
import { MAX_ATTACHMENT_BYTES } from "../../../src/attachments/attachment.ts";
import { readUploadHead, SENT_FILENAME } from "../../../src/attachments/upload_head.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { seededRandom } from "../../support/random.ts";
import { refusalOf } from "../../support/refusals.ts";

/** From the API description. */
const SENT_NAME = new RegExp(SENT_FILENAME, "u");
const USUAL = { "Content-Type": "text/plain", "X-Filename": "note.txt" };

function readWith(headers: Record<string, string>) {
  return readUploadHead(new Headers({ ...USUAL, ...headers }));
}

function rulesOf(headers: Record<string, string>): readonly string[] | undefined {
  return refusalOf(() => readWith(headers))?.rules;
}

function codeOf(headers: Headers): string {
  return assertThrows(() => readUploadHead(headers), ServiceError).code;
}

Deno.test("readUploadHead() reads media type, filename and digest", () => {
  const head = readWith({
    "Content-Type": "text/plain; charset=utf-8",
    "X-Filename": "M%C3%BCsli%20%F0%9F%A5%A3 100%25.txt",
    "Content-Digest": "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:",
  });
  assertEquals(head, {
    mediaType: "text/plain; charset=utf-8",
    filename: "Müsli 🥣 100%.txt",
    expectedSha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  });
  assertEquals(readWith({}).expectedSha256, null);
});

Deno.test("readUploadHead() requires a media type of two parts", () => {
  const without = new Headers({ "X-Filename": "a" });
  assertEquals(codeOf(without), "HTTP_415");
  const wrong = [
    "",
    "text",
    "/plain",
    "text/",
    "text/plain/x",
    "text/plain, text/html",
    "te xt/plain",
    "text/plain; x=\u00e9",
    "text/plain x",
    `text/${"x".repeat(128)}`,
    `text/plain; x=${"y".repeat(255)}`,
  ];
  for (const type of wrong) {
    assertEquals(codeOf(new Headers({ ...USUAL, "Content-Type": type })), "HTTP_415", type);
  }
  for (const type of ["application/json", "image/svg+xml", "TEXT/HTML", "a/b;c=d"]) {
    assertEquals(readWith({ "Content-Type": type }).mediaType, type);
  }
});

Deno.test("readUploadHead() rejects a Content-Length beyond the limit, and trusts no other", () => {
  const beyond = new Headers({ ...USUAL, "Content-Length": `${MAX_ATTACHMENT_BYTES + 1}` });
  assertEquals(codeOf(beyond), "HTTP_413");
  for (const length of ["0", "1", "-5", "abc", "", `${MAX_ATTACHMENT_BYTES}`]) {
    assertEquals(readWith({ "Content-Length": length }).filename, "note.txt");
  }
});

Deno.test("readUploadHead() requires a filename", () => {
  const refusal = refusalOf(() => readUploadHead(new Headers({ "Content-Type": "text/plain" })));
  assertEquals(refusal?.rules, ["filename.required"]);
});

Deno.test("readUploadHead() refuses a filename that is not percent-encoded UTF-8", () => {
  for (
    const name of ["%", "%4", "%zz", "100%", "%ff", "%c3", "%ed%a0%80", "%c0%80", "M\u00fcsli"]
  ) {
    assertEquals(rulesOf({ "X-Filename": name }), ["filename.encoding"], name);
  }
});

Deno.test("readUploadHead() refuses blank, overlong and controlling filenames", () => {
  for (const name of ["", "%20", "%E3%80%80%20"]) {
    assertEquals(rulesOf({ "X-Filename": name }), ["field.blank"], name);
  }
  for (const name of ["a%00b", "a%0Ab", "a%09b", "a%1Bb", "a%7Fb", "a%C2%85b"]) {
    assertEquals(rulesOf({ "X-Filename": name }), ["field.control_character"], name);
  }
  const longest = encodeURIComponent("🥣".repeat(255));
  assertEquals(readWith({ "X-Filename": longest }).filename.length, 510);
  assertEquals(rulesOf({ "X-Filename": `${longest}a` }), ["field.length"]);
});

Deno.test("readUploadHead() rejects direction marks in a filename", () => {
  const marks = [
    0x061c,
    0x200e,
    0x200f,
    0x202a,
    0x202b,
    0x202c,
    0x202d,
    0x202e,
    0x2066,
    0x2067,
    0x2068,
    0x2069,
  ];
  for (const mark of marks) {
    const name = encodeURIComponent(`invoice${String.fromCodePoint(mark)}txt.exe`);
    assertEquals(rulesOf({ "X-Filename": name }), ["filename.direction_mark"], name);
    assertEquals(SENT_NAME.test(name), false, name);
  }
  for (const name of ["a\u200d", "a\u2065", "a\u202fb", "\u05e9\u05dc\u05d5\u05dd"]) {
    assertEquals(readWith({ "X-Filename": encodeURIComponent(name) }).filename, name);
    assertEquals(SENT_NAME.test(encodeURIComponent(name)), true, name);
  }
});

Deno.test("readUploadHead() rejects a filename that is a path", () => {
  const paths = ["../../etc/passwd", "a/b", "/", "C:\\x.txt", "\\", ".", ".."];
  for (const path of paths) {
    for (const name of [path, encodeURIComponent(path), path.replaceAll(".", "%2e")]) {
      assertEquals(rulesOf({ "X-Filename": name }), ["filename.path"], name);
      assertEquals(SENT_NAME.test(name), false, name);
    }
  }
  for (const name of ["...", ".profile", "a..b", "archive.tar.gz", "%2E%2Ea", "100%25"]) {
    assertEquals(readWith({ "X-Filename": name }).filename, decodeURIComponent(name));
    assertEquals(SENT_NAME.test(name), true, name);
  }
});

Deno.test("readUploadHead() decodes every encoded name to itself", () => {
  const seed = 3;
  const random = seededRandom(seed);
  for (let run = 0; run < 500; run++) {
    const name = random.text(1, 40).replaceAll(/[/\\]|^\.\.?$/g, "-");
    const { filename } = readWith({ "X-Filename": encodeURIComponent(name) });
    assertEquals(filename, name, `seed ${seed}, run ${run}`);
  }
});

Deno.test("readUploadHead() finds the SHA-256 among other digests", () => {
  const digest = `sha-256=:${"A".repeat(43)}=:`;
  for (const header of [digest, `md5=:AAAA:, ${digest}`, `${digest} , sha-512=:AAAA:`]) {
    assertEquals(readWith({ "Content-Digest": header }).expectedSha256, "00".repeat(32), header);
  }
});

Deno.test("readUploadHead() rejects a digest that it cannot check", () => {
  const wrong = [
    "",
    "sha-256",
    "sha-256=::",
    `sha-256=${"A".repeat(43)}=`,
    `sha-256=:${"A".repeat(44)}:`,
    `sha-256=:${"A".repeat(42)}=:`,
    `sha-256=:${"_".repeat(43)}=:`,
    "sha-512=:AAAA:",
    `xsha-256=:${"A".repeat(43)}=:`,
  ];
  for (const header of wrong) {
    assertEquals(rulesOf({ "Content-Digest": header }), ["content_digest.format"], header);
  }
});

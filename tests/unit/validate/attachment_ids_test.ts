/** Links to attachments in texts. */

import { assert, assertEquals } from "@std/assert";
import { ATTACHMENT_IDS, attachmentIds } from "../../../src/validate/attachment_ids.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(5);
const [A, B, C] = [random.ulid(), random.ulid(), random.ulid()];

Deno.test("Identifiers are in order of appearance, each once, those of fields first", () => {
  const text = `![](attachment:${B}) [a](attachment:${A}), attachment:${B}. xattachment:${C}_`;
  assertEquals(attachmentIds([], [text]), [B, A, C]);
  assertEquals(attachmentIds([C, A], [null, text]), [C, A, B]);
  assertEquals(attachmentIds([], [`attachment:${A}`, `attachment:${B}`]), [A, B]);
  assertEquals(attachmentIds([], [null, ""]), []);
});

Deno.test("A link is a whole identifier that no letter or digit follows", () => {
  for (const after of ["x", "Z", "7", "é", "٣", "字", "𝒳"]) {
    assertEquals(attachmentIds([], [`attachment:${A}${after}`]), [], after);
  }
  for (const after of ["", ")", "_", "-", "/x", "\n", "😀"]) {
    assertEquals(attachmentIds([], [`attachment:${A}${after}`]), [A], after);
  }
  const others = [A, A.toLowerCase(), A.slice(1), `8${A.slice(1)}`, `I${A.slice(1)}`];
  const texts = [`${others[0]}`, ...others.slice(1).map((id) => `attachment:${id}`)];
  assertEquals(attachmentIds([], [...texts, `Attachment:${A}`, `attachment: ${A}`]), []);
  assertEquals(attachmentIds(["short", A], []), [A]);
});

Deno.test("At most 100 identifiers", () => {
  const ids = Array.from({ length: 150 }, () => random.ulid());
  const text = ids.map((id) => `attachment:${id}`).join(" ");
  assertEquals(attachmentIds([A], [text]), [A, ...ids.slice(0, 99)]);
  assertEquals(attachmentIds([A, A, ...ids], []), [A, ...ids.slice(0, 99)]);
  assertEquals(ATTACHMENT_IDS.maxItems, 100);
});

Deno.test("A text of one MiB takes linear time", () => {
  const size = 1024 * 1024;
  for (const part of ["a", "attachment:", `attachment:${A}x`, `attachment:${A.slice(1)}`]) {
    const text = part.repeat(Math.ceil(size / part.length));
    const began = performance.now();
    assertEquals(attachmentIds([], [text]), []);
    const milliseconds = performance.now() - began;
    assert(milliseconds < 500, `${part.slice(0, 12)}: ${milliseconds} ms`);
  }
});

/** The attachments that a payload names. */

import { assertEquals } from "@std/assert";
import { payloadAttachmentIds } from "../../../src/catalog/attachment_fields.ts";
import type { FieldSet } from "../../../src/catalog/module.ts";
import { CAPTURE } from "../../../src/catalog/modules/capture.ts";
import { DECISION } from "../../../src/catalog/modules/decision.ts";
import { KNOWLEDGE } from "../../../src/catalog/modules/knowledge.ts";
import { MEDIA } from "../../../src/catalog/modules/media.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(6);
const [A, B, C, D] = [random.ulid(), random.ulid(), random.ulid(), random.ulid()];

Deno.test("Fields for files come first, then texts in the order of the catalog", () => {
  const link = (id: string) => `![](attachment:${id})`;
  const cases: [FieldSet, JsonObject, string[]][] = [
    [CAPTURE, { originalContent: link(C), attachmentIds: [B, A] }, [B, A, C]],
    [MEDIA, { transcription: link(D), reason: link(C), context: link(B), fileId: A }, [A, B, C, D]],
    [KNOWLEDGE, { snapshot: link(B) + link(A) }, [B, A]],
    // Neither lists nor JSON are texts.
    [DECISION, { options: [{ name: link(A) }], mediaType: link(B) }, []],
    // An assistant may not see them.
    [MEDIA, { fileId: null, transcription: null }, []],
  ];
  for (const [module, payload, expected] of cases) {
    assertEquals(payloadAttachmentIds(module, payload), expected, JSON.stringify(payload));
  }
});

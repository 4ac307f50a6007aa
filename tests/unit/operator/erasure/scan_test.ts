import { assertEquals } from "@std/assert";
import { sealedLine } from "../../../../src/operator/erasure/scan.ts";

Deno.test("sealedLine() shows an unsealed entry of a trail as sealed, wherever the column is", () => {
  const line = '{"event":"LOGIN","transaction_id":0,"tool":null}';
  assertEquals(
    sealedLine("access_events", line),
    '{"event":"LOGIN","transaction_id":null,"tool":null}',
  );
  assertEquals(sealedLine("audit_entries", '{"a":1,"transaction_id":0}').slice(-5), "null}");
  for (const same of ['{"a":1,"transaction_id":7}', '{"a":"\\",\\"transaction_id\\":0,"}']) {
    assertEquals(sealedLine("access_events", same), same);
  }
  assertEquals(sealedLine("records", line), line);
});

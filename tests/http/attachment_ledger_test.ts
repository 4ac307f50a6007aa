import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { upload, uploaded } from "../support/attachments.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

/** SQLSTATE and constraint of the error. */
async function refusalOf(script: string): Promise<string> {
  const error = await assertRejects(() => world().raw(script), Error);
  const { code, constraint_name: constraint } = error as Error & Record<string, unknown>;
  return constraint === undefined ? String(code) : `${code} ${constraint}`;
}

Deno.test("POST attachment writes one audit entry with the attachment's id and no value", async () => {
  const caller = await world().createCaller();
  const response = await upload(caller, "a note", { "X-Request-Id": "the-upload" });
  const rows = await world().rows(`
    select (to_jsonb(entry) - 'transaction_id')::text as entry from audit_entries entry
     where owner_id = '${caller.accountId}'`);
  assertEquals(rows.length, 1);
  const entry = JSON.parse(rows[0].entry);
  assertMatch(entry.audit_id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assertEquals(Date.parse(`${entry.created_at}`), world().now().getTime());
  assertEquals(entry, {
    owner_id: caller.accountId,
    audit_id: entry.audit_id,
    actor_id: caller.accountId,
    credential_kind: "SESSION",
    credential_id: caller.sessionId,
    operation: "attachment.create",
    module_code: null,
    subject_id: response.body.data.attachmentId,
    revision: null,
    request_id: "the-upload",
    via_assistant: null,
    created_at: entry.created_at,
  });
});

Deno.test("POST attachment stores exactly what it answers", async () => {
  const caller = await world().createCaller();
  const { body: { data } } = await upload(caller, "a note", { "Content-Type": "text/plain" });
  const [row] = await world().rows(`
    select attachment_id, size::integer, encode(sha256, 'hex') as sha256, media_type, filename,
           created_at
      from attachments where owner_id = '${caller.accountId}'`);
  assertEquals(data, {
    attachmentId: row.attachment_id,
    size: row.size,
    sha256: row.sha256,
    mediaType: row.media_type,
    filename: row.filename,
    createdAt: row.created_at.toISOString(),
    thumbnail: null,
  });
  assertEquals(row.sha256, createHash("sha256").update("a note").digest("hex"));
});

Deno.test("Attachments are append-only, also for SQL", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a note");
  const where = `where attachment_id = '${id}'`;
  assertEquals(await refusalOf(`update attachments set filename = 'x' ${where}`), "PRS01");
  assertEquals(await refusalOf(`delete from attachments ${where}`), "PRS01");
  assertEquals(await refusalOf("truncate attachments"), "PRS01");
  assertEquals(await refusalOf("delete from attachment_usage"), "PRS01");
  assertEquals(await refusalOf("truncate attachment_usage"), "PRS01");
  const replica = `set local session_replication_role = replica; delete from attachments ${where}`;
  assertEquals(await refusalOf(replica), "PRS01");
});

Deno.test("Attachment rows must be possible uploads", async () => {
  const { accountId } = await world().createCaller();
  const id = world().now().getTime().toString().padStart(26, "0");
  const insert = (change: Record<string, string>) => {
    const row = {
      owner_id: `'${accountId}'`,
      attachment_id: `'${id}'`,
      size: "1",
      sha256: `'\\x${"00".repeat(32)}'`,
      media_type: "'text/plain'",
      filename: "'file'",
      created_at: "now()",
      ...change,
    };
    const columns = Object.keys(row).join(", ");
    return `insert into attachments (${columns}) values (${Object.values(row).join(", ")})`;
  };
  const refusals: [Record<string, string>, string][] = [
    [{ size: "-1" }, "23514 attachment_size_not_negative"],
    [{ sha256: "'\\x00'" }, "23514 attachment_digest_length"],
    [{ media_type: "''" }, "23514 attachment_media_type_length"],
    [{ media_type: "repeat('x', 256)" }, "23514 attachment_media_type_length"],
    [{ filename: "''" }, "23514 attachment_filename_length"],
    [{ filename: "repeat('x', 256)" }, "23514 attachment_filename_length"],
    [{ attachment_id: `'${id.replace(/^0/, "8")}'` }, "23514 canonical_ulid"],
    [{ owner_id: `'${id}'` }, "23503 attachment_owner_exists"],
  ];
  for (const [change, refusal] of refusals) assertEquals(await refusalOf(insert(change)), refusal);
  const beyond = `insert into attachment_usage values ('${accountId}', 10737418241)`;
  assertEquals(await refusalOf(beyond), "23514 attachment_quota");
});

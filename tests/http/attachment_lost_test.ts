/** Attachments whose bytes are lost: reads, exports, imports, and the repair by the same bytes. */

import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { download, filesOf, upload, uploaded } from "../support/attachments.ts";
import { Secret } from "../../src/operator/config/secrets.ts";
import { readTar } from "../support/tar.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, createWorld, type Json, sharedWorld } from "../support/world.ts";
import { zip } from "../support/zip.ts";
import { createPerson, detail } from "../families/relationship/api.ts";
import { ACCOUNT_EXPORTS, exportAccount, fetchContent, importFile, linesOf } from "./account.ts";
import { imported } from "./imports.ts";
import { assertFailure } from "./kernel.ts";

const TOKEN = "a-token-that-only-tests-know";
const world = sharedWorld({ metricsToken: new Secret(TOKEN) });

/** The path of a caller's only file with this content. */
async function fileOf(caller: Caller, content: string): Promise<string> {
  const files = (await filesOf(world(), caller.accountId))
    .map((path) => `${world().objectFolder}/${path}`);
  for (const path of files) if (await Deno.readTextFile(path) === content) return path;
  throw new Error("The caller has no such file");
}

const PATH = "/api/v2/attachments";

Deno.test("The content of a lost attachment is 410, and the same bytes heal it", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a note");
  const path = await fileOf(caller, "a note");
  const losses = [
    () => Deno.writeTextFile(path, "a not"),
    () => Deno.writeTextFile(path, "a note."),
    () => Deno.writeTextFile(path, "A NOTE"),
    () => Deno.remove(path),
  ];
  for (const lose of losses) {
    await lose();
    const content = await caller.call("GET", `${PATH}/${id}/content`);
    assertEquals(assertFailure(content, "ATTACHMENT_LOST"), undefined);
    assertEquals((await download(world(), caller, id, {}, "HEAD")).status, 410);
    assertEquals((await caller.call("GET", `${PATH}/${id}`)).status, 200);
  }
  assertEquals((await download(world(), caller, id, { Range: "bytes=0-1" })).status, 410);
  assertEquals((await upload(caller, "a note")).status, 201);
  const healed = await download(world(), caller, id);
  assertEquals([healed.status, new TextDecoder().decode(healed.bytes)], [200, "a note"]);
});

Deno.test("GET attachment content of missing or truncated bytes fails without details", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const missing = await uploaded(caller, "to be removed");
  const [path = ""] = await filesOf(own, caller.accountId);
  await Deno.remove(`${own.objectFolder}/${path}`);
  const shortened = await uploaded(caller, "to be shortened");
  const [other = ""] = await filesOf(own, caller.accountId);
  await Deno.truncate(`${own.objectFolder}/${other}`, 3);
  for (const id of [missing, shortened]) {
    for (const headers of [{}, { Range: "bytes=1-" }]) {
      const path = `${PATH}/${id}/content`;
      const response = await caller.call("GET", path, { headers });
      assertEquals([response.status, response.body.error.code], [410, "ATTACHMENT_LOST"]);
      assertEquals(Object.keys(response.body.error), ["code", "message", "requestId"]);
      assertEquals(response.headers.get("Content-Disposition"), 'attachment; filename="api.json"');
      assertEquals((await caller.call("HEAD", path, { headers })).status, 410);
    }
    assertEquals((await caller.call("GET", `${PATH}/${id}`)).status, 200);
  }
  assertNotMatch(JSON.stringify(own.log), /objects|removed|shortened/);
});

Deno.test("JSON Lines mark a lost attachment, and come in and out again as they are", async () => {
  const caller = await world().createCaller();
  const [lost, twin, whole] = [
    await uploaded(caller, "a note"),
    await uploaded(caller, "a note"),
    await uploaded(caller, "another"),
  ];
  await Deno.remove(await fileOf(caller, "a note"));
  const { bytes, description } = await exportAccount(world(), caller);
  const lines = linesOf(bytes);
  const attachments = lines.filter(({ type }: Json) => type === "attachment");
  const marked = attachments.map(({ attachmentId, lost }: Json) => [attachmentId, lost]);
  const expected = [[lost, true], [twin, true], [whole, undefined]];
  assertEquals(marked, expected.toSorted(([one = ""], [other = ""]) => one < other ? -1 : 1));
  assertEquals(lines.filter(({ type }: Json) => type === "bytes").length, 1);
  assertEquals([description.size, description.counts.attachment], [bytes.length, 3]);

  const target = await world().createCaller();
  const { status, text } = await importFile(target, bytes as BodyInit);
  assertEquals(status, 200, text);
  assertFailure(await target.call("GET", `${PATH}/${lost}/content`), "ATTACHMENT_LOST");
  assertEquals((await download(world(), target, whole)).status, 200);
  const again = await exportAccount(world(), target);
  assertEquals(again.bytes, bytes);
});

Deno.test("An account file may not say of other lines, or with another value, that they are lost", async () => {
  const caller = await world().createCaller();
  await uploaded(caller, "a note");
  await Deno.remove(await fileOf(caller, "a note"));
  const { bytes } = await exportAccount(world(), caller);
  const text = new TextDecoder().decode(bytes);
  for (const value of ["false", "null", "1", `"true"`]) {
    const forged = text.replace(`"lost":true`, `"lost":${value}`);
    const target = await world().createCaller();
    assertEquals(
      assertFailure(await importFile(target, forged), "PAYLOAD_INVALID")?.rules,
      ["import.member"],
    );
  }
});

Deno.test("A Markdown archive lists lost files instead of them", async () => {
  const caller = await world().createCaller();
  const [lost, whole] = [await uploaded(caller, "a note"), await uploaded(caller, "another")];
  const files = async () => {
    const headers = await proofOf(world(), caller, "ACCOUNT_EXPORT");
    const body = { format: "MARKDOWN" };
    const made = await caller.call("POST", ACCOUNT_EXPORTS, { body, key: ulid(), headers });
    assertEquals(made.status, 201, made.text);
    const response = await fetchContent(world(), caller, made.body.data.exportId);
    const read = readTar(await response.bytes());
    return new Map(read.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
  };
  assertEquals((await files()).has("prs-account/lost-files.txt"), false);
  await Deno.writeTextFile(await fileOf(caller, "a note"), "A NOTE");
  const found = await files();
  assert(found.get("prs-account/lost-files.txt")?.includes(`${lost}  6 bytes  file`));
  const kept = [...found.keys()].filter((path) => path.startsWith("prs-account/attachments/"));
  assertEquals(kept, [`prs-account/attachments/${whole}/file`]);
});

Deno.test("Importing the same archive again brings a lost file back", async () => {
  const caller = await world().createCaller();
  const archive = zip([
    { name: "note.md", content: "See ![[photo.png]]" },
    { name: "photo.png", content: "the bytes of a picture" },
  ]);
  const query = { name: "Vault" };
  const first = await imported(caller, "markdown", archive, query);
  assertEquals(first.attachments, { new: 1, unchanged: 0, missing: 0 });
  const photos = async () => {
    const { items } = (await caller.call("GET", PATH)).body.data;
    return items.filter(({ filename }: Json) => filename === "photo.png");
  };
  const [photo] = await photos();
  await Deno.remove(await fileOf(caller, "the bytes of a picture"));
  const second = await imported(caller, "markdown", archive, query);
  assertEquals(second.attachments, { new: 1, unchanged: 0, missing: 0 });
  assertEquals(await photos(), [photo]);
  assertEquals((await download(world(), caller, photo.attachmentId)).status, 200);
  const third = await imported(caller, "markdown", archive, query);
  assertEquals(third.attachments, { new: 0, unchanged: 1, missing: 0 });
});

Deno.test("A lost photograph does not stop an export of vCards", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a picture");
  const value = { property: "PHOTO", value: `attachment:${id}` };
  await detail(caller, await createPerson(caller), { kind: "OTHER", value });
  await Deno.remove(await fileOf(caller, "a picture"));
  const headers = await proofOf(world(), caller, "RELATIONSHIP_EXPORT");
  const made = await caller.call("POST", "/api/v2/relationship/exports", {
    body: { format: "VCARD" },
    headers,
    key: ulid(),
  });
  assertEquals(made.status, 201, made.text);
  assertEquals(made.body.data.content.includes("PHOTO:data"), false);
});

Deno.test("The metrics show the losses of the newest check", async () => {
  const gauge = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { text } = await world().call("GET", "/metrics", { headers });
    return /^attachments_lost (\d+)$/m.exec(text)?.[1];
  };
  assertEquals(await gauge(), undefined);
  await world().objects.noteLost(3);
  assertEquals(await gauge(), "3");
});

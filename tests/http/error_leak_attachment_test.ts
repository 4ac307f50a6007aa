/**
 * Upload data returns only to its owner: name and media type with the attachment, bytes with the
 * content. `attachments` stores name and type.
 */

import { assertEquals } from "@std/assert";
import { broken, download, putThumbnail, upload, uploaded } from "../support/attachments.ts";
import { png } from "../support/picture_headers.ts";
import { Markers } from "../support/markers.ts";
import { createWorld, fileWorld, type TestResponse } from "../support/world.ts";

const PATH = "/api/v2/attachments";

const world = fileWorld();

Deno.test("A rejected upload reveals nothing of its headers and bytes", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const marker = () => markers.make("a refused upload");
  const heads: Record<string, string>[] = [
    { "X-Filename": `${marker()}%` },
    { "X-Filename": `${marker()}%00` },
    { "X-Filename": marker().repeat(20) },
    { "Content-Type": marker() },
    { "Content-Digest": marker() },
    { "Content-Digest": `sha-256=:${marker()}${"A".repeat(28)}=:` },
    { "Content-Length": `9999999999`, "X-Filename": marker() },
  ];
  for (const head of heads) {
    markers.assertTellsNothing(await upload(caller, marker(), head), JSON.stringify(head));
  }
  const name = { "X-Filename": marker() };
  const parts = [new TextEncoder().encode(marker())];
  markers.assertTellsNothing(await upload(caller, broken(...parts), name), "a broken upload");
  await markers.assertLedgersTellNothing(world());
  assertEquals(await markers.inDatabase(world()), {});
});

Deno.test("An attachment shows its name, type and bytes only to its owner", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const answer = await upload(caller, markers.make("bytes"), {
    "X-Filename": markers.make("name"),
    "Content-Type": `text/plain; x=${markers.make("type")}`,
  });
  assertEquals([answer.status, markers.inResponse(answer)], [201, ["name", "type"]]);
  const { attachmentId } = answer.body.data;
  const content = await download(world(), caller, attachmentId);
  assertEquals(markers.in(new TextDecoder().decode(content.bytes)), ["bytes"]);
  assertEquals(markers.in(JSON.stringify([...content.headers])), ["name", "type"]);
  const refused: TestResponse[] = [
    await caller.call("GET", `${PATH}/${attachmentId}/content`, {
      headers: { Range: "bytes=99-" },
    }),
    await caller.call("DELETE", `${PATH}/${attachmentId}`),
    await (await world().createCaller()).call("GET", `${PATH}/${attachmentId}`),
    await (await world().createCaller()).call("GET", `${PATH}/${attachmentId}/content`),
    await world().call("GET", `${PATH}/${attachmentId}/content`),
    await putThumbnail(caller, attachmentId, markers.make("picture")),
    await putThumbnail(caller, attachmentId, png(2, 2), { "Content-Type": markers.make("other") }),
  ];
  for (const failure of refused) markers.assertTellsNothing(failure, failure.text);
  await markers.assertLedgersTellNothing(world());
  const columns = { "attachments.media_type": ["type"], "attachments.filename": ["name"] };
  assertEquals(await markers.inDatabase(world()), columns);
});

Deno.test("An upload reveals nothing if the object store fails", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const markers = new Markers();
  const fail = () => Promise.reject(new Error(markers.make("the store's own words")));
  const app = own.again({ objects: { ...own.objects, receive: fail, read: fail } });
  const id = await uploaded(caller, markers.make("bytes"));
  const head = { "X-Filename": markers.make("name"), "Content-Type": "text/plain" };
  const failures = [
    new Request(`https://records.example${PATH}`, { method: "POST", headers: head, body: "x" }),
    new Request(`https://records.example${PATH}/${id}/content`),
  ];
  for (const request of failures) {
    request.headers.set("Authorization", `Bearer ${caller.secret}`);
    const response = await app.fetch(request);
    const told = await response.text() + JSON.stringify([...response.headers]);
    assertEquals([response.status, markers.in(told)], [500, []]);
  }
  await markers.assertLedgersTellNothing(own);
});

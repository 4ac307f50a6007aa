import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { newId } from "../../src/core/ids.ts";
import { putThumbnail, uploaded } from "../support/attachments.ts";
import { jpeg, png, webp } from "../support/picture_headers.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, setMaintenance } from "./kernel.ts";

const PATH = "/api/v2/attachments";

const world = sharedWorld();

async function get(
  caller: Caller,
  id: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Response> {
  return await world().app.fetch(
    new Request(`https://records.example${PATH}/${id}/thumbnail`, {
      method,
      headers: { Authorization: `Bearer ${caller.secret}`, ...headers },
    }),
  );
}

Deno.test("PUT thumbnail adds a picture, repeats for the same bytes, and refuses others", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a picture");
  const before = await caller.call("GET", `${PATH}/${id}`);
  assertEquals(before.body.data.thumbnail, null);
  const bytes = png(320, 200);
  const made = await putThumbnail(caller, id, bytes);
  assertEquals([made.status, made.headers.get("Location")], [201, `${PATH}/${id}/thumbnail`]);
  const thumbnail = { mediaType: "image/png", size: bytes.length, width: 320, height: 200 };
  const attachment = { ...before.body.data, thumbnail };
  assertEquals(made.body.data, attachment);
  const repeated = await putThumbnail(caller, id, bytes);
  assertEquals([repeated.status, repeated.body.data], [200, attachment]);
  const other = await putThumbnail(caller, id, png(320, 200, 1));
  assertEquals(assertFailure(other, "ATTACHMENT_CONFLICT"), {
    operation: "attachment.thumbnail.put",
  });
  for (const path of [`${PATH}/${id}`, PATH, `${PATH}?ids=${id}`]) {
    const { body: { data } } = await caller.call("GET", path);
    assertEquals(data.items?.[0] ?? data, attachment, path);
  }
  const entries = await world().rows(
    `select operation from audit_entries where owner_id = '${caller.accountId}'`,
  );
  assertEquals(entries.map(({ operation }: Json) => operation), ["attachment.create"]);
});

Deno.test("GET thumbnail sends the checked type, for the browser to keep", async () => {
  const caller = await world().createCaller();
  for (
    const [bytes, type] of [
      [png(1, 512), "image/png"],
      [jpeg(300, 2), "image/jpeg"],
      [webp(512, 1), "image/webp"],
    ] as const
  ) {
    const id = await uploaded(caller, `not ${type}`);
    assertEquals(
      (await putThumbnail(caller, id, bytes, { "Content-Type": `${type.toUpperCase()}; a=b` }))
        .status,
      201,
    );
    const tag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    for (const method of ["GET", "HEAD"]) {
      const response = await get(caller, id, {}, method);
      assertEquals(response.status, 200);
      assertEquals(
        new Uint8Array(await response.bytes()),
        method === "GET" ? bytes : new Uint8Array(),
      );
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), type);
      assertEquals(headers.get("Content-Length"), String(bytes.length));
      assertEquals(headers.get("ETag"), tag);
      assertEquals(headers.get("Cache-Control"), "private, max-age=31536000, immutable");
      assertEquals(headers.get("Content-Security-Policy"), "sandbox");
      assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    }
    const known = await get(caller, id, { "If-None-Match": tag });
    assertEquals([known.status, await known.text()], [304, ""]);
    assertEquals(known.headers.get("ETag"), tag);
  }
});

Deno.test("A thumbnail is its owner's, and needs the permissions of attachments", async () => {
  const owner = await world().createCaller();
  const id = await uploaded(owner, "a picture");
  const other = await world().createCaller();
  assertFailure(await putThumbnail(other, id, png(2, 2)), "RECORD_NOT_FOUND");
  const missing = async (caller: Caller, of: string) => {
    const response = await get(caller, of);
    assertEquals([response.status, (await response.json()).error.code], [404, "RECORD_NOT_FOUND"]);
  };
  await missing(owner, id);
  assertEquals((await putThumbnail(owner, id, png(2, 2))).status, 201);
  await missing(other, id);
  assertFailure(await putThumbnail(owner, newId(world().now()), png(2, 2)), "RECORD_NOT_FOUND");
  assertInvalid(await putThumbnail(owner, id.toLowerCase(), png(2, 2)), ["attachment_id.format"]);
  const viewer = await world().createCaller("VIEWER");
  assertFailure(await putThumbnail(viewer, id, png(2, 2)), "FORBIDDEN");
});

Deno.test("PUT thumbnail refuses what is no small picture of the announced type", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a picture");
  const wrong: [Uint8Array<ArrayBuffer>, string][] = [
    [new Uint8Array(), "image/png"],
    [new TextEncoder().encode("<svg width='2' height='2'/>"), "image/svg+xml"],
    [new TextEncoder().encode("GIF89a\x02\0\x02\0"), "image/gif"],
    [png(2, 2), "image/jpeg"],
    [png(2, 2), "application/octet-stream"],
    [png(2, 2), ""],
    ...[[0, 2], [2, 0], [513, 2], [2, 513]].flatMap(([width = 0, height = 0]) =>
      [
        [png(width, height), "image/png"],
        [jpeg(width, height), "image/jpeg"],
        [webp(width, height), "image/webp"],
      ] as [Uint8Array<ArrayBuffer>, string][]
    ),
  ];
  for (const [bytes, type] of wrong) {
    assertInvalid(await putThumbnail(caller, id, bytes, { "Content-Type": type }), [
      "thumbnail.form",
    ]);
  }
  const { body } = await caller.call("GET", `${PATH}/${id}`);
  assertEquals(body.data.thumbnail, null);
});

Deno.test("PUT thumbnail accepts 64 KiB, announced or not, and no byte more", async () => {
  const caller = await world().createCaller();
  const limit = 65_536;
  const sized = (size: number) => {
    const bytes = new Uint8Array(size);
    bytes.set(png(2, 2));
    return bytes;
  };
  for (const length of [undefined, String(limit + 1)]) {
    const id = await uploaded(caller, "a picture");
    const headers = length === undefined ? {} : { "Content-Length": length };
    const refused = await putThumbnail(caller, id, sized(limit + 1), headers);
    assertEquals(assertFailure(refused, "HTTP_413"), { limit });
    const stated = length === undefined ? {} : { "Content-Length": String(limit) };
    assertEquals((await putThumbnail(caller, id, sized(limit), stated)).status, 201);
  }
});

Deno.test("Two PUTs at once store one thumbnail", async () => {
  const caller = await world().createCaller();
  const statuses = async (bodies: readonly Uint8Array<ArrayBuffer>[]) => {
    const id = await uploaded(caller, "a picture");
    const responses = await Promise.all(bodies.map((bytes) => putThumbnail(caller, id, bytes)));
    return responses.map(({ status }) => status).toSorted();
  };
  for (let round = 0; round < 5; round++) {
    assertEquals(await statuses([png(2, 2), png(2, 2), png(2, 2)]), [200, 200, 201]);
    assertEquals(await statuses([png(2, 2), png(2, 3), png(3, 2)]), [201, 409, 409]);
  }
});

Deno.test("GET attachments by ids shows those that the owner has, in the order asked", async () => {
  const caller = await world().createCaller();
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push(await uploaded(caller, `file ${count}`));
  const foreign = await uploaded(await world().createCaller(), "foreign");
  const [first = "", second = "", third = ""] = ids;
  const shown = async (asked: readonly string[]) => {
    const { body: { data } } = await caller.call("GET", `${PATH}?ids=${asked.join()}`);
    assertEquals(data.nextCursor, null);
    return data.items.map(({ attachmentId }: Json) => attachmentId);
  };
  assertEquals(await shown([third, first, foreign, second]), [third, first, second]);
  assertEquals(await shown([foreign]), []);
  const many = Array.from({ length: 100 }, (_, index) => ids[index] ?? newId(world().now()));
  assertEquals(await shown(many), ids);

  const wrong: [string, string[], string[]][] = [
    ["ids=", ["field.identifier"], ["ids"]],
    [`ids=${first},`, ["field.identifier"], ["ids"]],
    [`ids=${first.toLowerCase()}`, ["field.identifier"], ["ids"]],
    [`ids=${first},${first}`, ["field.repeated"], ["ids"]],
    [`ids=${[...many, newId(world().now())]}`, ["field.length"], ["ids"]],
    [`ids=${first}&limit=1`, ["undeclared_field"], ["limit"]],
    [`ids=${first}&cursor=${first}`, ["undeclared_field"], ["cursor"]],
    [`ids=${first}&ids=${second}`, ["query.repeated"], ["ids"]],
  ];
  for (const [query, rules, fields] of wrong) {
    assertInvalid(await caller.call("GET", `${PATH}?${query}`), rules, fields, query);
  }
});

Deno.test("An account sends 60 thumbnails at once, and then one a second", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a picture");
  for (let count = 0; count < 60; count++) {
    assertInvalid(await putThumbnail(caller, id, "no picture"), ["thumbnail.form"]);
  }
  const refused = await putThumbnail(caller, id, png(2, 2));
  assertFailure(refused, "HTTP_429");
  assertEquals(refused.headers.get("Retry-After"), "1");
  // Another account has its own limit.
  const other = await world().createCaller();
  assertEquals(
    (await putThumbnail(other, await uploaded(other, "a picture"), png(2, 2))).status,
    201,
  );
  world().advance(1000);
  assertEquals((await putThumbnail(caller, id, png(2, 2))).status, 201);
  assertFailure(await putThumbnail(caller, id, png(2, 2)), "HTTP_429");
});

Deno.test("PUT thumbnail waits for the end of a maintenance window", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "a picture");
  await setMaintenance(world(), true);
  try {
    const refused = await putThumbnail(caller, id, png(2, 2));
    assertEquals(assertFailure(refused, "SYSTEM_MAINTENANCE"), {
      scope: "ORDINARY_WRITES",
      entryPoint: "attachment.thumbnail.put",
    });
  } finally {
    await setMaintenance(world(), false);
  }
  assertEquals((await putThumbnail(caller, id, png(2, 2))).status, 201);
});

Deno.test("Thumbnails count toward the account's storage, which shows their sum", async () => {
  const caller = await world().createCaller();
  const stored = async () => (await caller.call("GET", "/api/v2/account/storage")).body.data;
  const before = await stored();
  assertEquals(before.thumbnails, { bytes: 0, limit: null });
  const bytes = png(2, 2);
  for (const name of ["one", "another"]) {
    await putThumbnail(caller, await uploaded(caller, name), bytes);
  }
  const after = await stored();
  assertEquals(after.thumbnails, { bytes: 2 * bytes.length, limit: null });
  assertEquals(after.content.bytes - before.content.bytes, 2 * bytes.length);
});

import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { toPage } from "../../../src/http/page.ts";
import {
  type CursorBinding,
  SIGNED_PAGE_QUERY,
  SignedCursors,
  signedPageOf,
} from "../../../src/http/signed_page.ts";
import { TEXT } from "../../../src/validate/json_schema.ts";
import { readQuery } from "../../../src/validate/schema.ts";

const SECRET = new TextEncoder().encode("a server secret of some length..");
const NOW = new Date("2026-11-20T17:24:00.000Z");
const MINUTE = 60_000;
const FIRST = "01JD5Q3Z9V7K2M4N6P8R0S1T2W";
const SECOND = "01JD5Q3Z9V7K2M4N6P8R0S1T2X";
const BINDING = {
  list: "relationship.timeline",
  owner: "01JD5Q3Z9V7K2M4N6P8R0S1T20",
  personId: "01JD5Q3Z9V7K2M4N6P8R0S1T21",
  filter: { kinds: ["CONTACT", "EXPERIENCE"], until: null },
} satisfies CursorBinding;

function cursors(
  binding: CursorBinding = BINDING,
  { now = NOW, lifetimeMs = 15 * MINUTE as number | null, secret = SECRET } = {},
): SignedCursors {
  return new SignedCursors(secret, binding, { now, lifetimeMs });
}

function assertUnknown(reader: SignedCursors, cursor: string): void {
  const error = assertThrows(() => reader.read(cursor), ServiceError);
  assertEquals(error.code, "PAYLOAD_INVALID");
  assertEquals(error.details, { fields: ["cursor"], rules: ["cursor.unknown"] });
  assertEquals(reader.find(cursor), null);
}

Deno.test("SignedCursors reads back its signed place", () => {
  for (const place of [{ after: FIRST }, { after: FIRST, data: "2026-11-20T17:24:00.000Z é" }]) {
    const cursor = cursors().sign(place);
    assertEquals(cursors().read(cursor), place);
    assertEquals(cursors().find(cursor), place);
  }
});

Deno.test("SignedCursors begins at the first page without a cursor", () => {
  assertEquals([cursors().read(null), cursors().read(undefined)], [null, null]);
});

Deno.test("SignedCursors rejects the cursor of another owner, list, filter or secret", () => {
  const cursor = cursors().sign({ after: FIRST });
  const others: CursorBinding[] = [
    { ...BINDING, owner: FIRST },
    { ...BINDING, list: "relationship.people" },
    { ...BINDING, personId: FIRST },
    { ...BINDING, filter: { ...BINDING.filter, until: "2026" } },
    { ...BINDING, filter: { ...BINDING.filter, kinds: ["EXPERIENCE", "CONTACT"] } },
    { ...BINDING, another: null },
    { list: BINDING.list, owner: BINDING.owner },
  ];
  for (const other of others) assertUnknown(cursors(other), cursor);
  assertUnknown(cursors(BINDING, { secret: new TextEncoder().encode("another") }), cursor);
});

Deno.test("SignedCursors ignores the order of a binding's members", () => {
  const { list, owner, personId, filter: { kinds, until } } = BINDING;
  const other = cursors({ filter: { until, kinds }, personId, owner, list });
  assertEquals(other.read(cursors().sign({ after: FIRST })), { after: FIRST });
});

Deno.test("SignedCursors rejects invalid cursors", () => {
  const cursor = cursors().sign({ after: FIRST });
  for (const text of ["", FIRST, cursor.slice(1), `${cursor}A`, "é", "A".repeat(2000)]) {
    assertUnknown(cursors(), text);
  }
});

Deno.test("SignedCursors rejects a cursor from its expiry on", () => {
  const cursor = cursors().sign({ after: FIRST });
  const at = (milliseconds: number) =>
    cursors(BINDING, { now: new Date(NOW.getTime() + milliseconds) });
  assertEquals(at(15 * MINUTE - 1).read(cursor), { after: FIRST });
  assertUnknown(at(15 * MINUTE), cursor);
  const lasting = cursors(BINDING, { lifetimeMs: null }).sign({ after: FIRST });
  assertEquals(at(1e12).read(lasting), { after: FIRST });
});

Deno.test("SignedCursors signs the cursor of a page, and gives the last page none", () => {
  const rows = [{ id: FIRST }, { id: SECOND }];
  const page = (limit: number) => toPage(rows, limit, (row) => row, ({ id }) => id);
  const { items, nextCursor } = cursors().signPage(page(1));
  assertEquals(items, [{ id: FIRST }]);
  assertNotEquals(nextCursor, FIRST);
  assertEquals(cursors().read(nextCursor), { after: FIRST });
  assertEquals(cursors().signPage(page(2)), { items: rows, nextCursor: null });
});

Deno.test("SignedCursors signs each item's place", () => {
  const rows = [{ id: FIRST, at: "2026-01-01" }, { id: SECOND, at: "2026-01-02" }];
  const signed = toPage(
    rows,
    1,
    (row) => row,
    ({ id, at }) => cursors().sign({ after: id, data: at }),
  );
  assertEquals(cursors().read(signed.nextCursor), { after: FIRST, data: "2026-01-01" });
});

Deno.test("SIGNED_PAGE_QUERY accepts every cursor that can be signed", () => {
  const longest = cursors().sign({ after: FIRST, data: "x".repeat(680) });
  const query = new URLSearchParams({ limit: "5", cursor: longest });
  assertEquals(readQuery(SIGNED_PAGE_QUERY, query), { limit: 5, cursor: longest });
  assertThrows(() => readQuery(SIGNED_PAGE_QUERY, new URLSearchParams({ limit: "101" })));
  assertEquals(signedPageOf(TEXT), {
    type: "object",
    properties: {
      items: { type: "array", items: TEXT },
      nextCursor: { type: ["string", "null"] },
    },
    required: ["items", "nextCursor"],
    additionalProperties: false,
  });
});

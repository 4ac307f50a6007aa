import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, createWorld, type JsonRecord, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
  readPage,
  walkPages,
} from "./kernel.ts";

const world = sharedWorld();

Deno.test("GET list returns the newest 50 of the owner's records in the module", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = [];
  for (let count = 0; count < 51; count++) made.push(await caller.create("commitment", COMMITMENT));
  await caller.create("health", HEALTH);
  await stranger.create("commitment", COMMITMENT);
  const newestFirst = made.toSorted((a, b) => a.recordId < b.recordId ? 1 : -1);
  const first = await readPage(caller, COMMITMENTS);
  assertEquals(first.items, newestFirst.slice(0, 50));
  assertEquals(first.nextCursor, first.items[49].recordId);
  const rest = await readPage(caller, COMMITMENTS, { cursor: first.nextCursor ?? "" });
  assertEquals(rest, { items: newestFirst.slice(50), nextCursor: null });
});

Deno.test("GET list of a module without records is an empty page", async () => {
  const caller = await world().createCaller();
  assertEquals(await readPage(caller, COMMITMENTS), { items: [], nextCursor: null });
});

Deno.test("GET list sorts by creation and by change, either way", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const records = [];
  for (const title of ["A", "B", "C"]) {
    own.advance(1_000);
    records.push(await caller.create("commitment", COMMITMENT, title));
  }
  own.advance(1_000);
  await caller.call("PATCH", pathOf(records[0]), { body: { summary: "changed last" } });
  const titles = async (sort?: string) =>
    (await readPage(caller, COMMITMENTS, sort === undefined ? {} : { sort }))
      .items.map((item) => item.title).join("");
  assertEquals(await titles(), "CBA");
  assertEquals(await titles("-createdAt"), "CBA");
  assertEquals(await titles("createdAt"), "ABC");
  assertEquals(await titles("-updatedAt"), "ACB");
  assertEquals(await titles("updatedAt"), "BCA");
});

Deno.test("GET list omits archived records unless requested", async () => {
  const caller = await world().createCaller();
  const live = await caller.create("commitment", COMMITMENT);
  const made = await caller.create("commitment", COMMITMENT);
  const archived = (await caller.call("POST", `${pathOf(made)}/archive`)).body.data;
  const list = async (mode?: string) =>
    (await readPage(caller, COMMITMENTS, mode === undefined ? {} : { archived: mode })).items;
  assertEquals(await list(), [live]);
  assertEquals(await list("exclude"), [live]);
  assertEquals(await list("only"), [archived]);
  const both = [live, archived].sort((a, b) => a.recordId < b.recordId ? 1 : -1);
  assertEquals(await list("include"), both);
  await caller.call("POST", `${pathOf(made)}/restore`);
  assertEquals(await list("only"), []);
});

Deno.test("GET list accepts half-open ranges of creation and change", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const times = [own.now().toISOString()];
  const records = [await caller.create("commitment", COMMITMENT, "0")];
  for (let index = 1; index < 4; index++) {
    own.advance(1);
    times.push(own.now().toISOString());
    records.push(await caller.create("commitment", COMMITMENT, String(index)));
  }
  own.advance(1_000);
  const changedAt = own.now().toISOString();
  await caller.call("PATCH", pathOf(records[0]), { body: { summary: "changed" } });
  const titles = async (parameters: Record<string, string>) =>
    (await readPage(caller, COMMITMENTS, { sort: "createdAt", ...parameters }))
      .items.map((item) => item.title).join("");
  const [first = "", second = "", third = "", last = ""] = times;
  assertEquals(await titles({ createdFrom: second }), "123");
  assertEquals(await titles({ createdTo: third }), "01");
  assertEquals(await titles({ createdFrom: second, createdTo: third }), "1");
  assertEquals(await titles({ createdFrom: second, createdTo: second }), "");
  assertEquals(await titles({ createdFrom: third, createdTo: first }), "");
  assertEquals(await titles({ updatedFrom: changedAt }), "0");
  assertEquals(await titles({ updatedTo: changedAt }), "123");
  assertEquals(await titles({ updatedFrom: last, updatedTo: changedAt }), "3");
  assertEquals(await titles({ createdTo: third, updatedFrom: second }), "01");
  assertEquals(await titles({ sort: "-updatedAt", createdTo: third }), "01");
  assertEquals(await titles({ createdFrom: "0001-01-01T00:00:00Z" }), "0123");
  assertEquals(await titles({ createdFrom: "9999-12-31T23:59:59.999Z" }), "");
  assertEquals(await titles({ createdTo: "1969-12-31T23:59:59Z" }), "");
  const offset = new Date(Date.parse(third) + 3_600_000).toISOString().replace("Z", "+01:00");
  assertEquals(await titles({ createdFrom: offset }), "23");
});

Deno.test("GET list keeps its cursors valid after archival and change", async () => {
  const caller = await world().createCaller();
  for (let count = 0; count < 6; count++) await caller.create("commitment", COMMITMENT);
  for (const sort of ["createdAt", "-createdAt", "updatedAt", "-updatedAt"]) {
    const all = (await walkPages(caller, COMMITMENTS, { sort })).flat();
    const first = await readPage(caller, COMMITMENTS, { sort, limit: "3" });
    const last = first.items[2];
    await caller.call("PATCH", pathOf(last), { body: { title: `after ${sort}` } });
    await caller.call("POST", `${pathOf(last)}/archive`);
    const parameters = {
      sort,
      cursor: first.nextCursor ?? "",
      "filter[commitmentType]": "OUTGOING",
    };
    const rest = await readPage(caller, COMMITMENTS, parameters);
    assertEquals(rest.items, all.slice(3), sort);
    // Restoring makes it the last change.
    await caller.call("POST", `${pathOf(last)}/restore`);
  }
});

Deno.test("GET list rejects a cursor that was not made for this list", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = await caller.create("commitment", COMMITMENT);
  await caller.create("commitment", COMMITMENT);
  const health = await caller.create("health", HEALTH);
  const foreign = await stranger.create("commitment", COMMITMENT);
  const revisionOf = async (owner: Caller, record: JsonRecord) =>
    (await readPage(owner, `${pathOf(record)}/revisions`)).items[0].revisionId;
  const revisions = {
    own: await revisionOf(caller, made),
    health: await revisionOf(caller, health),
    foreign: await revisionOf(stranger, foreign),
  };
  const wrong = {
    createdAt: [revisions.own, health.recordId, foreign.recordId, ulid()],
    updatedAt: [made.recordId, revisions.health, revisions.foreign, ulid()],
  };
  for (const [time, cursors] of Object.entries(wrong)) {
    for (const sort of [time, `-${time}`]) {
      for (const value of cursors) {
        const path = `${COMMITMENTS}?sort=${sort}&cursor=${value}`;
        assertInvalid(await caller.call("GET", path), ["cursor.unknown"], ["cursor"], path);
      }
    }
  }
});

const FROM = "time[from]=2026-11-20T12:00:00Z";

const REFUSED_QUERIES: readonly [string, string, string[]][] = [
  ["limit=0", "field.range", ["limit"]],
  ["limit=101", "field.range", ["limit"]],
  ["limit=ten", "field.type", ["limit"]],
  ["limit=%31%20", "field.type", ["limit"]],
  ["cursor=first", "field.identifier", ["cursor"]],
  ["sort=name", "field.option", ["sort"]],
  ["sort=Title", "field.option", ["sort"]],
  ["sort=--time", "field.option", ["sort"]],
  ["sort=title&sort=time", "query.repeated", ["sort"]],
  ["time[from]=2026-11-20T12:00:00", "field.datetime", ["time[from]"]],
  ["sort=time&time[to]=2026-11-20", "field.datetime", ["time[to]"]],
  ["time[from]=0000-01-01T00:00:00Z", "field.datetime", ["time[from]"]],
  [`${FROM}&time[to]=2026-11-20T12:00:00Z`, "range.order", ["time[from]", "time[to]"]],
  [`${FROM}&time[to]=2026-11-20T12:59:59%2B01:00`, "range.order", ["time[from]", "time[to]"]],
  [`${FROM}&${FROM}`, "query.repeated", ["time[from]"]],
  ["time=2026-11-20T12:00:00Z", "undeclared_field", ["time"]],
  ["time[gte]=2026-11-20T12:00:00Z", "undeclared_field", ["time[gte]"]],
  ["time[From]=2026-11-20T12:00:00Z", "undeclared_field", ["time[From]"]],
  ["sort=%2BcreatedAt", "field.option", ["sort"]],
  ["sort=", "field.option", ["sort"]],
  ["archived=true", "field.option", ["archived"]],
  ["createdFrom=2026-11-20", "field.datetime", ["createdFrom"]],
  ["createdTo=2026-11-20T12:00:00", "field.datetime", ["createdTo"]],
  ["updatedFrom=now", "field.datetime", ["updatedFrom"]],
  ["updatedTo=2026-02-30T12:00:00Z", "field.datetime", ["updatedTo"]],
  ["page=2", "undeclared_field", ["page"]],
  ["Limit=2", "undeclared_field", ["Limit"]],
  ["=", "undeclared_field", []],
  ["__proto__=x", "undeclared_field", []],
  ["constructor=x", "undeclared_field", ["constructor"]],
  ["filter=x", "undeclared_field", ["filter"]],
  ["filter[]=x", "undeclared_field", []],
  ["filter[completionStatus][ne]=OPEN", "undeclared_field", ["filter[completionStatus][ne]"]],
  ["filter[completionStatus]x=OPEN", "undeclared_field", []],
  ["limit=2&limit=2", "query.repeated", ["limit"]],
  ["sort=createdAt&sort=-createdAt", "query.repeated", ["sort"]],
  ["filter[counterparty]=a&filter[counterparty]=b", "query.repeated", ["filter[counterparty]"]],
  ["filter[counterparty]=a%00b", "json.text", ["filter[counterparty]"]],
];

Deno.test("GET list rejects unknown, repeated and malformed parameters", async () => {
  const caller = await world().createCaller();
  for (const [query, rule, fields] of REFUSED_QUERIES) {
    assertInvalid(await caller.call("GET", `${COMMITMENTS}?${query}`), [rule], fields, query);
  }
});

Deno.test("GET list names no parameter that is long, or has not the form of a name", async () => {
  const caller = await world().createCaller();
  for (
    const name of ["a".repeat(65), "prs_p_secret", "my diary", "filter[Zoë]", "x1", "+49", "a@b.c"]
  ) {
    const query = new URLSearchParams({ [name]: "x" });
    const response = await caller.call("GET", `${COMMITMENTS}?${query}`);
    assertInvalid(response, ["undeclared_field"], [], name);
  }
});

Deno.test("GET list reports all errors of a query at once", async () => {
  const caller = await world().createCaller();
  const query = "limit=0&sort=name&filter[counterparty][gte]=a&filter[nothing]=b&other=c";
  assertInvalid(
    await caller.call("GET", `${COMMITMENTS}?${query}`),
    ["field.range", "field.option", "filter.comparison", "filter.field", "undeclared_field"],
    ["limit", "sort", "filter[counterparty][gte]", "filter[nothing]", "other"],
  );
});

Deno.test("GET list serves a dedicated module's empty list and rejects filters on it", async () => {
  const caller = await world().createCaller();
  for (const module of ["relationship", "decision", "resource", "memory", "taxonomy", "identity"]) {
    const path = `/api/v2/records/${module}`;
    assertEquals(await readPage(caller, path), { items: [], nextCursor: null }, module);
  }
  const refused = await caller.call("GET", "/api/v2/records/decision?filter[question]=x");
  assertInvalid(refused, ["filter.field"], ["filter[question]"]);
  assertFailure(await caller.call("GET", "/api/v2/records/decisions"), "RECORD_MODULE_NOT_FOUND");
});

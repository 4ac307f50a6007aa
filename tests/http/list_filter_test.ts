import { assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertInvalid, COMMITMENT, COMMITMENTS, HEALTH, readPage } from "./kernel.ts";

const world = sharedWorld();

/** Sorted titles. */
async function found(caller: Caller, module: string, filters: JsonObject): Promise<string> {
  const parameters = Object.entries(filters).map(([name, value]) => [`filter${name}`, `${value}`]);
  const page = await readPage(
    caller,
    `/api/v2/records/${module}`,
    Object.fromEntries(parameters),
  );
  return page.items.map((item) => item.title).sort().join("");
}

Deno.test("GET list filters by a select", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", COMMITMENT, "A");
  await caller.create("commitment", { ...COMMITMENT, completionStatus: "COMPLETED" }, "B");
  assertEquals(await found(caller, "commitment", { "[completionStatus]": "OPEN" }), "A");
  assertEquals(await found(caller, "commitment", { "[completionStatus]": "COMPLETED" }), "B");
  assertEquals(await found(caller, "commitment", { "[completionStatus]": "BROKEN" }), "");
});

Deno.test("GET list filters by a boolean", async () => {
  const caller = await world().createCaller();
  const routine = { routineName: "Tea", area: "Kitchen", intervalDays: 1 };
  await caller.create("routine", { ...routine, active: true }, "A");
  await caller.create("routine", { ...routine, active: false }, "B");
  assertEquals(await found(caller, "routine", { "[active]": true }), "A");
  assertEquals(await found(caller, "routine", { "[active]": false }), "B");
});

Deno.test("GET list filters by a text, character for character", async () => {
  const caller = await world().createCaller();
  const texts = { A: "Zoé", B: "Zoe\u0301", C: "zoé", D: " Zoé", E: "a&b=c[]%'\"\\", F: "" };
  for (const [title, counterparty] of Object.entries(texts)) {
    await caller.create("commitment", { ...COMMITMENT, counterparty }, title);
  }
  await caller.create("commitment", COMMITMENT, "G");
  for (const [title, text] of Object.entries(texts)) {
    assertEquals(await found(caller, "commitment", { "[counterparty]": text }), title, text);
  }
});

Deno.test("GET list filters by one of the tags", async () => {
  const caller = await world().createCaller();
  const session = { sessionType: "MENTOR", prompt: "Hello", approvalStatus: "NOT_REQUIRED" };
  await caller.create("ai-agent", { ...session, contextRefs: ["work", "a,b"] }, "A");
  await caller.create("ai-agent", { ...session, contextRefs: ["home", "work"] }, "B");
  await caller.create("ai-agent", { ...session, contextRefs: [] }, "C");
  await caller.create("ai-agent", session, "D");
  assertEquals(await found(caller, "ai-agent", { "[contextRefs]": "work" }), "AB");
  assertEquals(await found(caller, "ai-agent", { "[contextRefs]": "a,b" }), "A");
  assertEquals(await found(caller, "ai-agent", { "[contextRefs]": "wor" }), "");
});

Deno.test("GET list filters by a number and by a closed range of numbers", async () => {
  const caller = await world().createCaller();
  const values = { A: -2.5, B: 0, C: 0.1 + 0.2, D: 70, E: 1e-7, F: 123456789.125 };
  for (const [title, value] of Object.entries(values)) {
    await caller.create("health", { ...HEALTH, value }, title);
  }
  const health = (filters: JsonObject) => found(caller, "health", filters);
  for (const [title, value] of Object.entries(values)) {
    assertEquals(await health({ "[value]": value }), title);
  }
  assertEquals(await health({ "[value]": "70.00" }), "D");
  assertEquals(await health({ "[value]": "7E1" }), "D");
  assertEquals(await health({ "[value]": "-0" }), "B");
  assertEquals(await health({ "[value][gte]": "0.1" }), "CDF");
  assertEquals(await health({ "[value][lte]": 0 }), "AB");
  assertEquals(await health({ "[value][gte]": 0, "[value][lte]": 70 }), "BCDE");
  assertEquals(await health({ "[value]": 70, "[value][gte]": 71 }), "");
});

Deno.test("GET list filters by a moment and by a closed range of moments", async () => {
  const caller = await world().createCaller();
  const times = {
    A: "0001-01-01T00:00:00.000Z",
    B: "2026-01-01T00:00:00.000Z",
    C: "2026-01-01T00:00:00.001Z",
    D: "9999-12-31T23:59:59.999Z",
  };
  for (const [title, dueAt] of Object.entries(times)) {
    await caller.create("commitment", { ...COMMITMENT, dueAt }, title);
  }
  await caller.create("commitment", COMMITMENT, "E");
  const due = (filters: JsonObject) => found(caller, "commitment", filters);
  for (const [title, time] of Object.entries(times)) {
    assertEquals(await due({ "[dueAt]": time }), title);
  }
  assertEquals(await due({ "[dueAt]": "2026-01-01T01:00:00+01:00" }), "B");
  assertEquals(await due({ "[dueAt][gte]": "2026-01-01T00:00:00Z" }), "BCD");
  assertEquals(await due({ "[dueAt][lte]": "2026-01-01T00:00:00Z" }), "AB");
  const range = { "[dueAt][gte]": times.B, "[dueAt][lte]": times.C };
  assertEquals(await due(range), "BC");
});

Deno.test("GET list requires every filter to match", async () => {
  const caller = await world().createCaller();
  await caller.create("commitment", { ...COMMITMENT, counterparty: "Ada" }, "A");
  await caller.create("commitment", COMMITMENT, "B");
  const both = { "[counterparty]": "Ada", "[completionStatus]": "OPEN" };
  assertEquals(await found(caller, "commitment", both), "A");
  assertEquals(await found(caller, "commitment", { ...both, "[commitmentType]": "LENT" }), "");
});

Deno.test("GET list accepts ten filters and rejects eleven", async () => {
  const caller = await world().createCaller();
  await caller.create("health", { ...HEALTH, sourceDevice: "scale" }, "A");
  const ten = {
    "[metricType]": "WEIGHT",
    "[value]": 70,
    "[value][gte]": 1,
    "[value][lte]": 100,
    "[unit]": "kg",
    "[measuredAt]": HEALTH.measuredAt ?? "",
    "[measuredAt][gte]": "2020-01-01T00:00:00Z",
    "[measuredAt][lte]": "2030-01-01T00:00:00Z",
    "[quality]": "MEASURED",
    "[sourceDevice]": "scale",
  };
  assertEquals(await found(caller, "health", ten), "A");
  const eleven = { ...ten, "[experimentId]": "x" };
  const query = new URLSearchParams(
    Object.entries(eleven).map(([name, value]) => [`filter${name}`, String(value)]),
  );
  assertInvalid(await caller.call("GET", `/api/v2/records/health?${query}`), ["filter.count"]);
});

const REFUSED_VALUES: readonly [string, string, string][] = [
  ["commitment", "filter[completionStatus]=open", "filter.value"],
  ["commitment", "filter[completionStatus]=", "filter.value"],
  ["commitment", "filter[completionStatus][gte]=OPEN", "filter.comparison"],
  ["commitment", "filter[counterparty][lte]=Z", "filter.comparison"],
  ["routine", "filter[active]=1", "filter.value"],
  ["routine", "filter[active]=TRUE", "filter.value"],
  ["routine", "filter[active][gte]=true", "filter.comparison"],
  ["ai-agent", "filter[contextRefs][gte]=a", "filter.comparison"],
  ["health", "filter[value]=", "filter.value"],
  ["health", "filter[value]=seventy", "filter.value"],
  ["health", "filter[value]=0x10", "filter.value"],
  ["health", "filter[value]=NaN", "filter.value"],
  ["health", "filter[value]=Infinity", "filter.value"],
  ["health", "filter[value]=1e999", "filter.value"],
  ["health", "filter[value]=1%20", "filter.value"],
  ["health", "filter[value]=%2B1", "filter.value"],
  ["health", "filter[measuredAt]=2026-01-01", "filter.value"],
  ["health", "filter[measuredAt][gte]=yesterday", "filter.value"],
];

Deno.test("GET list rejects a filter value that the field cannot have", async () => {
  const caller = await world().createCaller();
  for (const [module, query, rule] of REFUSED_VALUES) {
    const [name = ""] = query.split("=");
    const response = await caller.call("GET", `/api/v2/records/${module}?${query}`);
    assertInvalid(response, [rule], [name], query);
    assertEquals(response.text.includes("seventy"), false);
  }
});

Deno.test("GET list filters exactly the select, boolean, text, tags, number and datetime fields that are not sensitive", async () => {
  const caller = await world().createCaller();
  const values: Readonly<Record<string, string>> = {
    boolean: "true",
    text: "a",
    tags: "a",
    number: "1",
    datetime: "2026-01-01T00:00:00Z",
  };
  for (const module of CATALOG.modules) {
    for (const { name, edit, sensitive, options } of module.fields) {
      const value = values[edit] ?? options?.[0] ?? "a";
      const path = `/api/v2/records/${module.code}?filter[${name}]=${value}`;
      const response = await caller.call("GET", path);
      const filterable = module.access === "GENERIC" && !sensitive &&
        (edit === "select" || edit in values);
      if (filterable) assertEquals(response.status, 200, path);
      else assertInvalid(response, ["filter.field"], [`filter[${name}]`], path);
    }
  }
});

Deno.test("GET list rejects a filter on an undeclared field, and names it as it was sent", async () => {
  const caller = await world().createCaller();
  for (const name of ["title", "ownerId", "toString", "constructor", "payload", "content_"]) {
    const response = await caller.call("GET", `${COMMITMENTS}?filter[${name}]=x`);
    const rule = /^[A-Za-z]+$/.test(name) ? "filter.field" : "undeclared_field";
    assertInvalid(response, [rule], [`filter[${name}]`], name);
  }
});

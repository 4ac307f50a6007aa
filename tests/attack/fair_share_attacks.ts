/** Attacks that drive each resource of the chapter "Fair shares" to its limit. */

import { wholeAccount } from "../support/generated_account.ts";
import { ACCOUNT_EXPORTS, ACCOUNT_IMPORTS } from "../http/account.ts";
import { decide, decisionPath } from "../families/decision/api.ts";
import { ASSISTANTS } from "../http/assistants.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { EXPORTS as MEMORY_EXPORTS, TEXTS } from "../families/memory/api.ts";
import { RESOURCE_EXPORTS } from "../families/resource/api.ts";
import { act, IMPORTS, planned } from "../http/imports.ts";
import { SEARCH } from "../http/search.ts";
import { PLANNED_IMPORTS } from "../../src/core/shares.ts";
import type { JsonValue } from "../../src/core/json.ts";
import type { Caller } from "../support/world.ts";
import type { Order } from "./aggressor_worker.ts";
import { type Attack, PASSWORD } from "./fair_shares.ts";

const BOTH = ["OWNER", "VIEWER"] as const;
const OWNER = ["OWNER"] as const;

function gets(...paths: string[]): Attack["orders"] {
  return (_stage, { secret }) => paths.map((path) => ({ secret, method: "GET", path }));
}

/** Each with a new key. */
function posts(path: string, body: JsonValue): Attack["orders"] {
  return (_stage, { secret }) => [order(secret, path, body)];
}

function order(secret: string, path: string, body: JsonValue): Order {
  return { secret, method: "POST", path, body: JSON.stringify(body), isKeyed: true };
}

/** The largest: five million draws. */
async function simulations(aggressor: Caller): Promise<Order[]> {
  const items = ["By the river", "Near work"];
  const decision = await decide(aggressor, { options: { items } });
  const factor = { weight: 1, distribution: "NORMAL", mean: 10, standardDeviation: 2 };
  const factors = Array.from({ length: 20 }, (_, index) => ({ ...factor, name: `${index}` }));
  const options = items.map((option) => ({ option, factors }));
  const body = { seed: 42, runs: 100_000, options };
  return [order(aggressor.secret, decisionPath(decision, "/simulations"), body)];
}

/** Proofs of sealed entries; each reads all entries of its seal. */
async function proofs(aggressor: Caller): Promise<Order[]> {
  const { body } = await aggressor.call("GET", "/api/v2/audit?limit=20");
  const oldest = body.data.items.at(-1);
  const path = `/api/v2/audit/${oldest.auditId}/proof`;
  return [{ secret: aggressor.secret, method: "GET", path }];
}

/** Bytes of files of imports and exports that the attacked service keeps for an account. */
export const SPOOL_BYTES = 1_000_000;

function uploadOf({ secret }: Caller, query: string, body: string): Order {
  const headers = { "Content-Type": "application/octet-stream" };
  return { secret, method: "POST", path: `${IMPORTS}?${query}`, headers, body };
}

async function discardAll(person: Caller): Promise<void> {
  const { body: { data } } = await person.call("GET", IMPORTS);
  for (const { importId } of data.items) await act(person, importId, "discard");
}

/** The same mapping again and again: each reads and plans the whole file. */
async function readings(aggressor: Caller): Promise<Order[]> {
  await discardAll(aggressor);
  const cards = Array.from(
    { length: 1_000 },
    (_, index) =>
      `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person ${index}\r\nTEL:+49 30 ${
        1_000_000 + index
      }\r\nEND:VCARD\r\n`,
  );
  const { importId } = await planned(aggressor, "vcard", cards.join(""));
  const path = `${IMPORTS}/${importId}/mapping`;
  return [{ secret: aggressor.secret, method: "PUT", path, body: "{}" }];
}

/** Calls of an assistant, each of which leaves an event. */
async function assistantCalls(aggressor: Caller): Promise<Order[]> {
  const proof = await aggressor.call("POST", "/api/v2/auth/step-up", { body: STEP_UP });
  const { body } = await aggressor.call("POST", ASSISTANTS, {
    body: { name: "Helper", modules: ["commitment"] },
    headers: { "Step-Up-Proof": proof.body.data.proof },
  });
  const call = (name: string, args: JsonValue) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    });
  const order = { secret: body.data.token, method: "POST", path: "/mcp" };
  return [
    { ...order, body: call("list_modules", {}) },
    { ...order, body: call("list_records", { moduleCode: "nothing" }) },
  ];
}

const CREATE = { title: "A promise", payload: COMMITMENT };
const LARGE = { ...CREATE, payload: { ...COMMITMENT, content: "water the plants ".repeat(5_800) } };
const STEP_UP = { password: PASSWORD, purpose: "TOKEN_CREATE" };

/** One per resource. */
export const ATTACKS: readonly Attack[] = [
  {
    resource: "requests at once",
    roles: BOTH,
    lanes: 300,
    orders: gets(`${COMMITMENTS}?limit=1`),
    limit: 429,
  },
  { resource: "large pages", roles: BOTH, lanes: 60, orders: gets(`${COMMITMENTS}?limit=100`) },
  {
    resource: "reads that compute",
    roles: BOTH,
    lanes: 15,
    orders: gets(
      `${TEXTS}?limit=100`,
      "/api/v2/changes?limit=100",
      "/api/v2/decision/calibration",
      "/api/v2/taxonomy/exports",
      "/api/v2/resource/network",
    ),
  },
  {
    resource: "bodies that arrive",
    roles: BOTH,
    lanes: 90,
    orders: (_stage, { secret }) => [{ secret, method: "POST", path: SEARCH, body: null }],
    limit: 429,
  },
  {
    resource: "password hashes",
    roles: BOTH,
    lanes: 12,
    orders: posts("/api/v2/auth/step-up", STEP_UP),
    limit: 429,
  },
  {
    resource: "searches",
    roles: BOTH,
    lanes: 30,
    orders: posts(SEARCH, { q: "every word of it a b c d e f g h i j k l", limit: 100 }),
    limit: 429,
  },
  {
    resource: "exports of families",
    roles: BOTH,
    lanes: 20,
    orders: (stage, person) => [
      ...posts(MEMORY_EXPORTS, { format: "JSON" })(stage, person) as Order[],
      ...posts(RESOURCE_EXPORTS, { format: "CSV" })(stage, person) as Order[],
    ],
  },
  { resource: "writes at once", roles: OWNER, lanes: 90, orders: posts(COMMITMENTS, CREATE) },
  { resource: "bytes of rows", roles: OWNER, lanes: 30, orders: posts(COMMITMENTS, LARGE) },
  {
    resource: "uploads",
    roles: OWNER,
    lanes: 60,
    orders: (_stage, { secret }) => [{
      secret,
      method: "POST",
      path: "/api/v2/attachments",
      body: null,
      headers: { "Content-Type": "text/plain", "X-Filename": "a.txt" },
    }],
    limit: 429,
  },
  {
    resource: "simulations",
    roles: OWNER,
    lanes: 12,
    orders: (_stage, person) => simulations(person),
    limit: 429,
  },
  {
    resource: "exports",
    roles: OWNER,
    lanes: 1,
    orders: ({ proofs }, { secret }) =>
      proofs.splice(0).map((proof) => ({
        ...order(secret, ACCOUNT_EXPORTS, {}),
        headers: { "Step-Up-Proof": proof },
      })),
    limit: 429,
  },
  {
    resource: "imports",
    roles: ["IMPORTER"],
    lanes: 3,
    orders: async (_stage, { secret }) => [{
      secret,
      method: "POST",
      path: ACCOUNT_IMPORTS,
      headers: { "Content-Type": "application/jsonl" },
      body: await wholeAccount(1, { records: 100, attachments: 0, attachmentBytes: 0 }),
    }],
    limit: 429,
  },
  {
    resource: "assistants' events",
    roles: OWNER,
    lanes: 20,
    orders: (_stage, person) => assistantCalls(person),
  },
  {
    resource: "dates",
    roles: BOTH,
    lanes: 30,
    orders: gets(
      "/api/v2/relationship/dates?from=2027-01-01&to=2028-12-31&limit=100",
      "/api/v2/due?limit=100",
    ),
  },
  { resource: "seals", roles: OWNER, lanes: 60, orders: (_stage, person) => proofs(person) },
];

/** One per resource of imports, for a service that keeps `SPOOL_BYTES` for an account. */
export const IMPORT_ATTACKS: readonly Attack[] = [
  {
    resource: "files of imports",
    roles: ["IMPORTER"],
    lanes: 3,
    async orders(_stage, person) {
      const file = "a,b\n".repeat(150_000);
      await planned(person, "csv", file, { name: "n" });
      return [uploadOf(person, "format=csv&name=n", file)];
    },
    limit: 413,
  },
  {
    resource: "planned imports",
    roles: ["IMPORTER"],
    lanes: 3,
    async orders(_stage, person) {
      await discardAll(person);
      for (let count = 0; count < PLANNED_IMPORTS; count++) {
        await planned(person, "markdown", "A note", { name: "n" });
      }
      return [uploadOf(person, "format=markdown&name=n", "A note")];
    },
    limit: 409,
  },
  {
    resource: "reading of imports",
    roles: ["IMPORTER"],
    lanes: 3,
    orders: (_stage, person) => readings(person),
    limit: 409,
  },
];

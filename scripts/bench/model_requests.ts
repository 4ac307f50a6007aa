import type postgres from "postgres";
import { CREATE_BODY } from "./growth_rates.ts";
import type { LoadProcess, RequestTemplate } from "./load.ts";
import { type ModelAccount, PASSWORD } from "./model_accounts.ts";
import type { Kind } from "./model_arithmetic.ts";
import { TITLE } from "./operations.ts";

const RECORDS = "/api/v2/records/timeline";
const FILES = "/api/v2/attachments";
export const FILE_BYTES = 256 * 1024;
/** Per account on average, before measuring. */
const SEEDED = { records: 10, files: 1 };
const CONNECTIONS = 8;
/** A sign-in uses a whole processor: more would be rejected. */
const SIGN_INS = 2;

const AUTHORIZED = { Authorization: "Bearer {value}" };

export type ModelRequests = Readonly<Record<Kind, RequestTemplate>>;

/** When a kind is measured alone. */
export function connectionsOf(kind: Kind): number {
  return kind === "sign-in" ? SIGN_INS : CONNECTIONS;
}

/** Creates data, and the requests that read it. */
export async function prepareRequests(
  sql: postgres.Sql,
  { load, port }: { readonly load: LoadProcess; readonly port: number },
  accounts: readonly ModelAccount[],
): Promise<ModelRequests> {
  const tokens = accounts.map(({ token }) => token);
  const create = creation(tokens);
  const upload = uploading(tokens);
  const seeding = [
    { template: create, requests: SEEDED.records * accounts.length },
    { template: upload, requests: SEEDED.files * accounts.length },
  ];
  const { errors, firstError } = await load.run({ port, connections: CONNECTIONS, parts: seeding });
  if (errors > 0) throw new Error(`Seeding failed: ${firstError}`);
  const records = await sql<Owned[]>`select owner_id, record_id as id from records`;
  const files = await sql<Owned[]>`select owner_id, attachment_id as id from attachments`;
  const record = { path: `${RECORDS}/{value2}`, values: ownedBy(accounts, records) };
  const asked = { headers: AUTHORIZED, status: 200 } as const;
  return {
    create,
    upload,
    change: { ...asked, ...record, method: "PATCH", body: JSON.stringify({ title: TITLE }) },
    read: { ...asked, ...record, method: "GET" },
    list: { ...asked, method: "GET", path: `${RECORDS}?limit=50`, values: tokens },
    search: {
      ...asked,
      method: "POST",
      path: "/api/v2/search",
      values: tokens,
      body: JSON.stringify({ q: "river harbour" }),
    },
    download: {
      ...asked,
      method: "GET",
      path: `${FILES}/{value2}/content`,
      values: ownedBy(accounts, files),
    },
    "sign-in": {
      method: "POST",
      path: "/api/v2/auth/login",
      status: 200,
      body: JSON.stringify({ email: "{value}", password: PASSWORD, transport: "bearer" }),
      values: accounts.map(({ email }) => email),
    },
  };
}

interface Owned {
  readonly owner_id: string;
  readonly id: string;
}

function ownedBy(accounts: readonly ModelAccount[], rows: readonly Owned[]): [string, string][] {
  const tokens = new Map(accounts.map(({ accountId, token }) => [accountId, token]));
  return rows.flatMap(({ owner_id, id }): [string, string][] => {
    const token = tokens.get(owner_id);
    return token === undefined ? [] : [[token, id]];
  });
}

function creation(values: readonly string[]): RequestTemplate {
  const headers = { ...AUTHORIZED, "Idempotency-Key": `${crypto.randomUUID()}-{serial}` };
  return { method: "POST", path: RECORDS, headers, body: CREATE_BODY, values, status: 201 };
}

function uploading(values: readonly string[]): RequestTemplate {
  const run = crypto.randomUUID();
  const headers = {
    ...AUTHORIZED,
    "Content-Type": "application/octet-stream",
    "X-Filename": "a-picture.jpg",
    "Idempotency-Key": `${run}-{serial}`,
  };
  // Different bytes per file.
  const body = `${run}{serial}`.padEnd(FILE_BYTES, "0123456789abcdef");
  return { method: "POST", path: FILES, headers, body, values, status: 201 };
}

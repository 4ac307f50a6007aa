/** One record of one account, through any service that listens on this machine. */

import { assert, assertEquals } from "@std/assert";

const ACCOUNT = { email: "owner@example.org", password: "a password that only tests know" };

async function call(port: number, path: string, init: RequestInit): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}${path}`, init);
}

async function post(port: number, path: string, body: unknown, headers: HeadersInit = {}) {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await call(port, path, {
    ...init,
    headers: { "Content-Type": "application/json", Host: `localhost:${port}`, ...headers },
  });
  const text = await response.text();
  assert(response.ok, `${path}: ${text}`);
  return JSON.parse(text).data;
}

/** Creates the account by the printed link; returns a token. */
export async function setUpBy(port: number, welcome: string): Promise<string> {
  const [, setupToken = ""] = /"setupToken":"([^"]+)"/.exec(welcome) ?? [];
  const body = { ...ACCOUNT, setupToken, displayName: "Owner", transport: "bearer" };
  return (await post(port, "/api/v2/auth/setup", body)).accessToken;
}

export async function signIn(port: number): Promise<string> {
  const body = { ...ACCOUNT, transport: "bearer" };
  return (await post(port, "/api/v2/auth/login", body)).accessToken;
}

/** Creates a record; returns its path. */
export async function writeRecord(port: number, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": crypto.randomUUID() };
  const payload = { commitmentType: "BORROWED", content: "A ladder", completionStatus: "OPEN" };
  const path = "/api/v2/records/commitment";
  const { recordId } = await post(port, path, { title: "The ladder", payload }, headers);
  return `${path}/${recordId}`;
}

/** The record's data, as text. */
export async function readRecord(port: number, token: string, path: string): Promise<string> {
  const response = await call(port, path, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = await response.json();
  assertEquals(response.status, 200);
  return JSON.stringify(data);
}

/** The version and the schema, without the time zones of the machine. */
export async function readVersion(port: number): Promise<{ version: string; schema: number }> {
  const response = await call(port, "/api/v2/version", {});
  const { version, schema } = (await response.json()).data;
  return { version, schema };
}

/** Commands that need a session, and so the password: `login`, `logout`, `export`. */

import { createHash } from "node:crypto";
import { Client, Refusal } from "../client/mod.ts";
import type { Operations } from "../client/wire.ts";
import { UsageError } from "./failures.ts";
import { copy, intoNewFile } from "./files.ts";
import { connect, formerConfig, readConfig, removeConfig, writeConfig } from "./folders.ts";
import type { Input } from "./options.ts";
import { ask, columns, note, print } from "./terminal.ts";

type StepUp = Operations["step_up.issue"]["body"];
type Permission = Operations["token.create"]["body"]["permissions"][number];
type Factor = Pick<StepUp, "code" | "recoveryCode">;

/** Permissions that a token gets only if they are named. */
const NOT_BY_DEFAULT = /\.secret$|^(account\.manage|token\.manage|audit\.read|platform\.operate)$/;

/** A session that is open. */
interface Session {
  readonly client: Client;
  /** Confirms the password again, and returns the proof. */
  readonly prove: (purpose: StepUp["purpose"]) => Promise<string>;
}

/** Signs in, runs something, and ends the session in any case. */
async function withSession<T>(
  { wait }: Input,
  origin: string,
  email: string,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const password = await ask("Password: ", true);
  const visitor = new Client({ origin, retryFor: wait });
  const body = { email, password, transport: "bearer", deviceName: "prs" } as const;
  const { data } = await withFactor((factor) =>
    visitor.call("auth.login", { body: { ...body, ...factor } })
  );
  const client = new Client({ origin, token: data.accessToken, retryFor: wait });
  const prove = async (purpose: StepUp["purpose"]) => {
    const { data: { proof } } = await withFactor((factor) =>
      client.call("step_up.issue", { body: { password, purpose, ...factor } })
    );
    return proof;
  };
  try {
    return await run({ client, prove });
  } finally {
    await client.call("auth.logout").catch(() => note("The session could not be ended"));
  }
}

/** Tries without a code, and asks for one if the account has a second factor. */
async function withFactor<T>(run: (factor: Factor) => Promise<T>): Promise<T> {
  try {
    return await run({});
  } catch (error) {
    const isAsked = error instanceof Refusal && error.code === "SECOND_FACTOR_REQUIRED";
    if (!isAsked) throw error;
    const code = (await ask("Code of your authenticator app, or a recovery code: ")).trim();
    return await run(/^\d{6}$/.test(code) ? { code } : { recoveryCode: code });
  }
}

/** Makes a token and stores it. */
export async function login(input: Input): Promise<void> {
  const origin = readOrigin(input.words[0] ?? "");
  const name = input.option("--name") ?? `prs on ${Deno.hostname()}`;
  const named = input.option("--permissions")?.split(",").map((each) => each.trim());
  const email = input.option("--email") ?? await ask("Email: ");
  await withSession(input, origin, email, async ({ client, prove }) => {
    const permissions = named as Permission[] | undefined ?? await defaultPermissions(client);
    const proof = await prove("TOKEN_CREATE");
    const { data } = await client.call("token.create", { body: { name, permissions }, proof });
    const { token, tokenId, expiresAt } = data;
    const former = await formerConfig();
    try {
      await writeConfig({ origin, token, tokenId, name, expiresAt });
    } catch (error) {
      await client.call("token.revoke", { path: { tokenId } });
      throw error;
    }
    const made = { origin, name, tokenId, expiresAt };
    print(input.isJson ? JSON.stringify(made) : columns(origin, name));
    if (former !== null) note(`The former token ${former.tokenId} is still valid`);
  });
}

/** @throws UsageError without the value. */
function readOrigin(text: string): string {
  try {
    new Client({ origin: text });
    return new URL(text).origin;
  } catch {
    throw new UsageError("ORIGIN: must be https://HOST, or http on this machine");
  }
}

async function defaultPermissions(client: Client): Promise<Permission[]> {
  const { data } = await client.call("auth.session");
  return (data.permissions as readonly Permission[]).filter((each) => !NOT_BY_DEFAULT.test(each));
}

/** Revokes the token and removes it. */
export async function logout(input: Input): Promise<void> {
  if (input.option("--local") !== null) return await removeConfig();
  const { origin, tokenId } = await readConfig();
  await withSession(input, origin, await emailOf(input), async ({ client }) => {
    await client.call("token.revoke", { path: { tokenId } }).catch((error) => {
      const isGone = error instanceof Refusal && error.code === "RECORD_NOT_FOUND";
      if (!isGone) throw error;
    });
  });
  await removeConfig();
}

async function emailOf(input: Input): Promise<string> {
  return (await (await connect(input)).call("auth.session")).data.account.email;
}

/** Exports the account into a new file. */
export async function exportAccount(input: Input): Promise<void> {
  const path = input.option("--file");
  if (path === null) throw new UsageError("--file: required");
  const { origin } = await readConfig();
  await intoNewFile(path, async (file) => {
    const email = await emailOf(input);
    await withSession(input, origin, email, async ({ client, prove }) => {
      const proof = await prove("ACCOUNT_EXPORT");
      const { data } = await client.call("account.export", { body: {}, proof });
      const content = await client.send("GET", `/api/v2/account/exports/${data.exportId}/content`);
      const hash = createHash("sha256");
      let size = 0;
      await copy(content.body ?? new Blob().stream(), file, (bytes) => {
        size += bytes.length;
        hash.update(bytes);
      });
      const isWhole = size === data.size && hash.digest("hex") === data.sha256;
      if (!isWhole) throw new Refusal("DIGEST_MISMATCH", content.status);
      if (input.isJson) print(JSON.stringify(data));
      else note(`${data.size} bytes, SHA-256 ${data.sha256}`);
    });
  });
}

/** Checks an MCP SDK, from its first 401 to the end of its assistant. */

import process from "node:process";
import { check, decide, equal, failureOf, revoke } from "./program_checks.ts";

const [origin, , clientId, sdk = "", mode] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } = sdk.endsWith("/client") ? await import(sdk) : {
  ...await import(`${sdk}/client/index.js`),
  ...await import(`${sdk}/client/streamableHttp.js`),
};

// deno-lint-ignore no-explicit-any -- the types of two SDKs
type Json = any;

const callback = "http://localhost:33418/callback";
const seen: { opened: URL[]; client?: Json; tokens?: Json; verifier?: Json; discovery?: Json } = {
  opened: [],
  client: clientId === "" ? undefined : { client_id: clientId },
};
const authProvider = {
  redirectUrl: callback,
  clientMetadata: {
    client_name: "program",
    redirect_uris: [callback],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  },
  state: () => "a state",
  clientInformation: () => seen.client,
  saveClientInformation: (client: Json) => void (seen.client = client),
  tokens: () => seen.tokens,
  saveTokens: (tokens: Json) => void (seen.tokens = tokens),
  saveCodeVerifier: (verifier: Json) => void (seen.verifier = verifier),
  codeVerifier: () => seen.verifier,
  saveDiscoveryState: (discovery: Json) => void (seen.discovery = discovery),
  discoveryState: () => seen.discovery,
  redirectToAuthorization: (url: URL) => void seen.opened.push(url),
  invalidateCredentials(scope: string) {
    if (scope === "all" || scope === "client") seen.client = undefined;
    if (scope === "all" || scope === "tokens") seen.tokens = undefined;
  },
};

async function connect(): Promise<Json> {
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider });
  const options = mode === "auto" ? { versionNegotiation: { mode } } : {};
  const client = new Client({ name: "program", version: "1" }, options);
  try {
    await client.connect(transport);
  } catch (error) {
    return { error, transport };
  }
  return { client };
}

const { transport } = await check("is refused, finds the sign-in, opens the browser", async () => {
  const refused = await connect();
  equal(refused.error?.constructor.name, "UnauthorizedError");
  equal(seen.opened.map(({ origin, pathname }) => origin + pathname), [
    `${origin}/oauth/authorize`,
  ]);
  return refused;
});

await check("gets a code and exchanges it", async () => {
  const opened = seen.opened.pop();
  if (opened === undefined) throw new Error("The browser was not opened");
  const answer = await decide(opened, "ALLOW");
  equal(answer.get("state"), "a state");
  await transport.finishAuth(answer.get("code"), answer.get("iss"));
  equal(/^prs_o_[\w-]{43}$/.test(seen.tokens.access_token), true);
});

const list = { name: "list_records", arguments: { moduleCode: "commitment" } };
const program = await check("calls tools", async () => {
  const { client, error } = await connect();
  if (error !== undefined) throw error;
  equal((await client.listTools()).tools.length, 6);
  equal((await client.callTool(list)).structuredContent.items.length, 2);
  return client;
});

for (const round of ["", " again"]) {
  await check(`refreshes for five calls at once${round}`, async () => {
    const { refresh_token } = seen.tokens;
    seen.tokens = { ...seen.tokens, access_token: "expired" };
    const results = await Promise.all(Array.from({ length: 5 }, () => program.callTool(list)));
    equal(results.map(({ structuredContent }) => structuredContent.items.length), [2, 2, 2, 2, 2]);
    equal(seen.opened, []);
    equal(seen.tokens.refresh_token === refresh_token, false);
  });
}

await check("is refused after the end of the assistant, and asks for a sign-in", async () => {
  await revoke();
  const error = await failureOf(() => program.callTool(list));
  equal(error.constructor.name, "UnauthorizedError");
  equal([seen.opened.length, seen.tokens], [1, undefined]);
});
process.exit();

/** The way of a strict OAuth library, which compares the members of documents and answers. */

import process from "node:process";
import { check, decide, equal, failureOf, revoke } from "./program_checks.ts";

const [origin, , clientId = "", library = ""] = process.argv.slice(2);
const oauth = await import(library);
const options = { [oauth.allowInsecureRequests]: true };
const resource = new URL(`${origin}/mcp`);
const client = { client_id: clientId };
const callback = "http://127.0.0.1:4567/callback";

const call = (token: string) => {
  const params = { name: "list_records", arguments: { moduleCode: "commitment" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = new Headers({ "Content-Type": "application/json" });
  return oauth.protectedResourceRequest(token, "POST", resource, headers, body, options);
};

const challengeOf = async (token: string) => {
  const { cause } = await failureOf(() => call(token));
  return cause[0].parameters;
};

await check("is refused with a challenge that names the document", async () => {
  equal(await challengeOf("unknown"), {
    resource_metadata: `${origin}/.well-known/oauth-protected-resource/mcp`,
    scope: "mcp",
    error: "invalid_token",
  });
});

const server = await check("reads both documents", async () => {
  const answered = await oauth.resourceDiscoveryRequest(resource, options);
  const described = await oauth.processResourceDiscoveryResponse(resource, answered);
  const issuer = new URL(described.authorization_servers[0]);
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  return await oauth.processDiscoveryResponse(issuer, found);
});

const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();

async function authorizationUrl(): Promise<URL> {
  const url = new URL(server.authorization_endpoint);
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    scope: "mcp offline_access",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: resource.href,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

await check("learns that the owner denied", async () => {
  const answer = await decide(await authorizationUrl(), "DENY");
  const { error } = await failureOf(() =>
    oauth.validateAuthResponse(server, client, answer, state)
  );
  equal(error, "access_denied");
});

const exchange = (answer: URLSearchParams) =>
  oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    callback,
    verifier,
    options,
  );

const tokens = await check("gets a code and exchanges it", async () => {
  const query = await decide(await authorizationUrl(), "ALLOW");
  const answer = oauth.validateAuthResponse(server, client, query, state);
  const exchanged = await exchange(answer);
  const given = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
  equal([given.token_type, given.expires_in, given.scope], ["bearer", 3600, "mcp offline_access"]);
  return given;
});

const refresh = async (token: string) => {
  const answered = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    token,
    options,
  );
  return await oauth.processRefreshTokenResponse(server, client, answered);
};

const items = async (token: string) =>
  (await (await call(token)).json()).result.structuredContent.items;

await check("calls a tool", async () => {
  equal((await items(tokens.access_token)).length, 2);
});

const pairs = await check("refreshes five times at once", async () => {
  const given = await Promise.all(Array.from({ length: 5 }, () => refresh(tokens.refresh_token)));
  equal(new Set(given.map(({ refresh_token }) => refresh_token)).size, 5);
  const access = [tokens, ...given].map(({ access_token }) => items(access_token));
  equal((await Promise.all(access)).map(({ length }) => length), [2, 2, 2, 2, 2, 2]);
  return given;
});

await check("refreshes with each of the five tokens", async () => {
  await Promise.all(pairs.map(({ refresh_token }) => refresh(refresh_token)));
});

await check("is refused after the end of the assistant", async () => {
  await revoke();
  equal((await challengeOf(tokens.access_token)).error, "invalid_token");
  const { error, status } = await failureOf(() => refresh(pairs[0].refresh_token));
  equal([status, error], [400, "invalid_grant"]);
});
process.exit();

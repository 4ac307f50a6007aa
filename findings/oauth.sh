# shellcheck shell=bash disable=SC2154
# Sourced by the findings about OAuth: a resource with an authorization server on `origin`, and
# `program.mjs`, which runs an MCP SDK against it with tokens that are not valid any more.
oauth_port=$(free_port)
origin="http://127.0.0.1:$oauth_port"

# start_oauth: starts the server. POST /set says how it answers, and GET /requests returns the paths
# and forms since then.
start_oauth() {
  cat > server.mjs <<'JS'
import { createServer } from "node:http";
const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;
const resourcePath = "/.well-known/oauth-protected-resource/mcp";
let set = { used: new Set() };
let requests = [];
let pairs = 0;
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "server", version: "1" },
  }),
  "tools/call": () => ({ content: [{ type: "text", text: "result" }] }),
};
const documents = {
  [resourcePath]: () => ({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
  "/.well-known/oauth-authorization-server": () => ({
    issuer: set.issuer ?? origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  }),
};
createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const answer = (status, value, headers = {}) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers })
      .end(JSON.stringify(value));
  if (request.url === "/set") {
    set = { used: new Set(), ...JSON.parse(body) };
    requests = [];
    return answer(200, {});
  }
  if (request.url === "/requests") return answer(200, requests);
  const form = new URLSearchParams(body);
  requests.push({
    path: request.url,
    resource: form.get("resource"),
    token: form.get("refresh_token"),
  });
  if (request.url in (set.answers ?? {})) {
    const { status, value, headers } = set.answers[request.url];
    return answer(status, value, headers);
  }
  if (request.url in documents) return answer(200, documents[request.url]());
  if (request.url === "/token") {
    await new Promise((resolve) => setTimeout(resolve, set.milliseconds ?? 0));
    const token = form.get("refresh_token") ?? "";
    if (set.oneUse && set.used.has(token)) return answer(400, { error: "invalid_grant" });
    set.used.add(token);
    pairs++;
    return answer(200, {
      access_token: `access-${pairs}`,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: `refresh-${pairs}`,
    });
  }
  if (request.url !== "/mcp") return answer(404, {});
  if (request.method !== "POST") return answer(405, {});
  if (request.headers.authorization === "Bearer old" ? !set.open : !request.headers.authorization) {
    const metadata = `Bearer resource_metadata="${origin}${resourcePath}", scope="read"`;
    return answer(401, {}, { "WWW-Authenticate": set.challenge ?? metadata });
  }
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return response.writeHead(202).end();
  answer(200, { jsonrpc: "2.0", id, result: results[method](params) });
}).listen(port, "127.0.0.1");
JS
  cat > program.mjs <<'JS'
const [origin, name, setting, calls = "1"] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } = name.endsWith("/client")
  ? await import(name)
  : {
    ...await import(`${name}/client/index.js`),
    ...await import(`${name}/client/streamableHttp.js`),
  };
console.warn = () => {};
const set = (value) => fetch(`${origin}/set`, { method: "POST", body: JSON.stringify(value) });
let client = { client_id: "c1" };
let tokens = { access_token: "old", token_type: "Bearer", refresh_token: "refresh-0" };
const opened = [];
const authProvider = {
  redirectUrl: "http://127.0.0.1/callback",
  clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
  clientInformation: () => client,
  saveClientInformation: (saved) => void (client = saved),
  tokens: () => tokens,
  saveTokens: (saved) => void (tokens = saved),
  saveCodeVerifier() {},
  codeVerifier: () => "",
  redirectToAuthorization: (url) => void opened.push(url),
  invalidateCredentials(scope) {
    if (scope === "all" || scope === "client") client = undefined;
    if (scope === "all" || scope === "tokens") tokens = undefined;
  },
};
const program = new Client({ name: "program", version: "1" });
await set({ open: true });
await program.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider }));
await set(JSON.parse(setting));
const outcomes = await Promise.all(Array.from({ length: Number(calls) }, () =>
  program.callTool({ name: "read", arguments: {} }).then(() => "result", ({ message }) => message)
));
const requests = await (await fetch(`${origin}/requests`)).json();
console.log(JSON.stringify({
  calls: outcomes.sort(),
  opened: opened.length,
  scope: opened[0]?.searchParams.get("scope"),
  client: client?.client_id ?? null,
  refresh: tokens?.refresh_token ?? null,
  refreshes: requests.filter(({ token }) => token === "refresh-0").length,
  resource: requests.findLast(({ path }) => path === "/token")?.resource ?? null,
}));
process.exit();
JS
  serve node server.mjs "$oauth_port"
  wait_for node -e "fetch('$origin/requests').then(() => process.exit(), () => process.exit(1))"
}

# seen_by PACKAGE SETTING EXPRESSION [CALLS]: connects, calls a tool so often at once with an old
# token, and prints an expression of what was `seen`.
seen_by() {
  node program.mjs "$origin" "$1" "$2" "${4:-1}" > seen.json
  node -e "const seen = JSON.parse(require('fs').readFileSync('seen.json')); console.log($3)"
}

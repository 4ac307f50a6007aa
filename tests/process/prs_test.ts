/** The command `prs` against the whole application: exit codes, outputs, files and their modes. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PASSWORD } from "../http/access.ts";
import { enrol } from "../http/second_factor.ts";
import { openPrs, type PrsPlace } from "../support/prs.ts";
import { Output } from "../support/server_process.ts";
import type { Json } from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";

const TOKEN = /prs_[a-z]_/;

/** Signed in, and left so by the tests that share it. */
let shared: Promise<PrsPlace> | undefined;

async function signedIn(): Promise<PrsPlace> {
  const open = async () => {
    const place = await openPrs();
    await place.login();
    return place;
  };
  const place = await (shared ??= open());
  place.instead = null;
  return place;
}

Deno.test.afterAll(async () => await (await shared)?.[Symbol.asyncDispose]());

async function mode(path: string): Promise<number> {
  return ((await Deno.stat(path)).mode ?? 0) & 0o777;
}

Deno.test("prs signs in, reads and writes, and revokes its token", async () => {
  await using place = await openPrs();
  const made = await place.login("--name", "a test");
  assertEquals([made.code, made.stdout], [0, `${place.origin}\ta test\n`], made.stderr);
  const path = `${place.config}/config.json`;
  assertEquals([await mode(place.config), await mode(path)], [0o700, 0o600]);
  const config = JSON.parse(await Deno.readTextFile(path));
  assertEquals(Object.keys(config), ["origin", "token", "tokenId", "name", "expiresAt"]);
  assertEquals([config.origin, config.name], [place.origin, "a test"]);
  const open = await place.world.rows("select 1 from sessions where revoked_at is null");
  assertEquals(open, [], "the session has ended");
  const granted = await place.world.rows(
    "select name from token_permissions join permissions using (permission_id)",
  );
  const names = granted.map(({ name }) => name);
  assert(names.includes("record.write") && names.includes("memory.read"), names.join());
  for (const name of ["memory.secret", "account.manage", "token.manage", "audit.read"]) {
    assert(!names.includes(name), name);
  }

  const added = await place.run(["add", "Buy\tpaint\nand brushes"]);
  assertMatch(added.stdout, /^[0-9A-Z]{26}\n$/, added.stderr);
  assertEquals([added.code, await place.names("waiting")], [0, []]);
  const id = added.stdout.trim();
  const shown = await place.run(["show", `capture/${id}`]);
  assertStringIncludes(shown.stdout, "title: Buy paint\n");
  assertStringIncludes(shown.stdout, "originalContent: Buy paint\n  and brushes\n");
  const piped = await place.run(["--json", "add"], { stdin: "From a pipe\n\n" });
  const { payload } = piped.lines[0];
  assertEquals([payload.originalContent, payload.targetModule, payload.routeStatus], [
    "From a pipe\n",
    "memory",
    "INBOX",
  ]);
  const memory = await place.run(["remember", "-", "--json"], { stdin: "A day at the sea" });
  assertEquals([memory.lines[0].memoryType, memory.lines[0].title], ["EVENT", "A day at the sea"]);

  const listed = await place.run(["list", "capture", "--limit", "1"]);
  assertEquals(listed.stdout, `capture/${piped.lines[0].recordId}\tFrom a pipe\n`);
  const all = await place.run(["list", "capture", "--limit=0", "--json"]);
  assertEquals(all.lines.map(({ recordId }) => recordId), [piped.lines[0].recordId, id]);
  const bare = await place.run(["show", id, "--json"]);
  assertEquals(bare.lines[0].recordId, id);
  const found = await place.run(["search", "paint", "brushes"]);
  assertEquals(found.stdout, `capture/${id}\tBuy paint\n`);
  const missing = await place.run(["show", "01JD5A0000000000000000F11E"]);
  assertEquals(missing.code, 1);
  assertMatch(missing.stderr, /^RECORD_NOT_FOUND \(404\) request [0-9A-Z]{26}\n$/);

  // The feed ends before the transactions that other databases of the server have open.
  let feed = await place.run(["follow", "--once"]);
  await waitUntil("the feed has all changes", async () => {
    feed = await place.run(["follow", "--once"]);
    return feed.lines.length === 3;
  });
  assertEquals(feed.lines.map(({ moduleCode, change }) => [moduleCode, change]), [
    ["capture", "CREATED"],
    ["capture", "CREATED"],
    ["memory", "CREATED"],
  ]);
  const rest = await place.run(["follow", "--once", "--after", feed.lines[2].cursor]);
  assertEquals([rest.code, rest.stdout], [0, ""]);

  const wrong = await place.run(["logout"], { stdin: "a wrong password\n" });
  assertEquals([wrong.code, await mode(path)], [5, 0o600]);
  const again = await place.login();
  assertStringIncludes(again.stderr, `The former token ${config.tokenId} is still valid`);
  const out = await place.run(["logout"], { stdin: `${place.password}\n` });
  assertEquals([out.code, out.stdout], [0, ""], out.stderr);
  assertEquals((await place.run(["list", "capture"])).code, 5);
  const live = await place.world.rows("select token_id from tokens where revoked_at is null");
  assertEquals(live.map(({ token_id }) => token_id), [config.tokenId]);
  for (const { stdout, stderr } of [made, added, again, out, wrong]) {
    assert(!TOKEN.test(stdout + stderr));
  }
});

Deno.test("prs lists in other orders, and shows counts as a table or as JSON", async () => {
  await using place = await openPrs();
  await place.login();
  for (const title of ["Zebra", "émile", "Apple"]) await place.run(["add", title]);
  const titles = async (...words: readonly string[]) => {
    const { lines, stderr } = await place.run(["list", "capture", "--json", ...words]);
    assertEquals(stderr, "");
    return lines.map(({ title }) => title);
  };
  assertEquals(await titles("--sort", "title"), ["Apple", "émile", "Zebra"]);
  assertEquals(await titles("--sort=-time", "--from=2000-01-01"), ["Apple", "émile", "Zebra"]);
  const earlier = await place.run(["list", "capture", "--until", "2000-01-01"]);
  assertEquals([earlier.code, earlier.stdout], [0, ""]);

  const days = await place.run(["insight", "days", "--zone", "Asia/Tokyo", "--json"]);
  const [{ zone, days: [day] }] = days.lines;
  assertEquals([zone, day.modules], ["Asia/Tokyo", [{ moduleCode: "capture", count: 3 }]]);
  const series = await place.run(["insight", "series", "capture", "--by=year", "--zone=UTC"]);
  assertMatch(series.stdout, /^points:\nstart +count +sum .*\n\d{4}-01-01 +3 +- /m);
  const week = await place.run(["insight", "week", "--zone", "UTC"]);
  assertMatch(week.stdout, /^lived:\nmoduleCode +count\ncapture +3\n/m);
  for (const name of ["contacts", "routines"]) {
    assertEquals((await place.run(["insight", name, "--zone", "UTC"])).stdout, "");
  }
  assertStringIncludes((await place.run(["insight", "calibration"])).stdout, "brierScore: -\n");
  const refused = await place.run(["insight", "series", "memory", "--zone", "UTC"]);
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, "rules insight.module");
});

/** Every control and mark of direction that a title or a text may have. */
const HIDDEN = "\u061c\u200e\u200f\u2028\u202a\u202e\u2066\u2069";
const CONTROLS = `\u0001\b\u001b[31m\u007f\u0085\u009b2J${HIDDEN}`;
const RAW = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

Deno.test("prs prints no control and no mark of direction, in any form", async () => {
  const place = await signedIn();
  const text = `Odd ${HIDDEN}\nWith ${CONTROLS} in it`;
  const added = await place.run(["--json", "add"], { stdin: text });
  const { recordId, title, payload } = added.lines[0];
  assertEquals([title, payload.originalContent], [`Odd ${HIDDEN}`, text]);
  const name = `capture/${recordId}`;
  const file = `${place.home}/odd \u202e\u009b.txt`;
  await Deno.writeTextFile(file, CONTROLS);
  const runs = [
    ["list", "capture"],
    ["list", "capture", "--json"],
    ["show", name],
    ["show", name, "--json"],
    ["search", "Odd"],
    ["search", "Odd", "--json"],
    ["follow", "--once"],
    ["due"],
    ["list", CONTROLS],
    ["show", `capture/${CONTROLS}`],
    [CONTROLS],
    ["list", "capture", "--limit", CONTROLS],
    ["import", file],
    ["edit", name, "--json"],
  ];
  for (const words of runs) {
    const { stdout, stderr } = await place.run(words, { env: { EDITOR: "/missing" } });
    assert(!RAW.test(stdout + stderr), `${words.join(" ")}: ${JSON.stringify(stdout + stderr)}`);
  }
  const shown = await place.run(["show", name]);
  assertStringIncludes(shown.stdout, "title: Odd \\u061c\\u200e\\u200f\\u2028\\u202a\\u202e");
  assertStringIncludes(shown.stdout, "\n  With \\u0001\\u0008\\u001b[31m\\u007f\\u0085\\u009b2J");
  const [record] = (await place.run(["show", name, "--json"])).lines;
  assertEquals([record.title, record.payload.originalContent], [`Odd ${HIDDEN}`, text]);
  const [kept = ""] = await place.names("edit");
  assert(!RAW.test(await Deno.readTextFile(`${place.state}/edit/${kept}`)));
  await Deno.remove(`${place.state}/edit/${kept}`);
});

Deno.test("prs asks for a code only if the account has a second factor", async () => {
  await using place = await openPrs({});
  const { email, authenticator } = await enrol(place.world);
  place.world.advance(60_000);
  const code = (seconds: number) =>
    authenticator.codeAt(new Date(place.world.now().getTime() + 1000 * seconds));
  const login = (...lines: readonly string[]) =>
    place.run(["login", place.origin, "--permissions", "record.read, record.write"], {
      stdin: [email, ...lines, ""].join("\n"),
    });
  // Each code is good once, so the proof for the token takes the next one.
  const used = await login(PASSWORD, await code(0), await code(0));
  assertEquals(used.code, 1);
  assertMatch(used.stderr, /^STEP_UP_REQUIRED \(403\)/);
  place.world.advance(60_000);
  const made = await login(PASSWORD, await code(0), await code(30));
  assertEquals([made.code, made.stdout.includes(place.origin)], [0, true], made.stderr);
  const granted = await place.world.rows("select count(*)::int as count from token_permissions");
  assertEquals(granted[0].count, 2);
});

Deno.test("prs stores texts that it cannot send, and sends them in order with the same keys", async () => {
  await using place = await openPrs();
  assertEquals((await place.run(["add", "before the first sign-in"])).code, 5);
  await place.login();
  const keys: string[] = [];
  const isWrite = ({ method, url }: Request) => method === "POST" && url.includes("/records/");
  const fail = (answer: () => Response) => (request: Request) => {
    if (!isWrite(request)) return null;
    keys.push(request.headers.get("Idempotency-Key") ?? "");
    return answer();
  };
  place.instead = fail(() => new Response("busy", { status: 503 }));
  const busy = await place.run(["add", "one", "--json", "--wait", "0"]);
  assertEquals([busy.code, busy.lines], [4, [{ kept: true, waiting: 2 }]]);
  assertMatch(
    busy.stderr,
    /^\{"error":\{"code":"HTTP_503","status":503,"requestId":null\}\}\n2 wait/,
  );
  place.instead = fail(() => new Response("{}", { status: 401 }));
  assertEquals((await place.run(["add", "two"])).code, 5);
  const waiting = await place.names("waiting");
  assertEquals(waiting.map((name) => name.slice(0, 13)), [
    "000000000001-",
    "000000000002-",
    "000000000003-",
  ]);
  for (const name of waiting) assertEquals(await mode(`${place.state}/waiting/${name}`), 0o600);
  assertEquals([await mode(place.state), await mode(`${place.state}/waiting`)], [0o700, 0o700]);
  assert(keys.every((key) => waiting[0]?.endsWith(`${key}.json`)), "the oldest goes first");

  // Neither a refused one nor one that is not JSON keeps the others from being sent.
  await Deno.writeTextFile(`${place.state}/waiting/000000000000-broken.json`, "{");
  const other = JSON.stringify({ operation: "memory.create", key: "no key", body: {} });
  await Deno.writeTextFile(`${place.state}/waiting/other`, other);
  const long = "x".repeat(100_001);
  place.instead = null;
  const sent = await place.run(["add", "-", "--json"], { stdin: long });
  assertEquals([sent.code, sent.stdout], [1, ""]);
  assertStringIncludes(sent.stderr, '{"error":{"code":"PAYLOAD_INVALID","status":400,');
  assertEquals([(await place.names("refused")).length, await place.names("waiting")], [2, [
    "other",
  ]]);
  const rest = await place.run(["sync"]);
  assertEquals([rest.code, (await place.names("refused")).length, rest.stdout], [1, 3, ""]);
  const { lines } = await place.run(["list", "capture", "--json"]);
  assertEquals(lines.map(({ title }) => title), ["two", "one", "before the first sign-in"]);
});

Deno.test("prs edits a record, and shows both versions after a conflict", async () => {
  const place = await signedIn();
  const { lines: [record] } = await place.run(["add", "A title", "--json"]);
  const name = `capture/${record.recordId}`;
  const flags = ["--allow-run=sh"];
  const editor = async (script: string) => {
    await Deno.writeTextFile(`${place.home}/editor.sh`, script);
    return { env: { VISUAL: `sh ${place.home}/editor.sh` }, flags };
  };
  const rename = `sed -i 's/"title": "[^"]*"/"title": "Changed"/' "$1"`;
  const same = await place.run(["edit", name], await editor("stat -c %a $1 >&2"));
  assertEquals([same.code, same.stdout, same.stderr], [0, "", "600\n"]);
  const changed = await place.run(["edit", name, "--json"], await editor(rename));
  assertEquals([changed.lines[0].title, changed.lines[0].revision], ["Changed", 2], changed.stderr);
  assertEquals(await place.names("edit"), []);
  const failing = await place.run(["edit", name], await editor("exit 3"));
  assertEquals([failing.code, (await place.names("edit")).length], [1, 1]);
  const broken = await place.run(["edit", name], await editor('echo "{" > "$1"'));
  assertEquals([broken.code, (await place.names("edit")).length], [2, 2]);
  const refused = await place.run(
    ["edit", name],
    await editor(`sed -i 's/"INBOX"/"NOWHERE"/' "$1"`),
  );
  assertEquals([refused.code, (await place.names("edit")).length], [1, 3]);

  const { token } = JSON.parse(await Deno.readTextFile(`${place.config}/config.json`));
  const other = `curl -sS -X PATCH ${place.origin}/api/v2/records/${name} ` +
    `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' ` +
    `-d '{"title":"Theirs","expectedRevision":2}' -o /dev/null`;
  const mine = `${other}; sed -i 's/"title": "[^"]*"/"title": "Mine"/' "$1"`;
  const conflict = await place.run(["edit", name], await editor(mine));
  assertEquals(conflict.code, 3);
  assertMatch(
    conflict.stderr,
    /kept: (\S+)\nIt was of revision 2; the present revision is 3\ntitle\n {2}yours: {3}Mine\n {2}present: Theirs\nREVISION_CONFLICT \(409\) request \S+\n$/,
  );
  const [, kept = ""] = /kept: (\S+)/.exec(conflict.stderr) ?? [];
  assertStringIncludes(await Deno.readTextFile(kept), '"title": "Mine"');
});

Deno.test("prs states times by the machine's clock, and shows and edits local times", async () => {
  const place = await signedIn();
  const add = async (TZ: string) => {
    const { lines: [record], stderr } = await place.run(["add", "A", "--json"], { env: { TZ } });
    assert(record !== undefined, stderr);
    return record;
  };
  const clocks: Readonly<Record<string, string>> = {
    "Asia/Tokyo": "+09:00[Asia/Tokyo]",
    // Zones without a name.
    "UTC-3": "+03:00",
    "": "+00:00",
  };
  for (const [zone, clock] of Object.entries(clocks)) {
    const { localTimes } = await add(zone);
    assertEquals(localTimes.capturedAt.slice(23), clock, zone);
  }
  for (const rule of ["field.time_zone", "field.time_offset"]) {
    const keys = new Set();
    place.instead = async (request) => {
      keys.add(request.headers.get("Idempotency-Key"));
      const { method, headers, url } = request;
      const body = await request.text();
      const error = { code: "PAYLOAD_INVALID", message: "", details: { rules: [rule] } };
      return body.includes("[Asia/Tokyo]")
        ? Response.json({ error }, { status: 400 })
        : await place.world.app.fetch(new Request(url, { method, headers, body }));
    };
    const { localTimes } = await add("Asia/Tokyo");
    assertEquals([localTimes.capturedAt.slice(23), keys.size], ["+09:00", 2], rule);
    assertEquals([await place.names("waiting"), await place.names("refused")], [[], []]);
    place.instead = null;
  }

  const { recordId, localTimes } = await add("Asia/Tokyo");
  const name = `capture/${recordId}`;
  const shown = await place.run(["show", name]);
  assertStringIncludes(shown.stdout, `\ncapturedAt: ${localTimes.capturedAt}\n`);
  assert(!shown.stdout.includes("localTimes"), shown.stdout);
  const edit = async (script: string) => {
    const options = { env: { VISUAL: "sh editor.sh" }, flags: ["--allow-run=sh"] };
    await Deno.writeTextFile(`${place.home}/editor.sh`, `sed -i '${script}' "$1"`);
    const { stdout, stderr } = await place.run(["edit", name, "--json"], options);
    assert(stdout !== "", stderr);
    return JSON.parse(stdout);
  };
  const renamed = await edit(`s/"title": "[^"]*"/"title": "B"/`);
  assertEquals([renamed.title, renamed.localTimes], ["B", localTimes]);
  const moved = await edit("s/+09:00\\[Asia.Tokyo]/+10:00/");
  const offset = localTimes.capturedAt.replace(/\+.*/, "+10:00");
  assertEquals([moved.revision, moved.localTimes], [3, { capturedAt: offset }]);
});

Deno.test("prs stores files, and removes incomplete ones", async () => {
  const place = await signedIn();
  const bytes = crypto.getRandomValues(new Uint8Array(40_000));
  await Deno.writeFile(`${place.home}/photo.bin`, bytes);
  const put = await place.run(["files", "put", "photo.bin"]);
  const id = put.stdout.trim();
  assertMatch(id, /^[0-9A-Z]{26}$/, put.stderr);
  assertEquals((await place.run(["files", "get", id, "-o", "copy.bin"])).code, 0);
  assertEquals(await Deno.readFile(`${place.home}/copy.bin`), bytes);
  assertEquals(await mode(`${place.home}/copy.bin`), 0o600);
  assertEquals((await place.run(["files", "get", id, "-o", "copy.bin"])).code, 2);
  place.instead = ({ url }) => url.endsWith("/content") ? new Response(bytes.toReversed()) : null;
  const damaged = await place.run(["files", "get", id, "-o", "other.bin"]);
  assertEquals([damaged.code, damaged.stderr], [1, "DIGEST_MISMATCH (200)\n"]);
  await assertMissing(`${place.home}/other.bin`);
});

Deno.test("prs exports the account with the password", async () => {
  const place = await signedIn();
  await place.run(["add", "To be exported"]);
  const stdin = `${place.password}\n`;
  const made = await place.run(["export", "--file", "account.jsonl", "--json"], { stdin });
  assertEquals(made.code, 0, made.stderr);
  const text = await Deno.readTextFile(`${place.home}/account.jsonl`);
  assertStringIncludes(text, "To be exported");
  assertEquals(await mode(`${place.home}/account.jsonl`), 0o600);
  assertEquals(made.lines[0].size, new TextEncoder().encode(text).length);
  const wrong = await place.run(["export", "--file", "other.jsonl"], { stdin: "wrong\n" });
  assertEquals(wrong.code, 5);
  await assertMissing(`${place.home}/other.jsonl`);
  const open = await place.world.rows("select 1 from sessions where revoked_at is null");
  assertEquals(open, []);
});

async function assertMissing(path: string): Promise<void> {
  const names = await Array.fromAsync(Deno.readDir(path.slice(0, path.lastIndexOf("/"))));
  assert(!names.some(({ name }) => path.endsWith(`/${name}`)), path);
}

Deno.test("prs refuses a configuration that others can read, and ends without the service", async () => {
  await using place = await openPrs();
  await place.login();
  await Deno.chmod(`${place.config}/config.json`, 0o640);
  assertEquals((await place.run(["list", "capture"])).code, 1);
  assertEquals((await place.run(["logout", "--local"])).code, 0);
  assertEquals((await place.run(["list", "capture"])).code, 5);
  await place.login();
  await Deno.writeTextFile(`${place.home}/notes.jsonl`, "a\0b");
  const unread = await place.run(["import", "notes.jsonl"]);
  assertEquals(unread.code, 1);
  assertStringIncludes(unread.stderr, "HTTP_415 (415)");
  const nothing = await place.run(["due"]);
  assertEquals([nothing.code, nothing.stdout, nothing.stderr], [0, "", ""]);
  const config = await Deno.readTextFile(`${place.config}/config.json`);
  await Deno.writeTextFile(
    `${place.config}/config.json`,
    config.replace(place.origin, "http://127.0.0.1:1"),
  );
  const flags = ["--allow-net=127.0.0.1:1"];
  const { code, stderr } = await place.run(["list", "capture", "--wait", "0"], { flags });
  assertEquals([code, stderr], [4, "The service is not reachable\n"]);
});

Deno.test("prs names the new address of a moved account, never goes there, and keeps texts", async () => {
  const place = await signedIn();
  const movedTo = "https://new.example";
  const error = { code: "ACCOUNT_MOVED", message: "", requestId: "R", details: { movedTo } };
  place.instead = () => Response.json({ error }, { status: 410 });
  const line = `The account has moved to ${movedTo}. Sign in there: prs login ${movedTo}\n`;
  const listed = await place.run(["list", "capture"]);
  assertEquals([listed.code, listed.stderr], [5, line]);
  const json = await place.run(["list", "capture", "--json"]);
  const shown = { error: { code: "ACCOUNT_MOVED", status: 410, requestId: "R", movedTo } };
  assertEquals([json.code, JSON.parse(json.stderr)], [5, shown]);
  const added = await place.run(["add", "A text"]);
  assertEquals([added.code, (await place.names("waiting")).length], [5, 1]);
  await Deno.writeTextFile(`${place.home}/moved`, "prs_a_secret\n", { mode: 0o600 });
  const stdin = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const forwarded = await place.run(["mcp", "--token-file", "moved"], { stdin });
  assertEquals([forwarded.code, forwarded.stderr], [5, line]);
  place.instead = null;
  assertEquals((await place.run(["sync"])).code, 0);
});

Deno.test("prs ends in good order by a signal, and silently when nobody reads", async () => {
  const place = await signedIn();
  for (const text of ["one", "two"]) await place.run(["add", text]);
  const follower = place.spawn(["follow"]);
  const [out, error] = [new Output(follower.stdout), new Output(follower.stderr)];
  await out.until(/\n[^\n]+\n/);
  follower.kill("SIGTERM");
  const { code } = await follower.status;
  await Promise.all([out.ended, error.ended, follower.stdin.close()]);
  assertEquals([code, error.text], [0, ""]);
  const unread = place.spawn(["list", "capture"]);
  await unread.stdout.cancel();
  const complaints = new Output(unread.stderr);
  const ended = await unread.status;
  await Promise.all([complaints.ended, unread.stdin.close()]);
  assertEquals([ended.code, complaints.text], [0, ""]);
});

Deno.test("prs lists due items, imports a file, and forwards an assistant's messages", async () => {
  const place = await signedIn();
  const sent: string[] = [];
  const data = (data: Json) => Response.json({ data, meta: { requestId: "request-1" } });
  let state = {
    importId: "I",
    format: "prs-items",
    state: "READING",
    counts: {},
    rules: [],
    unmapped: [],
    looksLike: [],
    plan: null,
    done: 0,
    total: 0,
  } as Json;
  place.instead = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (!/^\/(mcp|api\/v2\/(due|imports))/.test(pathname)) {
      return await place.world.app.fetch(request);
    }
    const body = await request.text();
    const named = searchParams.get("filename") ?? "";
    sent.push(`${request.method} ${pathname} ${named} ${body}`.replaceAll("  ", " ").trim());
    if (pathname.endsWith("/due")) {
      const isLast = searchParams.get("cursor") === "more";
      const item = isLast
        ? {
          kind: "DATE",
          moduleCode: "relationship",
          date: "2026-12-01",
          label: "Name day",
          years: 9,
        }
        : { kind: "ACTION", moduleCode: "action", at: "2026-11-30T00:00:00Z" };
      const items = [{ recordId: "A", title: "Pay\trent", ...item }];
      return data({ items, nextCursor: isLast ? null : "more" });
    }
    if (pathname === "/mcp") {
      const bearer = request.headers.get("Authorization");
      if (bearer !== "Bearer prs_a_secret") return Response.json({}, { status: 401 });
      const { id, method } = JSON.parse(body);
      if (id === undefined) return new Response(null, { status: 202 });
      const named = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"].map((name) =>
        request.headers.get(name)
      );
      return Response.json({ jsonrpc: "2.0", id, result: { method, named } });
    }
    if (pathname.endsWith("/run")) state = { ...state, state: "DONE" };
    else if (request.method === "GET" && state.state === "READING") {
      state = { ...state, state: "PLANNED", plan: "P", counts: { memory: { new: 2, refused: 0 } } };
    }
    return data({ refusal: null, ...state });
  };
  const listed = await place.run(["due"]);
  assertEquals(
    listed.stdout,
    [
      "2026-11-30T00:00:00Z\tACTION\taction/A\tPay rent\n",
      "2026-12-01\tDATE\trelationship/A\tPay rent\tName day\t9\n",
    ].join(""),
  );
  await Deno.writeTextFile(`${place.home}/notes.jsonl`, "the file");
  const no = await place.run(["import", "notes.jsonl"], { stdin: "n\n" });
  assertEquals([no.code, no.stderr], [
    0,
    "Format: prs-items\nmemory: 2 new\nNothing was brought in\n",
  ]);
  const closed = await place.run(["import", "notes.jsonl"], { stdin: "" });
  assertEquals(closed.code, 2);
  assertEquals(sent.filter((each) => each.includes("/I/discard")).length, 2);
  const yes = await place.run(["import", "notes.jsonl", "--json"], { stdin: "y\n" });
  assertEquals([yes.code, yes.lines[0].state], [0, "DONE"], yes.stderr);
  assert(sent.includes("POST /api/v2/imports notes.jsonl the file"), sent.join("\n"));
  assert(sent.includes("POST /api/v2/imports/I/discard {}"), sent.join("\n"));
  assert(sent.includes('POST /api/v2/imports/I/run {"plan":"P"}'), sent.join("\n"));
  await Deno.writeTextFile(`${place.home}/units.json`, '{"unit":"kg"}');
  const preset = ["--preset", "weights", "--mapping", "units.json", "--yes"];
  assertEquals((await place.run(["import", "notes.jsonl", ...preset])).code, 0);
  const mapping = 'PUT /api/v2/imports/I/mapping {"unit":"kg","preset":"weights"}';
  assert(sent.includes(mapping), sent.join("\n"));
  await Deno.writeTextFile(`${place.home}/units.json`, "[]");
  assertEquals((await place.run(["import", "notes.jsonl", ...preset])).code, 2);
  await Deno.writeTextFile(`${place.home}/secret`, "prs_a_secret\n", { mode: 0o600 });
  const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, name: "find" };
  const stdin = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","method":"noted"}',
    JSON.stringify({ jsonrpc: "2.0", id: "x", method: "tools/call", params: meta }),
  ].join("\n");
  const forwarded = await place.run(["mcp", "--token-file", "secret"], { stdin });
  assertEquals(forwarded.lines.map(({ id, result }) => [id, result.method, result.named]), [
    [1, "ping", [null, null, null]],
    ["x", "tools/call", ["2026-07-28", "tools/call", "find"]],
  ]);
  await Deno.chmod(`${place.home}/secret`, 0o644);
  assertEquals((await place.run(["mcp", "--token-file", "secret"], { stdin })).code, 1);
});

Deno.test("prs shows what an import leaves out, and why items and files are refused", async () => {
  const place = await signedIn();
  const facts = {
    importId: "I",
    format: "csv",
    rules: [],
    unmapped: [],
    looksLike: [],
    counts: {},
    plan: null,
  };
  let state: Json;
  const asked: string[] = [];
  place.instead = async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/api/v2/imports")) return await place.world.app.fetch(request);
    asked.push(`${pathname}${search}`);
    await request.body?.cancel();
    const item = { outcome: searchParams.get("outcome"), rules: ["zip.crc", "title.cut"] };
    const items = Array.from({ length: 20 }, (_, index) => {
      return { ...item, place: index + 1, entry: index === 0 ? "a\tb.md" : null };
    });
    const data = pathname.endsWith("/items") ? { items, nextCursor: "more" } : state;
    return Response.json({ data, meta: { requestId: "request-1" } });
  };
  const paths = ["Notes.csv.gz", "notes.tgz"];
  for (const path of paths) await Deno.writeTextFile(`${place.home}/${path}`, "x");
  state = {
    ...facts,
    state: "PLANNED",
    plan: "P",
    refusal: null,
    counts: { memory: { new: 1, refused: 24 } },
    rules: [{ rule: "title.cut", count: 24 }],
    unmapped: [{ name: "file.unused", count: 2 }],
    looksLike: ["csv"],
  };
  const planned = await place.run(["import", "Notes.csv.gz"], { stdin: "n\n" });
  assertEquals(planned.stderr.split("\n"), [
    "Format: csv",
    "memory: 1 new, 24 refused",
    "title.cut: 24 (its title or name was cut at 200 characters)",
    "Left out: file.unused: 2 (Files that were not used)",
    "Looks like: csv",
    "Refused: a b.md, 1: zip.crc, title.cut",
    ...Array.from({ length: 19 }, (_, index) => `Refused: ${index + 2}: zip.crc, title.cut`),
    "Refused: 24 in all",
    "Nothing was brought in",
    "",
  ]);
  assert(asked.includes("/api/v2/imports?format=auto&name=Notes&filename=Notes.csv.gz"));
  state = {
    ...facts,
    state: "REFUSED",
    refusal: { rule: "gzip.crc", place: 1, entry: "Part-1.zip/a" },
    looksLike: ["day-one"],
  };
  const refused = await place.run(["import", "notes.tgz"]);
  assertEquals(
    refused.stderr,
    "Format: csv\nLooks like: day-one\nThe file is refused: gzip.crc at Part-1.zip/a, 1\n",
  );
  assert(asked.includes("/api/v2/imports?format=auto&name=notes&filename=notes.tgz"));
  state = { ...state, refusal: { rule: "csv.table", place: 0, entry: null }, looksLike: [] };
  const empty = await place.run(["import", "Notes.csv.gz"]);
  assertEquals(empty.stderr, "Format: csv\nThe file is refused: csv.table\n");
});

Deno.test("prs shows the names that the mapping of a table needs", async () => {
  const place = await signedIn();
  await Deno.writeTextFile(`${place.home}/list.csv`, "Task;Due\nPaint;1.5.2030\n");
  const planned = await place.run(["import", "list.csv"]);
  assertEquals(planned.stderr.split("\n").slice(0, 4), [
    "Format: csv",
    "Column: Task",
    "Column: Due",
    "Suggested key: Task",
  ]);
  assertStringIncludes(planned.stderr, "--mapping: required for this file");
  const unknown = await place.run(["import", "list.csv", "--preset", "none"]);
  const reason = "PAYLOAD_INVALID (400) fields preset rules mapping.preset request ";
  assertStringIncludes(unknown.stderr, reason);
});

Deno.test("prs shows possible duplicates, and a mapping answers them", async () => {
  const place = await signedIn();
  const card = (name: string, ...lines: string[]) =>
    ["BEGIN:VCARD", "VERSION:4.0", `FN:${name}`, ...lines, "END:VCARD", ""].join("\r\n");
  const [lena, anna] = [
    card("Lena", "UID:1", "TEL:0301234567"),
    card("Anna", "EMAIL:a@example.org"),
  ];
  await Deno.writeTextFile(`${place.home}/a.vcf`, lena);
  assertEquals((await place.run(["import", "a.vcf", "--yes"])).code, 0);
  const more = [card("L.", "TEL:030-1234567"), anna, card("A.", "EMAIL:A@example.org")];
  await Deno.writeTextFile(`${place.home}/b.vcf`, more.join(""));
  const asked = await place.run(["import", "b.vcf"], { stdin: "n\n" });
  const lines = asked.stderr.split("\n").filter((line) => /^ |^Perhaps|^Answers/.test(line));
  const [, personId = ""] = /Lena \((\w+)\)/.exec(asked.stderr) ?? [];
  const keys = lines.map((line) => /"(digest:\w+)"/.exec(line)?.[1]).filter((key) =>
    key !== undefined
  );
  assertEquals(lines, [
    "Perhaps here already: L.",
    `  Lena (${personId}): 030-1234567`,
    `  "${keys[0]}": join:${personId}, new, leave`,
    "Perhaps here already: A.",
    "  Anna (earlier in the file): A@example.org",
    `  "${keys[1]}": join, new, leave`,
    'Answers in the file of --mapping: {"duplicates": {"KEY": "ANSWER"}}',
  ]);
  const duplicates = { [`${keys[0]}`]: `join:${personId}`, [`${keys[1]}`]: "new" };
  await Deno.writeTextFile(`${place.home}/answers.json`, JSON.stringify({ duplicates }));
  const answered = await place.run(["import", "b.vcf", "--mapping", "answers.json", "--yes"]);
  assertEquals(answered.stderr.split("\n")[1], "person: 2 new, 1 changed");
});

/** Words and files that other apps share with the console. */

import { assert, assertEquals } from "@std/assert";
import { moveAway } from "../storage/operator.ts";
import { section } from "../support/chapters.ts";
import { makeToken } from "../support/tokens.ts";
import { callApp, createWorld, ORIGIN, sharedWorld, type World } from "../support/world.ts";
import { COOKIE } from "./access.ts";

const world = sharedWorld();
const SHARE = "/console/share";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/** A navigation from the device's share sheet. */
const SHEET = { Accept: BROWSER, Origin: "null", "Sec-Fetch-Site": "none" };
const MEBIBYTE = 1024 * 1024;

type Parts = readonly (readonly [name: string, value: string | File])[];

function formOf(parts: Parts): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

function share(
  body: BodyInit,
  headers: Record<string, string> = SHEET,
  { app }: Pick<World, "app"> = world(),
): Promise<Response> {
  return app.fetch(new Request(`${ORIGIN}${SHARE}`, { method: "POST", body, headers }));
}

/** The JSON that a page finds, and the shell around it. */
async function readShared(response: Response) {
  const html = await response.text();
  const [, before = "", json = "", after = ""] =
    /^([^]*)<template id="shared">([^]*?)<\/template>([^]*)$/.exec(html) ?? [];
  return { json, shared: JSON.parse(json), shell: before + after };
}

const codeOf = async (response: Response) => (await response.json()).error.code;

async function signedIn(): Promise<Record<string, string>> {
  const { secret } = await world().createCaller();
  return { ...SHEET, Cookie: `${COOKIE}=${secret}` };
}

const files = (count: number, bytes = 3): Parts =>
  Array.from({ length: count }, (_, index) => [
    "files",
    new File([new Uint8Array(bytes)], `${index}.png`, { type: "image/png" }),
  ]);

Deno.test("Shared words return in the capture page, which nothing stores", async () => {
  const url = "https://example.org/a?b=c&d";
  const response = await share(formOf([["title", "A title"], ["text", "Words"], ["url", url]]));
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertEquals(response.headers.get("Content-Type"), "text/html; charset=utf-8");
  for (const name of ["ETag", "Content-Encoding", "Set-Cookie"]) {
    assertEquals(response.headers.get(name), null);
  }
  assertEquals([...response.headers].join().includes("Words"), false);
  const { shared, shell } = await readShared(response);
  assertEquals(shared, { title: "A title", text: "Words", url, dropped: 0 });
  const page = await world().app.fetch(new Request(`${ORIGIN}/console/capture`));
  assertEquals(shell, await page.text());
  assertEquals(
    response.headers.get("Content-Security-Policy"),
    page.headers.get("Content-Security-Policy"),
  );
  const empty = await world().app.fetch(new Request(`${ORIGIN}${SHARE}`));
  assertEquals([empty.status, await empty.text()], [200, shell]);
  assertEquals(JSON.stringify(world().log).includes("Words"), false);
});

Deno.test("No shared word can end the template, begin an element or change the JSON", async () => {
  const words = [
    `</template><script>alert(1)</script><!-- <![CDATA[ ]]> --!>`,
    `&lt;/template&gt; &#60; \u2028 \u2029 \0 \\u003c/template> "'\\ \`\${x}`,
    '$& $1 $` $\' $$ <body> <template id="shared">',
    "\u{1f600} \ud83d \ufeff \u202e",
  ];
  for (const text of words) {
    const { json, shared } = await readShared(await share(formOf([["text", text]])));
    assertEquals(/[<>&\u2028\u2029]/.test(json), false, text);
    // A form has no lone surrogates, and its lines end with CR LF.
    assertEquals(shared.text, text.toWellFormed());
  }
  // Bytes that are not UTF-8.
  const raw = `--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xed\xa0\x80<\r\n--b--`;
  const body = Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
  const headers = { ...SHEET, "Content-Type": "multipart/form-data; boundary=b" };
  assert((await readShared(await share(body, headers))).shared.text.endsWith("<"));
});

Deno.test("Files return only to an open session", async () => {
  const text = new File(["</template>"], `a "name".html`, { type: "text/html" });
  const parts: Parts = [["files", text], ["text", "Words"], ...files(9)];
  const headers = await signedIn();
  const { json, shared } = await readShared(await share(formOf(parts), headers));
  assertEquals(json.includes("<"), false);
  assertEquals([shared.text, shared.files.length, shared.dropped], ["Words", 10, undefined]);
  assertEquals(shared.files[0], {
    name: `a "name".html`,
    type: "text/html",
    content: btoa("</template>"),
  });
  for (const Cookie of ["", `${COOKIE}=x`, `${COOKIE}=prs_s_${"a".repeat(43)}`]) {
    const answer = await readShared(await share(formOf(parts), { ...SHEET, Cookie }));
    assertEquals(answer.shared, { text: "Words", dropped: 10 });
  }
  await world().call("POST", "/api/v2/auth/logout", { headers: { ...headers, Origin: ORIGIN } });
  const ended = await readShared(await share(formOf(parts), headers));
  assertEquals(ended.shared, { text: "Words", dropped: 10 });
  const owner = await world().createCaller();
  await moveAway(world(), owner, "https://new.example");
  const Cookie = `${COOKIE}=${owner.secret}`;
  const moved = await readShared(await share(formOf(parts), { ...SHEET, Cookie }));
  assertEquals(moved.shared, { text: "Words", dropped: 10 });
});

Deno.test("64 KiB of text, ten files and 16 MiB of them are the most", async () => {
  const headers = await signedIn();
  const half = "a".repeat(32 * 1024);
  const most: readonly Parts[] = [
    [["title", half], ["text", half]],
    [["text", half], ...files(10, 1.6 * MEBIBYTE)],
  ];
  for (const parts of most) {
    assertEquals((await share(formOf(parts), headers)).status, 200);
  }
  const beyond: readonly Parts[] = [
    [["title", half], ["text", half], ["url", "a"]],
    [["other", half + half], ["text", "a"]],
    files(11),
    files(2, 8 * MEBIBYTE + 1),
  ];
  for (const parts of beyond) {
    const sent = new Response(formOf(parts));
    const type = { "Content-Type": sent.headers.get("Content-Type") ?? "" };
    const bytes = await sent.bytes();
    const Accept = "application/json";
    const refused = await share(bytes, { ...headers, ...type, Accept });
    assertEquals([refused.status, await codeOf(refused)], [413, "HTTP_413"]);
    // A browser shows it on the page.
    const page = await share(bytes, { ...SHEET, ...type });
    assertEquals([page.status, page.headers.get("Cache-Control")], [413, "no-store"]);
    assertEquals((await readShared(page)).shared, { refused: "HTTP_413" });
  }
  // Bytes before the first part, and empty parts.
  const type = { "Content-Type": "multipart/form-data; boundary=b" };
  const empty = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  for (const [part, count] of [[empty, 101], ["a".repeat(MEBIBYTE), 17]] as const) {
    assertEquals(
      (await share(`${part.repeat(count)}\r\n${empty}--b--`, { ...SHEET, ...type })).status,
      413,
    );
  }
  const long = { ...SHEET, Accept: "*/*", "Content-Length": String(17 * MEBIBYTE) };
  assertEquals((await share(formOf([["text", "a"]]), long)).status, 413);
});

Deno.test("Other sites, media types and methods are refused", async () => {
  const form = () => formOf([["text", "Words"]]);
  for (const site of ["cross-site", "same-site"]) {
    const refused = await share(form(), { ...SHEET, "Sec-Fetch-Site": site });
    assertEquals([refused.status, await codeOf(refused)], [403, "FORBIDDEN"]);
  }
  for (const headers of [{}, { "Sec-Fetch-Site": "same-origin", Origin: ORIGIN }]) {
    assertEquals((await share(form(), headers)).status, 200);
  }
  for (const type of ["application/x-www-form-urlencoded", "application/json", "text/plain"]) {
    const headers = { "Content-Type": type };
    assertEquals((await share("text=Words", headers)).status, 415, type);
  }
  const type = { "Content-Type": "multipart/form-data; boundary=b" };
  assertEquals((await share("--b--", { ...type, "Content-Encoding": "gzip" })).status, 415);
  assertEquals((await share("Words", type)).status, 400);
  assertEquals((await world().call("PUT", SHARE)).status, 405);
});

Deno.test("A share counts for its address, and is not part of the API or of CONSOLE=false", async () => {
  const limits = { perCredential: 0, perAddress: 2, inFlight: 10 };
  await using limited = await createWorld({ limits });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) {
    statuses.push((await share(formOf([["text", "Words"]]), SHEET, limited)).status);
  }
  assertEquals(statuses, [200, 200, 429]);
  const { text } = await world().call("GET", "/api/v2/openapi.json");
  for (const path of [SHARE, "app.webmanifest"]) assertEquals(text.includes(path), false);
  await using without = await createWorld({ console: false });
  assertEquals((await share(formOf([["text", "Words"]]), {}, without)).status, 404);
  for (const path of [SHARE, "/console/capture", "/console/app.webmanifest"]) {
    assertEquals((await without.call("GET", path)).status, 404, path);
  }
});

Deno.test("The shortcut of the chapter adds a capture and a file, and reaches nothing else", async () => {
  const recipe = section("src/console/phone/README.md", "On an iPhone");
  const body = JSON.parse(/-d '(\{\n[^]*?)'\n/.exec(recipe)?.[1] ?? "");
  body.payload.capturedAt = world().now().toISOString();
  const [, names = ""] = /"permissions":(\[.*?\])/.exec(recipe) ?? [];
  const token = { modules: ["capture"], permissions: JSON.parse(names) };
  const { token: secret } = await makeToken(world(), await world().createCaller(), token);
  const Authorization = `Bearer ${secret}`;
  const call = (method: string, path: string, headers = {}) =>
    callApp(world().app, method, `/api/v2${path}`, {
      headers: { Authorization, ...headers },
      ...(method === "POST" && { body }),
    });
  const key = { "Idempotency-Key": "2026-11-29T14:02:00+01:00-1" };
  const made = await call("POST", "/records/capture", key);
  assertEquals([made.status, made.body.data.payload.sourceApp], [201, "SHARE_SHEET"]);
  const file = { "X-Filename": "a.txt" };
  assertEquals((await call("POST", "/attachments", file)).status, 201);
  for (const path of ["/records/capture", "/records/commitment", "/memory/texts"]) {
    assertEquals((await call("GET", path)).status, 403, path);
  }
  assertEquals((await call("POST", "/records/commitment", key)).status, 403);
});

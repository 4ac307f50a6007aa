/**
 * Streamed answers that fail midway, behind the shortest configurations of nginx, Caddy and
 * lighttpd: each client must notice. A program that is not installed is left out.
 */

import { assert, assertEquals } from "@std/assert";
import { Client } from "../../src/client/mod.ts";
import { callRoute, EXAMPLE_SERVICES, makeExample } from "../http/examples.ts";
import { findProgram } from "../support/programs.ts";
import { openPrs, prsIn, type PrsPlace } from "../support/prs.ts";
import { PLAIN_PROXIES } from "../support/proxy_process.ts";
import { callApp, type Caller, callerOf, ORIGIN } from "../support/world.ts";

const CURL = findProgram("curl");
/** The exit code of curl for a body that is shorter than stated. */
const PARTIAL_FILE = 18;
/** Its body is complete, and states its length because its contract does. */
const COMPLETE = "attachment.thumbnail";
/** Time for the first half of a body to reach the proxy. */
const HALF_MS = 50;

/** A route that streams, and a path of it. */
interface Streamed {
  readonly operation: string;
  readonly path: string;
}

interface Walked {
  readonly caller: Caller;
  readonly streamed: readonly Streamed[];
}

/** Calls each GET route over a connection, and finds the routes that stream. */
async function walk(place: PrsPlace): Promise<Walked> {
  const { world, origin } = place;
  const example = await makeExample(world);
  const app = {
    fetch: (request: Request) => fetch(new Request(request.url.replace(ORIGIN, origin), request)),
  };
  const caller = callerOf(app, example.caller);
  const anyone = { call: (...options: Parameters<Caller["call"]>) => callApp(app, ...options) };
  let streams = false;
  place.instead = async (request) => {
    const response = await world.app.fetch(request);
    // The runtime adds the length of a body that is complete.
    streams = response.headers.has("Content-Length");
    return response;
  };
  const streamed: Streamed[] = [];
  for (const route of world.app.routes) {
    if (route.method !== "GET") continue;
    const path = await example.pathOf(route);
    const parts = await example.partsOf(route);
    const by = route.access === "public" ? anyone : caller;
    const { status, headers } = await callRoute(by, route, path, parts);
    assert(headers.has("Content-Length"), `${route.path} ${status}: ${[...headers]}`);
    if (streams && route.operation !== COMPLETE) {
      streamed.push({ operation: route.operation, path });
    }
  }
  place.instead = null;
  return { caller: example.caller, streamed };
}

/** Cuts each streamed answer in its middle. */
function cut(response: Response): Response {
  const length = Number(response.headers.get("Content-Length"));
  if (length === 0 || response.body === null) return response;
  const reader = response.body.getReader();
  let left = Math.floor(length / 2);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (left === 0) {
        await reader.cancel();
        await new Promise((resolve) => setTimeout(resolve, HALF_MS));
        return controller.error("The source failed");
      }
      const { value = new Uint8Array() } = await reader.read();
      controller.enqueue(value.subarray(0, left));
      left -= Math.min(left, value.length);
    },
  });
  return new Response(body, response);
}

/** Reads a path by curl, and returns its exit code. */
async function curl(url: string, { secret }: Caller): Promise<number> {
  const authorization = `Authorization: Bearer ${secret}`;
  const { code } = await new Deno.Command(CURL ?? "", {
    args: ["--silent", "--output", "/dev/null", "--header", authorization, url],
  }).output();
  return code;
}

/** The command's own files: an attachment, and the account. Returns its exit codes. */
async function runPrs(place: PrsPlace, port: number, attachmentId: string): Promise<number[]> {
  const { run, home, config } = prsIn(place.home, port);
  const file = `${config}/config.json`;
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, text.replace(place.origin, `http://127.0.0.1:${port}`));
  const commands = [["files", "get", attachmentId, "-o", "photo-got"], ["export", "--file", "all"]];
  const codes = await Promise.all(commands.map(async (words) => {
    const { code } = await run(words, { stdin: `${place.password}\n` });
    const isKept = await Deno.remove(`${home}/${words.at(-1)}`).then(() => true, () => false);
    assertEquals(isKept, code === 0, words.join(" "));
    return code;
  }));
  await Deno.writeTextFile(file, text);
  return codes;
}

/** True if the bytes of a path arrive by the client package. */
async function arrives(bytes: () => Promise<ReadableStream<Uint8Array> | null>): Promise<boolean> {
  return await bytes().then((body) => new Response(body).bytes()).then(() => true, () => false);
}

/** How each way of reading ends: exit codes, and whether all bytes arrived. */
interface Ends {
  readonly curl: readonly number[];
  readonly client: readonly boolean[];
  readonly prs: readonly number[];
}

/** Reads everything that is streamed through a proxy, at the same time. */
async function readAll(
  place: PrsPlace,
  port: number,
  { caller, streamed, attachmentId }: Walked & { readonly attachmentId: string },
): Promise<Ends> {
  const origin = `http://127.0.0.1:${port}`;
  const client = new Client({ origin, token: caller.secret });
  const file = streamed.find(({ operation }) => operation === "attachment.content");
  const readers = [
    ...streamed.map(({ path }) => async () => (await client.send("GET", path)).body),
    () => client.download(file?.path.split("/").at(-2) ?? ""),
  ];
  const paths = CURL === undefined ? [] : streamed;
  const [codes, arrived, ended] = await Promise.all([
    Promise.all(paths.map(({ path }) => curl(origin + path, caller))),
    Promise.all(readers.map(arrives)),
    runPrs(place, port, attachmentId),
  ]);
  return { curl: codes, client: arrived, prs: ended };
}

Deno.test("Every GET route states the length of its answer, and behind proxies each client notices a cut one", async (test) => {
  await using place = await openPrs(EXAMPLE_SERVICES);
  const { world, origin, home } = place;
  const walked = await walk(place);
  const operations = walked.streamed.map(({ operation }) => operation);
  assertEquals(operations.sort(), ["account.export_content", "attachment.content"]);
  assertEquals((await place.login()).code, 0);
  await Deno.writeFile(`${home}/photo`, new Uint8Array(200_000));
  const attachmentId = (await place.run(["files", "put", "photo"])).stdout.trim();
  for (const [name, start] of PLAIN_PROXIES) {
    await test.step(name, async () => {
      await using proxy = await start(Number(new URL(origin).port));
      const whole = await readAll(place, proxy.port, { ...walked, attachmentId });
      assert([...whole.curl, ...whole.prs].every((code) => code === 0), JSON.stringify(whole));
      assert(whole.client.every((arrived) => arrived), JSON.stringify(whole));
      place.instead = async (request) => cut(await world.app.fetch(request));
      const ends = await readAll(place, proxy.port, { ...walked, attachmentId });
      place.instead = null;
      assert(ends.curl.every((code) => code === PARTIAL_FILE), JSON.stringify(ends));
      assert(ends.client.every((arrived) => !arrived), JSON.stringify(ends));
      assert(ends.prs.every((code) => code !== 0), JSON.stringify(ends));
    });
  }
});

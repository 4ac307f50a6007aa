import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RequestTemplate } from "../../bench/load.ts";
import { runLoad } from "../../bench/load_run.ts";

interface Seen {
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

const TEMPLATE: RequestTemplate = {
  method: "POST",
  path: "/things/{value}",
  headers: { "Idempotency-Key": "key-{serial}" },
  body: '{"title":"ä {serial}"}',
  values: ["one", "two"],
  status: 201,
};

/** Runs a load against a server in this process, and returns what that saw. */
async function load(
  template: RequestTemplate,
  requests: number,
  answer: (seen: Seen) => Response,
): Promise<{ result: Awaited<ReturnType<typeof runLoad>>; seen: Seen[] }> {
  const seen: Seen[] = [];
  const quiet = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(quiet, async (request) => {
    const { pathname } = new URL(request.url);
    const key = request.headers.get("Idempotency-Key");
    const one = { path: pathname, key, body: await request.text() };
    seen.push(one);
    return answer(one);
  });
  const result = await runLoad({ port: server.addr.port, connections: 3, template, requests });
  return { result, seen };
}

Deno.test("a load sends as many requests as asked for, each with a serial of its own", async () => {
  const { result, seen } = await load(TEMPLATE, 40, () => new Response("{}", { status: 201 }));
  assertEquals([result.requests, result.errors], [40, 0]);
  assertEquals(new Set(seen.map(({ key }) => key)).size, 40);
  assertEquals(new Set(seen.map(({ path }) => path)), new Set(["/things/one", "/things/two"]));
  for (const { key, body } of seen) {
    const serial = /^key-(\d{12})$/.exec(key ?? "")?.[1];
    assertEquals(JSON.parse(body), { title: `ä ${serial}` });
  }
});

Deno.test("a load reads answers that are longer than its buffer", async () => {
  const { result } = await load(
    TEMPLATE,
    5,
    () => new Response("x".repeat(300_000), { status: 201 }),
  );
  assertEquals([result.requests, result.errors], [5, 0]);
});

Deno.test("another status, or a head without what it must contain, is an error", async () => {
  const { result } = await load(TEMPLATE, 5, () => new Response("why not", { status: 200 }));
  assertEquals([result.requests, result.errors], [5, 5]);
  assert(result.firstError?.endsWith("why not"), result.firstError ?? "");
  const marked = { ...TEMPLATE, head: "\r\nx-mark: yes\r\n" };
  const answer = ({ path }: Seen) =>
    new Response("{}", { status: 201, headers: path.endsWith("/one") ? { "X-Mark": "yes" } : {} });
  const { result: mixed, seen } = await load(marked, 60, answer);
  assertEquals(mixed.errors, seen.filter(({ path }) => path.endsWith("/two")).length);
});

Deno.test("a mixed load sends each of its requests so often, with both members of a value", async () => {
  const long = "x".repeat(200_000);
  const parts = [
    {
      template: {
        ...TEMPLATE,
        path: "/{value}/{value2}",
        body: '{"who":"{value}","n":"{serial}"}',
        values: [["one", "1"], ["two", "2"]],
      },
      requests: 30,
    },
    {
      template: { ...TEMPLATE, headers: { "Content-Type": "text/plain" }, body: `{serial}${long}` },
      requests: 5,
    },
  ];
  const seen: { path: string; type: string | null; body: string }[] = [];
  const quiet = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(quiet, async (request) => {
    const { pathname: path } = new URL(request.url);
    seen.push({ path, type: request.headers.get("Content-Type"), body: await request.text() });
    return new Response("{}", { status: 201 });
  });
  const result = await runLoad({ port: server.addr.port, connections: 4, parts });
  assertEquals([result.requests, result.errors], [35, 0]);
  const texts = seen.filter(({ type }) => type === "text/plain");
  assertEquals(texts.length, 5);
  for (const { body } of texts) assertEquals([body.length, body.slice(12)], [200_012, long]);
  for (const { path, body } of seen.filter(({ type }) => type === "application/json")) {
    assertEquals(path, JSON.parse(body).who === "one" ? "/one/1" : "/two/2");
  }
});

Deno.test("a load fails without a listening server", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await assertRejects(() => runLoad({ port, connections: 1, template: TEMPLATE, requests: 1 }));
});

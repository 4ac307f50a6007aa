import { assert, assertEquals } from "@std/assert";
import type { LoadJob, RequestTemplate } from "../../../scripts/bench/load.ts";
import { runLoad } from "../../../scripts/bench/load_run.ts";

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

/** Returns the requests that the server received. */
async function load(
  sent: Pick<LoadJob, "template" | "requests">,
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
  const result = await runLoad({ port: server.addr.port, connections: 3, ...sent });
  return { result, seen };
}

Deno.test("A load sends the requested number of requests, each with its own serial", async () => {
  const { result, seen } = await load(
    { template: TEMPLATE, requests: 40 },
    () => new Response("{}", { status: 201 }),
  );
  assertEquals([result.requests, result.errors], [40, 0]);
  assertEquals(new Set(seen.map(({ key }) => key)).size, 40);
  assertEquals(new Set(seen.map(({ path }) => path)), new Set(["/things/one", "/things/two"]));
  for (const { key, body } of seen) {
    const serial = /^key-(\d{12})$/.exec(key ?? "")?.[1];
    assertEquals(JSON.parse(body), { title: `ä ${serial}` });
  }
});

Deno.test("A load reads responses longer than its buffer", async () => {
  const { result } = await load(
    { template: TEMPLATE, requests: 5 },
    () => new Response("x".repeat(300_000), { status: 201 }),
  );
  assertEquals([result.requests, result.errors], [5, 0]);
});

Deno.test("Another status, or a head without its required text, is an error", async () => {
  const { result } = await load(
    { template: TEMPLATE, requests: 5 },
    () => new Response("why not", { status: 200 }),
  );
  assertEquals([result.requests, result.errors], [5, 5]);
  assert(result.firstError?.endsWith("why not"), result.firstError ?? "");
  const marked = { ...TEMPLATE, head: "\r\nx-mark: yes\r\n" };
  const answer = ({ path }: Seen) =>
    new Response("{}", { status: 201, headers: path.endsWith("/one") ? { "X-Mark": "yes" } : {} });
  const { result: mixed, seen } = await load({ template: marked, requests: 60 }, answer);
  assertEquals(mixed.errors, seen.filter(({ path }) => path.endsWith("/two")).length);
});

/** The limit of the HTTP layer alone. */

const [body = ""] = Deno.args;
const headers = { "Content-Type": "application/json" };

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => void Deno.stdout.writeSync(new TextEncoder().encode(`${port}\n`)),
}, () => new Response(body, { headers }));

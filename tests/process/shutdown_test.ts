import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, ORIGIN } from "../support/world.ts";

/** Waits for the rest of its bytes. */
interface OpenUpload {
  readonly response: Promise<Response>;
  finish(): void;
}

async function beginUpload(
  server: ServerProcess,
  caller: Caller,
  dataDir: string,
): Promise<OpenUpload> {
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const response = server.app.fetch(
    new Request(`${ORIGIN}/api/v2/attachments`, {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${caller.secret}`,
        "Content-Type": "text/plain",
        "X-Filename": "letter.txt",
      },
      body: readable,
    }),
  );
  const encoder = new TextEncoder();
  await writer.write(encoder.encode("the first half, "));
  await waitUntil("the first half is on the disk", () => holdsBytes(`${dataDir}/objects`));
  return {
    response,
    finish: () => {
      const rest = async () => {
        await writer.write(encoder.encode("the second half"));
        await writer.close();
      };
      // `response` reports a lost server.
      rest().catch(() => {});
    },
  };
}

async function holdsBytes(folder: string): Promise<boolean> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory ? await holdsBytes(path) : await isReceived(path, entry.name)) {
      return true;
    }
  }
  return false;
}

async function isReceived(path: string, name: string): Promise<boolean> {
  return name !== "lock" && (await Deno.stat(path)).size > 0;
}

async function isStopping(server: ServerProcess): Promise<boolean> {
  const { status, headers, body } = await server.call("GET", "/api/v2/auth/session");
  if (status !== 503) return false;
  assertEquals(body.error.code, "HTTP_503");
  assertEquals(headers.get("Retry-After"), "1");
  return true;
}

Deno.test("SIGTERM completes running requests, rejects others, and exits 0, also if it comes again", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  const METRICS_TOKEN = "a-token-that-only-tests-know";
  let attachment: { attachmentId: string };
  {
    await using server = await startServer({ ...place.env, METRICS_TOKEN });
    const caller = callerOf(server.app, owner);
    const probe = async (path: string) => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      const { status, text } = await server.call("GET", path, { headers });
      return { status, text };
    };
    assertEquals(await probe("/readyz"), { status: 200, text: "ready\n" });
    const upload = await beginUpload(server, caller, place.dataDir);
    server.kill("SIGTERM");
    // As by a terminal and a supervisor.
    server.kill("SIGINT");
    await waitUntil("new requests are refused", () => isStopping(server));
    server.kill("SIGTERM");
    assertEquals((await probe("/readyz")).status, 503);
    assertEquals(await probe("/healthz"), { status: 200, text: "ok\n" });
    const { status, text } = await probe("/metrics");
    assertEquals(status, 200);
    assertMatch(text, /^http_requests_in_flight 1$/m);
    assertMatch(text, /^process_resident_memory_bytes [1-9]\d+$/m);
    upload.finish();
    const response = await upload.response;
    assertEquals(response.status, 201);
    attachment = (await response.json()).data;
    const { code, signal } = await server.ended;
    assertEquals({ code, signal }, { code: 0, signal: null });
  }
  await using again = await place.serve();
  const path = `/api/v2/attachments/${attachment.attachmentId}/content`;
  const content = await callerOf(again.app, owner).call("GET", path);
  assertEquals([content.status, content.text], [200, "the first half, the second half"]);
});

Deno.test("SIGHUP stops the service as SIGTERM does", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  server.kill("SIGHUP");
  const { code, signal } = await server.ended;
  assertEquals({ code, signal }, { code: 0, signal: null });
});

Deno.test({
  name: "SIGHUP does not stop a service that nohup started from a terminal",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using place = await createInstallation();
    // As nohup leaves the standard input of a terminal.
    await using server = await startServer(place.env, { stdin: "unreadable" });
    server.kill("SIGHUP");
    const { status } = await server.call("GET", "/healthz");
    server.kill("SIGTERM");
    assertEquals([status, (await server.ended).code], [200, 0]);
  },
});

Deno.test("SIGTERM exits 0 after ten seconds, even if a request never ends", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  await using server = await startServer(place.env);
  const upload = await beginUpload(server, callerOf(server.app, owner), place.dataDir);
  const cutOff = assertRejects(() => upload.response);
  server.kill("SIGTERM");
  const { code, signal } = await server.ended;
  assertEquals({ code, signal }, { code: 0, signal: null });
  await cutOff;
});

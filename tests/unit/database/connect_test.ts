import { assertEquals, assertThrows } from "@std/assert";
import type postgres from "postgres";
import { createConnect } from "../../../src/database/connect.ts";
import { waitUntil } from "../../support/wait.ts";
import { SilentServer } from "./silent_server.ts";

const STATEMENTS = ["select 'first'", "select 'second'"];

interface Opened {
  readonly client: postgres.Sql;
  readonly server: SilentServer;
  /** Received statements. */
  readonly sent: () => string[];
  readonly outcomes: Promise<PromiseSettledResult<unknown>[]>;
}

/** Has sent its settings, with more pending. */
async function openClient(): Promise<Opened> {
  const url = "postgres://someone:secret@silence/none?sslmode=disable";
  const connect = createConnect(url, "reading", { settle: "statement" });
  const server = new SilentServer();
  // The driver accepts a socket, which its types do not name.
  const options = { max: 1, socket: () => server };
  const client = connect(options);
  const outcomes = Promise.allSettled(STATEMENTS.map((text) => client.unsafe(text).execute()));
  const decoder = new TextDecoder("latin1");
  const received = () => server.received.map((part) => decoder.decode(part)).join("");
  await waitUntil("the settings are sent", () => received().includes("set lock_timeout"));
  await turns();
  return {
    client,
    server,
    outcomes,
    sent: () => STATEMENTS.filter((text) => received().includes(text)),
  };
}

/** The driver writes once per turn of the event loop. */
async function turns(): Promise<void> {
  for (const _ of [1, 2, 3]) await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("Statements wait until the settings before them are answered", async () => {
  const { client, server, sent, outcomes } = await openClient();
  assertEquals(sent(), []);
  server.answer();
  await waitUntil("both are sent", () => sent().length === STATEMENTS.length);
  await client.end({ timeout: 0 });
  await outcomes;
});

Deno.test("If settings before statements are rejected, the statements fail unsent", async () => {
  const { client, server, sent, outcomes } = await openClient();
  server.refuse();
  const late = client.unsafe("select 'third'").execute();
  for (const outcome of [...await outcomes, ...await Promise.allSettled([late])]) {
    assertEquals(outcome.status === "rejected" && outcome.reason.code, "22023");
  }
  await turns();
  assertEquals(sent(), []);
  await client.end({ timeout: 0 });
});

Deno.test({
  name: "A socket that the program may not use fails before anything connects, with its path",
  permissions: { env: "inherit", read: ["/srv/prs"], write: ["/srv/prs"] },
  fn() {
    const url = (folder: string) => `postgres://prs@${encodeURIComponent(folder)}/prs`;
    const file = "/run/postgresql/.s.PGSQL.5432";
    assertThrows(
      () => createConnect(url("/run/postgresql"), "reading")({}),
      Deno.errors.NotCapable,
      `"${file}"`,
    );
    createConnect(url("/srv/prs"), "reading")({});
  },
});

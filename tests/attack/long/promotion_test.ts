// engines: both
/**
 * The README's "Two servers": a primary with a synchronous standby, which is promoted under load.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Cluster, startCluster } from "../../../scripts/postgres_cluster.ts";
import { section } from "../../support/chapters.ts";
import { createInstallation } from "../../support/installation.ts";
import { failStart, startServer } from "../../support/server_process.ts";
import { waitUntil } from "../../support/wait.ts";
import { type Caller, ENGINE, type TestResponse } from "../../support/world.ts";

const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};
const WRITERS = 4;
/** How many writes are acknowledged before the primary is lost, and again after the promotion. */
const WRITES = 60;

/** A primary and a standby that has every commit before it is acknowledged. */
interface Pair extends AsyncDisposable {
  readonly primary: Cluster;
  readonly standby: Cluster;
  promote(): Promise<string>;
}

async function startPair(): Promise<Pair> {
  await using opened = new AsyncDisposableStack();
  const start = async (options: Parameters<typeof startCluster>[0]) => {
    const cluster = await startCluster({ durable: true, ...options });
    assert(cluster !== null);
    opened.defer(() => cluster.stop());
    return cluster;
  };
  const primary = await start({ settings: { synchronous_standby_names: "standby" } });
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  const standby = await start({
    fill: ({ call }, data) =>
      call("pg_basebackup", "-D", data, "-R", "-X", "stream", "-c", "fast", "-d", source),
  });
  const running = opened.move();
  return {
    primary,
    standby,
    promote: () => standby.call("pg_ctl", "promote", "-w", "-D", `${standby.folder}/data`),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The chapter's URL, for two servers on this machine, which have no certificates. */
function exampleFor({ primary, standby }: Pair): string {
  let [url = ""] = /postgres:\/\/\S+/.exec(section("src/database/README.md", "Two servers")) ?? [];
  const changes: [RegExp, string][] = [
    [/prs@one\.example/, `postgres@127.0.0.1:${primary.port}`],
    [/two\.example/, `127.0.0.1:${standby.port}`],
    [/\/prs\?/, "/postgres?"],
    [/sslmode=verify-full/, "sslmode=disable"],
  ];
  for (const [found, change] of changes) {
    assertMatch(url, found);
    url = url.replace(found, change);
  }
  return url;
}

/** Writes one record after another under keys, each again until it is acknowledged. */
class Writers {
  readonly acknowledged = new Map<string, TestResponse>();
  readonly failures: TestResponse[] = [];
  readonly #done: Promise<unknown>;
  #stopped = false;

  constructor(owner: Caller) {
    this.#done = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => this.#run(owner, index)),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(owner: Caller, writer: number): Promise<void> {
    for (let count = 0; !this.#stopped; count++) {
      const key = `writer-${writer}-${count}`;
      const send = () => owner.call("POST", RECORDS, { key, body: PROMISE });
      let response = await send();
      while (response.status !== 201) {
        this.failures.push(response);
        await new Promise((resolve) => setTimeout(resolve, 50));
        response = await send();
      }
      this.acknowledged.set(key, response);
    }
  }
}

Deno.test({
  name: "No acknowledged write is lost when the standby takes over under load",
  ignore: ENGINE !== "postgres",
  async fn() {
    await using pair = await startPair();
    await using place = await createInstallation({ untouched: true });
    const { ALLOW_UNSAFE_DATABASE: _, ...base } = place.env;
    const env = { ...base, DATABASE_URL: exampleFor(pair) };
    const alone = await failStart({ ...env, DATABASE_URL: pair.standby.url });
    assertEquals(alone.code, 1, alone.stderr);
    assertStringIncludes(
      alone.stderr,
      "DATABASE_URL points to a standby, which does not accept writes",
    );

    await using service = await startServer(env);
    const owner = await service.setUp();
    const writers = new Writers(owner);
    await waitUntil("they write", () => writers.acknowledged.size >= WRITES);
    await pair.primary.crash();
    await waitUntil("they fail", () => writers.failures.length >= WRITERS);
    await pair.promote();
    const before = writers.acknowledged.size;
    await waitUntil("they write again", () => writers.acknowledged.size >= before + WRITES);
    await writers.stop();

    const kinds = new Set(
      writers.failures.map(({ status, body }) => `${status} ${body.error.code}`),
    );
    assertEquals([...kinds], ["503 HTTP_503"]);
    for (const [key, { body }] of writers.acknowledged) {
      const { recordId } = body.data;
      assertEquals((await owner.call("GET", `${RECORDS}/${recordId}`)).status, 200, key);
      const again = await owner.call("POST", RECORDS, { key, body: PROMISE });
      assertEquals([again.status, again.body.data], [201, body.data], again.text);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    }
    const count = ["-Atc", "select count(*) from records", pair.standby.url];
    const records = await pair.standby.call("psql", ...count);
    assertEquals(Number(records), writers.acknowledged.size);

    // Another parameter that requires a writable server has the same effect.
    const DATABASE_URL = `${env.DATABASE_URL}&target_session_attrs=read-write`;
    await using second = await startServer({ ...env, DATABASE_URL });
    assertEquals((await second.call("GET", "/readyz")).status, 200);
  },
});

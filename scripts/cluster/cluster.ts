/**
 * `deno task test:cluster`: the cluster of scripts/cluster/README.md on this machine, under eight
 * writers, while its leader is killed, stopped, frozen and replaced, a service is killed, and etcd
 * restarts. Afterwards compares everything that was acknowledged, and kills the leader during
 * an upload and a download.
 *
 * `--rounds 20` (in all), `--only kill-leader,…` (`KINDS` in `options.ts`), `--seed 1`. Does
 * nothing but report if a program is not installed.
 *
 * @module
 */

import { OptionError } from "../../tests/support/option_error.ts";
import { freePort } from "../../tests/support/ports.ts";
import { seededRandom } from "../../tests/support/random.ts";
import { runTask } from "../../tests/support/task_process.ts";
import { type Caller, callerOf, ORIGIN } from "../../tests/support/world.ts";
import { type Place, SERVICE_MACHINES, serviceSettings } from "./configuration.ts";
import { FAULTS } from "./faults.ts";
import { Follower } from "./follower.ts";
import { Cluster } from "./machines.ts";
import { type DrillOptions, planRounds, readOptions } from "./options.ts";
import { findAll, type Programs } from "./programs.ts";
import { outageLines, refusalLines, type Round } from "./report.ts";
import { drillTransfers } from "./transfers.ts";
import { verify } from "./verification.ts";
import { Writers } from "./writers.ts";
import { print } from "../print.ts";

const WRITERS = 8;
/** A client then repeats its request. */
const CLIENT_TIMEOUT_MS = 30_000;

if (import.meta.main) await main();

async function main(): Promise<void> {
  const options = readArguments();
  const programs = await findAll();
  if (!("etcd" in programs)) return print(`Skipped: ${programs.join(", ")} not installed`);
  const folder = await Deno.makeTempDir({ prefix: "prs-cluster-" });
  try {
    await drill(options, programs, await makePlace(folder, programs));
  } catch (error) {
    print(`FAILED, with seed ${options.seed}; the logs are in ${folder}`);
    throw error;
  }
  await Deno.remove(folder, { recursive: true });
}

function readArguments(): DrillOptions {
  try {
    return readOptions(Deno.args);
  } catch (error) {
    if (!(error instanceof OptionError || error instanceof TypeError)) throw error;
    print(error.message);
    Deno.exit(2);
  }
}

async function makePlace(folder: string, { postgres }: Programs): Promise<Place> {
  await Deno.chmod(folder, 0o755);
  if (Deno.uid() === 0) await new Deno.Command("chown", { args: ["postgres", folder] }).output();
  const ports = new Map<string, number>();
  const portOf = (machine: number, port: number) => {
    const place = `${machine}:${port}`;
    const known = ports.get(place) ?? freePort();
    ports.set(place, known);
    return known;
  };
  return { folder, programs: postgres, portOf };
}

async function drill(options: DrillOptions, programs: Programs, place: Place): Promise<void> {
  const random = seededRandom(options.seed);
  await using cluster = new Cluster(place, programs);
  await cluster.start();
  const caller = await signIn(cluster);
  print("The cluster serves");
  const writers = new Writers(caller, WRITERS, options.seed);
  const follower = new Follower(caller);
  await writers.untilServed();
  const rounds: Round[] = [];
  for (const kind of planRounds(options)) {
    const since = performance.now();
    const mend = await FAULTS[kind](cluster, random);
    await writers.untilServed();
    await mend();
    await cluster.untilHealthy();
    await writers.untilServed();
    rounds.push({ kind, outages: writers.outages(since) });
    print(`${rounds.length}. ${outageLines(rounds.slice(-1)).at(-1)}`);
  }
  await writers.stop();
  const leader = await cluster.leader() ?? 0;
  const leaderUrl = cluster.databaseUrl.replace(
    /@[^/]+\/(\w+)\?.*/,
    `@127.0.0.1:${place.portOf(leader, 5432)}/$1`,
  );
  await verify({ writers, follower, caller, leaderUrl });
  const transfers = await drillTransfers(cluster, caller, random);
  await verifyAudit(place);
  const acknowledged = writers.writes.flat().length;
  print(outageLines(rounds).join("\n"));
  print(`Before they were acknowledged:\n${refusalLines(writers.refusals).join("\n")}`);
  print(`${acknowledged} writes were acknowledged; each is there once and replays`);
  print(transfers);
}

/** Makes the account, and returns it as the proxy's client. */
async function signIn(cluster: Cluster): Promise<Caller> {
  const service = cluster.services.get(SERVICE_MACHINES[1]);
  if (service === undefined) throw new Error("There is no service");
  const app = {
    fetch: (request: Request) =>
      fetch(
        new Request(request.url.replace(ORIGIN, cluster.origin), {
          method: request.method,
          headers: request.headers,
          body: request.body,
          signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
        }),
      ),
  };
  return callerOf(app, await service.setUp());
}

/** The audit trail's seals are valid. */
async function verifyAudit(place: Place): Promise<void> {
  const env = serviceSettings(place, SERVICE_MACHINES[0]);
  const { code, stdout, stderr } = await runTask(env, "audit:verify", []);
  if (code !== 0) throw new Error(`The audit trail does not hold: ${stdout}${stderr}`);
}

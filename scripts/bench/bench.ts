/**
 * `deno task bench`: the service's speed next to the fastest possible rate of each operation,
 * measured in the same rounds on the same machine.
 *
 * `--rounds 5`, `--seconds 2` (each measurement), `--connections 1,16`, `--only create,get`,
 * `--embedded` (the built-in engine), `--json data/bench.json` (the figures). `DATABASE_URL` names
 * a server, on which it makes two databases.
 *
 * @module
 */

import { dirname } from "node:path";
import { OptionError } from "../../tests/support/option_error.ts";
import { startConstantProcess } from "./constant_process.ts";
import { LoadProcess } from "./load.ts";
import { planMeasurements, type Subjects } from "./measurements.ts";
import { prepareOperations } from "./operations.ts";
import { type BenchOptions, readOptions } from "./options.ts";
import { measureReference, prepareReference } from "./reference.ts";
import { type Report, toRows } from "./report.ts";
import { reportLines } from "./report_lines.ts";
import { type Measured, measureRounds } from "./rounds.ts";
import { type BenchServer, openServer } from "./server.ts";
import { residentMegabytes, startServiceProcess } from "./service_process.ts";
import { prepareSimulation } from "./simulating.ts";
import { printProgress } from "./progress.ts";
import { print } from "../print.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Stops started processes on exit.
  Deno.addSignalListener(signal, () => interruption.abort());
}
Deno.exit(await main());

/** Returns 1 if a response was wrong or nothing could be measured. */
async function main(): Promise<number> {
  try {
    const options = readOptions(Deno.args);
    const report = await bench(options);
    print(reportLines(report).join("\n"));
    await writeJson(options.json, report);
    return report.rows.some(({ errors }) => errors > 0) ? 1 : 0;
  } catch (error) {
    if (interruption.signal.aborted) return 130;
    if (!(error instanceof OptionError)) throw error;
    printProgress(error.message);
    return 1;
  }
}

async function bench(options: BenchOptions): Promise<Report> {
  await using opened = new AsyncDisposableStack();
  const dataDir = opened.adopt(
    await Deno.makeTempDir({ prefix: "prs-bench-" }),
    (folder) => Deno.remove(folder, { recursive: true }),
  );
  const server = await openServer(Deno.env.get("DATABASE_URL") || null);
  if (server !== null) opened.use(server);
  else if (!options.embedded) throw new Error("PostgreSQL, with pgbench, is not installed");

  const databaseUrl = options.embedded ? null : server?.serviceUrl ?? null;
  const service = opened.use(await startServiceProcess({ databaseUrl, dataDir }));
  const load = opened.use(new LoadProcess());
  const idle = await residentMegabytes(service.pid);
  printProgress("Seeding …");
  const { operations, example } = await prepareOperations(service, load);
  const constant = opened.use(await startConstantProcess(JSON.stringify({ data: example })));
  if (server !== null) await prepareReference(server.referenceUrl);
  await server?.vacuum();

  const subjects: Subjects = {
    load,
    operations,
    servicePort: service.port,
    constantPort: constant.port,
    simulation: await prepareSimulation(service),
    beside: opened.use(new LoadProcess()),
    reference: server && ((...what) => measureReference(server, ...what)),
  };
  const measured = await measure(subjects, options, server);
  return {
    rows: toRows(measured, !options.embedded),
    measured,
    options,
    server: server?.version ?? null,
    memory: { idle, after: await residentMegabytes(service.pid) },
    machine: {
      cores: navigator.hardwareConcurrency,
      deno: Deno.version.deno,
      target: Deno.build.target,
    },
  };
}

async function measure(
  subjects: Subjects,
  options: BenchOptions,
  server: BenchServer | null,
): Promise<Measured[]> {
  const plan = planMeasurements(subjects, options);
  return await measureRounds(plan, options.rounds, interruption.signal, async (round) => {
    printProgress(`Round ${round + 1} of ${options.rounds}`);
    await server?.checkpoint();
  });
}

async function writeJson(path: string, report: Report): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(path, JSON.stringify(report, null, 2) + "\n");
  printProgress(`The figures of every round are in ${path}`);
}

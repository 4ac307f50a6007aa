/** The service's statements, run by `pgbench`: their cost without the service. */

import type { RequestTemplate } from "./load.ts";
import { type Prepared, SEEDED_PATH } from "./operations.ts";
import { runPgbench } from "./pgbench.ts";
import { LIMITED, type Limited } from "./reference.ts";
import { type BenchServer, runStatements } from "./server.ts";
import { type ServiceProcess, startServiceProcess } from "./service_process.ts";
import { type Script, TARGET_TABLE, toScript, type WireCall } from "./statement_script.ts";
import { openWireTap, type WireTap } from "./wire_tap.ts";

export interface OwnStatements {
  readonly scripts: Map<Limited, Script>;
  /** Why an operation has no rate. */
  readonly problems: string[];
}

/** Later records begin no full page. */
const LAST_RECORDS = 100;
/** The credential look-up is not part of an operation. */
const CREDENTIAL_TABLES = /\b(accounts|sessions|tokens)\b/;
/** Until every connection has prepared its statements. */
const CALLS_BEFORE = 3;

/** Captures statements from a second service process. */
export async function takeStatements(
  { serviceUrl }: BenchServer,
  { operations, ids }: Prepared,
  dataDir: string,
): Promise<OwnStatements> {
  const targets = ids.slice(0, -LAST_RECORDS);
  await makeTargets(serviceUrl, targets);
  using tap = openWireTap(serviceUrl);
  await using service = await startServiceProcess({ databaseUrl: tap.url, dataDir });
  const own: OwnStatements = { scripts: new Map(), problems: [] };
  for (const name of LIMITED) {
    try {
      const calls = await takeTwoCalls(tap, service, operations[name], ids);
      own.scripts.set(name, toScript(...calls, targets.length));
    } catch (error) {
      own.problems.push(`${name}: ${error}`);
    }
  }
  return own;
}

/** Null without statements. */
export async function measureStatements(
  { programs, serviceUrl }: BenchServer,
  { scripts, problems }: OwnStatements,
  operation: Limited,
  connections: number,
  seconds: number,
): Promise<number | null> {
  const found = scripts.get(operation);
  if (found === undefined) return null;
  const { text, variables, settings } = found;
  const script = await Deno.makeTempFile({ prefix: "prs-bench-", suffix: ".sql" });
  try {
    await Deno.writeTextFile(script, text);
    const job = { programs, databaseUrl: serviceUrl, script, connections, seconds };
    return await runPgbench({ ...job, variables, settings });
  } catch (error) {
    scripts.delete(operation);
    problems.push(`${operation}: ${error}`);
    return null;
  } finally {
    await Deno.remove(script);
  }
}

async function makeTargets(serviceUrl: string, ids: readonly string[]): Promise<void> {
  await runStatements(serviceUrl, [
    `create table ${TARGET_TABLE} (number integer primary key, record_id text collate "C" not null)`,
    `insert into ${TARGET_TABLE} (number, record_id) select number, id
       from unnest(string_to_array('${ids.join()}', ',')) with ordinality as made (id, number)`,
  ]);
}

async function takeTwoCalls(
  tap: WireTap,
  service: ServiceProcess,
  template: RequestTemplate,
  [first = "", second = ""]: readonly string[],
): Promise<[WireCall, WireCall]> {
  // Different revisions identify the revision's parameter.
  for (let call = 0; call < CALLS_BEFORE; call++) await ask(service, template, first);
  return [
    await takeCall(tap, service, template, first),
    await takeCall(tap, service, template, second),
  ];
}

async function takeCall(
  tap: WireTap,
  service: ServiceProcess,
  template: RequestTemplate,
  value: string,
): Promise<WireCall> {
  const target = template.values === undefined ? null : value;
  const path = `${SEEDED_PATH}/${target}`;
  const revision = target === null ? null : (await service.call("GET", path)).revision;
  let key: string | null = null;
  const statements = await tap.during(async () => {
    key = await ask(service, template, value);
  });
  const own = statements.filter(({ text }) => !CREDENTIAL_TABLES.test(text));
  return { statements: own, target, revision, key };
}

/** Returns the key. */
async function ask(
  { port }: ServiceProcess,
  template: RequestTemplate,
  value: string,
): Promise<string | null> {
  const serial = String(asked++).padStart(12, "0");
  const write = (text: string) => text.replace("{value}", value).replace("{serial}", serial);
  const headers = new Headers({ "Content-Type": "application/json" });
  for (const [name, text] of Object.entries(template.headers ?? {})) headers.set(name, write(text));
  const response = await fetch(`http://127.0.0.1:${port}${write(template.path)}`, {
    method: template.method,
    headers,
    body: template.body === undefined ? null : write(template.body),
  });
  const text = await response.text();
  if (response.status !== template.status) throw new Error(`A request was refused: ${text}`);
  return headers.get("Idempotency-Key");
}

// Not reached by loads.
let asked = 900_000_000_000;

/**
 * `deno task bench:idle`: the memory of the service on the built-in engine without records, and
 * after 10,000 creates and a minute of rest, in new processes in turn. A folder as the argument is
 * another checkout, which is measured in the same rounds; the ratio is ours to its.
 *
 * `--creates`, `--seconds` of rest, `--rounds`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { PROJECT } from "../../tests/support/server_process.ts";
import { print } from "../print.ts";
import { type Checkout, openCheckout } from "./checkout.ts";
import { CREATED_PATH, TIMELINE } from "./operations.ts";
import { processorMilliseconds, residentMegabytes } from "./service_process.ts";
import { median } from "./statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    creates: { type: "string", default: "10000" },
    seconds: { type: "string", default: "60" },
    rounds: { type: "string", default: "5" },
  },
});
const SECONDS_BEFORE = 5;

/** Megabytes, and the processor time of all creates. */
interface Memory {
  readonly empty: number;
  readonly full: number;
  readonly seconds: number;
}

function rest(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

async function measure({ startServiceProcess }: Checkout): Promise<Memory> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "prs-idle-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const service = opened.use(await startServiceProcess({ databaseUrl: null, dataDir }));
  await rest(SECONDS_BEFORE);
  const empty = await residentMegabytes(service.pid);
  const before = await processorMilliseconds(service.pid);
  for (let index = 0; index < Number(values.creates); index++) {
    await service.call("POST", CREATED_PATH, { title: `Record ${index}`, payload: TIMELINE });
  }
  const seconds = (await processorMilliseconds(service.pid) - before) / 1000;
  await rest(Number(values.seconds));
  return { empty, full: await residentMegabytes(service.pid), seconds };
}

function inWords(folder: string, { empty, full, seconds }: Memory): string {
  return `${folder}: ${empty.toFixed(0)} MB, after the creates ${full.toFixed(0)} MB ` +
    `(${seconds.toFixed(1)} s of processor time)`;
}

const checkouts = await Promise.all([PROJECT, ...positionals].map(openCheckout));
const measured = checkouts.map((): Memory[] => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [index, checkout] of checkouts.entries()) {
    const memory = await measure(checkout);
    measured[index]?.push(memory);
    print(inWords(checkout.folder, memory));
  }
}
print("medians:");
const medians = measured.map((each): Memory => ({
  empty: median(each.map(({ empty }) => empty)),
  full: median(each.map(({ full }) => full)),
  seconds: median(each.map(({ seconds }) => seconds)),
}));
const [ours] = medians;
for (const [index, memory] of medians.entries()) {
  print(inWords(checkouts[index]?.folder ?? "", memory));
  if (ours === undefined || index === 0) continue;
  print(
    `ratio: ${(ours.empty / memory.empty).toFixed(2)}, ${(ours.full / memory.full).toFixed(2)}`,
  );
}

import type { LoadProcess, RequestTemplate } from "./load.ts";
import type { Operations } from "./operations.ts";
import type { BenchOptions, RowName } from "./options.ts";
import { LIMITED, type Limited } from "./reference.ts";
import type { Measurement, Sample } from "./rounds.ts";

const WARM_UP_SECONDS = 0.3;

export interface Subjects {
  readonly load: LoadProcess;
  readonly servicePort: number;
  readonly operations: Operations;
  readonly constantPort: number;
  /** Keeps the service computing, sent by its own process. */
  readonly simulation: RequestTemplate;
  readonly beside: LoadProcess;
  /** Null without a server. */
  readonly reference: Rate | null;
}

/** Measures how often an operation's statement on bare tables runs per second. */
type Rate = (operation: Limited, connections: number, seconds: number) => Promise<number>;

/** Keeps the order. */
export function planMeasurements(subjects: Subjects, options: BenchOptions): Measurement[] {
  return options.connections.flatMap((connections) =>
    options.rows.map((row) => ({
      row,
      connections,
      parts: planParts(subjects, row, connections, options.seconds),
    }))
  );
}

const SIMULATING = { "create-simulating": "create", "get-simulating": "get" } as const;

function planParts(
  subjects: Subjects,
  row: RowName,
  connections: number,
  seconds: number,
): Measurement["parts"] {
  const { load, servicePort, operations, constantPort, reference } = subjects;
  const loaded = (port: number, template: RequestTemplate) => () =>
    load.run({ port, connections, template, seconds, warmUpSeconds: WARM_UP_SECONDS });
  if (row === "constant") {
    return { subject: loaded(constantPort, { method: "GET", path: "/", status: 200 }) };
  }
  if (row === "create-simulating" || row === "get-simulating") {
    const limit = loaded(servicePort, operations[SIMULATING[row]]);
    return { subject: () => whileSimulating(subjects, limit, seconds), limit };
  }
  const subject = loaded(servicePort, operations[row]);
  if (row === "deep-page") {
    return { subject, limit: loaded(servicePort, operations["first-page"]) };
  }
  const limited = LIMITED.find((name) => name === row);
  if (limited === undefined || reference === null) return { subject };
  const limit = async () => rateOnly(await reference(limited, connections, seconds));
  return { subject, limit };
}

/** One simulation after another, without a pause. */
async function whileSimulating(
  { beside, servicePort: port, simulation: template }: Subjects,
  measure: () => Promise<Sample>,
  seconds: number,
): Promise<Sample> {
  const [sample, simulated] = await Promise.all([
    measure(),
    beside.run({ port, connections: 1, template, seconds, warmUpSeconds: WARM_UP_SECONDS }),
  ]);
  return {
    ...sample,
    errors: sample.errors + simulated.errors,
    firstError: sample.firstError ?? simulated.firstError,
  };
}

function rateOnly(rate: number): Sample {
  return { rate, p50: null, p99: null, errors: 0, firstError: null };
}

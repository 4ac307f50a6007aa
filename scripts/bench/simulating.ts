/** The largest accepted simulation, to run during measurements. */

import type { RequestTemplate } from "./load.ts";
import type { ServiceProcess } from "./service_process.ts";

const DECISIONS = "/api/v2/decision/decisions";
const RUNS = 100_000;
/** One factor each: five million draws. */
const OPTIONS = Array.from({ length: 50 }, (_, index) => `Option ${index + 1}`);

export async function prepareSimulation(service: ServiceProcess): Promise<RequestTemplate> {
  const { decisionId } = await service.call("POST", DECISIONS, {
    question: "Which of them all?",
    options: { items: OPTIONS },
  });
  // The slowest factor.
  const factor = {
    name: "Worth",
    weight: 1,
    distribution: "NORMAL",
    mean: 0,
    standardDeviation: 1,
  };
  const options = OPTIONS.map((option) => ({ option, factors: [factor] }));
  return {
    method: "POST",
    path: `${DECISIONS}/${decisionId}/simulations`,
    headers: { ...service.headers, "Idempotency-Key": `${crypto.randomUUID()}-{serial}` },
    body: JSON.stringify({ seed: 42, runs: RUNS, options }),
    status: 201,
  };
}

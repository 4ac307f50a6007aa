/** The largest simulation that the service accepts, run while other requests are measured. */

import type { RequestTemplate } from "./load.ts";
import type { ServiceProcess } from "./service_process.ts";

const DECISIONS = "/api/v2/decision/decisions";
const RUNS = 100_000;
/** With one factor each, five million draws in all. */
const OPTIONS = Array.from({ length: 50 }, (_, index) => `Option ${index + 1}`);

/** Makes a decision, and a request that simulates it. */
export async function prepareSimulation(service: ServiceProcess): Promise<RequestTemplate> {
  const { decisionId } = await service.call("POST", DECISIONS, {
    question: "Which of them all?",
    options: { items: OPTIONS },
  });
  // A normal distribution is the slowest factor.
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

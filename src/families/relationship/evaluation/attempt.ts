import type { Clock } from "../../../core/clock.ts";
import type { Timer } from "../../../core/timer.ts";
import type { EvaluationMetrics } from "../../../operator/metrics/evaluation_metrics.ts";
import type { LeasedProposal } from "../lease_store.ts";
import type { Answer, AttemptResult } from "../evaluation_work.ts";
import type { ProviderInput } from "../sources.ts";
import type { ProposalQueue } from "./proposal_queue.ts";
import { type EvaluationProvider, ProviderError, type ProviderFailure } from "./provider.ts";

/** Interval of lease extensions. */
const HEARTBEAT_MS = 15_000;

const PROVIDER_TIMEOUT_MS = 45_000;

export interface AttemptServices {
  readonly proposals: ProposalQueue;
  readonly provider: EvaluationProvider;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly metrics: EvaluationMetrics;
}

type Cut = "STOPPED" | "LOST" | "TIMEOUT";

/** STOPPED: the lease was returned, and the attempt does not count. */
export type AttemptOutcome = AttemptResult | "FAILED" | "STOPPED";

/**
 * @param stopping Aborts the attempt.
 * @throws errors of the database; the lease then expires.
 */
export async function makeAttempt(
  services: AttemptServices,
  leased: LeasedProposal,
  stopping: AbortSignal,
): Promise<AttemptOutcome> {
  const cut = new AbortController();
  // `AbortSignal.any` would keep each attempt in memory as long as `stopping`.
  const stop = () => cut.abort("STOPPED" satisfies Cut);
  stopping.addEventListener("abort", stop);
  if (stopping.aborted) stop();
  const lease = keepLease(services, leased, () => cut.abort("LOST" satisfies Cut));
  try {
    const { proposals, clock } = services;
    const input = await proposals.readInput(leased, clock());
    return typeof input === "string"
      ? input
      : await settle(services, leased, await ask(services, input, cut));
  } finally {
    stopping.removeEventListener("abort", stop);
    await lease.end();
  }
}

/** Extends a lease until it is lost; then calls `lost`. */
function keepLease(
  { proposals, clock, timer }: AttemptServices,
  leased: LeasedProposal,
  lost: () => void,
): { end(): Promise<void> } {
  let extending = Promise.resolve();
  let isEnded = false;
  const extend = async () => {
    // If this fails, the database may respond again before the lease ends.
    const isHeld = await proposals.extend(leased, clock()).catch(() => true);
    if (!isHeld) lost();
    else if (!isEnded) wait();
  };
  let cancel = () => {};
  const wait = () => {
    cancel = timer(HEARTBEAT_MS, () => extending = extend());
  };
  wait();
  return {
    async end() {
      isEnded = true;
      cancel();
      await extending;
    },
  };
}

/** "UNEXPECTED" is an error that no provider should throw. */
type Asked = Answer | { readonly failure: Cut | ProviderFailure | "UNEXPECTED" };

/** Asks the provider until it responds, or `cut` aborts with a `Cut` as the reason. */
async function ask(
  { provider, clock, timer, metrics }: AttemptServices,
  input: ProviderInput,
  cut: AbortController,
): Promise<Asked> {
  const { signal } = cut;
  if (signal.aborted) return { failure: signal.reason };
  const begun = clock();
  const cancel = timer(PROVIDER_TIMEOUT_MS, () => cut.abort("TIMEOUT" satisfies Cut));
  const isCut = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => isCut.reject(signal.reason));
  try {
    // Does not wait for a provider that ignores the abort.
    const candidate = await Promise.race([provider.propose(input, signal), isCut.promise]);
    return { candidate, provider: provider.name, model: provider.model };
  } catch (error) {
    if (signal.aborted) return { failure: signal.reason };
    return { failure: error instanceof ProviderError ? error.failure : "UNEXPECTED" };
  } finally {
    cancel();
    metrics.asked((clock().getTime() - begun.getTime()) / 1_000);
  }
}

async function settle(
  { proposals, clock, metrics }: AttemptServices,
  leased: LeasedProposal,
  asked: Asked,
): Promise<AttemptOutcome> {
  if (!("failure" in asked)) return await proposals.complete(leased, asked, clock());
  const { failure } = asked;
  switch (failure) {
    case "LOST":
      return "LOST";
    case "STOPPED":
      await proposals.giveBack(leased, clock());
      return "STOPPED";
    default:
      metrics.failed(failure);
      await proposals.fail(leased, clock());
      return "FAILED";
  }
}

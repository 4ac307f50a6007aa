/**
 * The evaluation worker: leases waiting proposals one batch at a time, and runs a batch's attempts
 * concurrently. Any number of processes may run one on the same database, which alone decides on
 * leases and their expiry.
 *
 * Requests of its own process wake it. Every five seconds it checks for requests of other
 * processes, retries, and expired leases of dead workers.
 */

import { errorFields, type Log } from "../../../core/log.ts";
import type { LeasedProposal } from "../lease_store.ts";
import { MAX_BATCH } from "../evaluation_work.ts";
import { type AttemptOutcome, type AttemptServices, makeAttempt } from "./attempt.ts";

const POLL_MS = 5_000;

interface WorkerServices extends AttemptServices {
  readonly log: Log;
}

/** A process's worker. It starts when first woken. */
export class EvaluationWorker {
  readonly #services: WorkerServices;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #isWoken = false;
  #cancelPoll: () => void = () => {};

  constructor(services: WorkerServices) {
    this.#services = services;
  }

  /** Looks for waiting proposals now, or after the current batch. */
  wake(): void {
    this.#isWoken = true;
    this.#running ??= this.#run();
  }

  /** Aborts running calls, returns their leases, and stops for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelPoll();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#cancelPoll();
    while (this.#isWoken && !this.#isStopping) {
      this.#isWoken = false;
      // After a full batch, more may be waiting.
      if (await this.#work() === MAX_BATCH) this.#isWoken = true;
    }
    this.#running = null;
    if (!this.#isStopping) {
      this.#cancelPoll = this.#services.timer(POLL_MS, () => this.wake());
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Runs one batch and returns its size. */
  async #work(): Promise<number> {
    const { proposals, clock, log } = this.#services;
    const begun = clock();
    try {
      const batch = await proposals.lease(begun);
      if (batch.length === 0) return 0;
      const outcomes = await Promise.all(batch.map((leased) => this.#attempt(leased)));
      const durationMs = clock().getTime() - begun.getTime();
      log.info("evaluation_batch", { claimed: batch.length, ...countsOf(outcomes), durationMs });
      return batch.length;
    } catch (error) {
      log.error("evaluation_claim_failed", errorFields(error));
      return 0;
    }
  }

  async #attempt(leased: LeasedProposal): Promise<AttemptOutcome> {
    const { metrics, log } = this.#services;
    let outcome: AttemptOutcome;
    try {
      outcome = await makeAttempt(this.#services, leased, this.#stopping.signal);
    } catch (error) {
      log.error("evaluation_attempt_failed", errorFields(error));
      outcome = "LOST";
    }
    metrics.attempted(outcome);
    return outcome;
  }
}

function countsOf(outcomes: readonly AttemptOutcome[]): Readonly<Record<string, number>> {
  const countOf = (name: AttemptOutcome) => outcomes.filter((outcome) => outcome === name).length;
  return {
    ready: countOf("READY"),
    stale: countOf("STALE"),
    failed: countOf("FAILED"),
    lost: countOf("LOST"),
    stopped: countOf("STOPPED"),
  };
}

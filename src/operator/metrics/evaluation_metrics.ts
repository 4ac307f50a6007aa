import { count, countLines, head, Histogram } from "../../core/prometheus_text.ts";

/** Upper bounds of a provider's response time, in seconds; the timeout is 45. */
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45];

/** Labels are the worker's own words, never a provider's. */
export class EvaluationMetrics {
  readonly #attempts = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #durations = new Histogram(BOUNDS);

  attempted(outcome: string): void {
    count(this.#attempts, outcome);
  }

  asked(seconds: number): void {
    this.#durations.observe(seconds);
  }

  failed(reason: string): void {
    count(this.#failures, reason);
  }

  lines(): string[] {
    const [attempts, failures] = [
      "evaluation_attempts_total",
      "evaluation_provider_failures_total",
    ];
    const duration = "evaluation_provider_duration_seconds";
    return [
      ...head(attempts, "counter", "Attempts at proposals of evaluations, by their outcome."),
      ...countLines(attempts, "outcome", this.#attempts),
      ...head(failures, "counter", "Attempts in which the provider gave no evaluation."),
      ...countLines(failures, "reason", this.#failures),
      ...head(
        duration,
        "histogram",
        "Time until the provider responded, or was no longer waited for.",
      ),
      ...this.#durations.samples(duration, ""),
    ];
  }
}

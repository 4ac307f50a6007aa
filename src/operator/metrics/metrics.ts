/**
 * The service's metrics, in Prometheus text format 0.0.4.
 *
 * Labels are only names of the service itself, such as route patterns, methods, statuses and codes,
 * so that no client can add series.
 */

import type { WriteMeter } from "../../command/command.ts";
import { ERROR_CODES, type ErrorCode } from "../../errors/codes.ts";
import type { RequestMeter } from "../../http/pipeline.ts";
import { EvaluationMetrics } from "./evaluation_metrics.ts";
import {
  count,
  countLines,
  type Gauge,
  head,
  Histogram,
  sample,
} from "../../core/prometheus_text.ts";

/** Upper bounds of the duration histogram, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class RouteSeries {
  /** By method, then by status or public code. */
  readonly responses = new Map<string, Map<number | ErrorCode, number>>();
  readonly durations = new Histogram(BOUNDS);
}

/** Counts requests without allocating. */
export class Metrics implements RequestMeter, WriteMeter {
  readonly evaluations = new EvaluationMetrics();
  readonly #routes = new Map<string, RouteSeries>();
  /** Counts of writes by operation. */
  readonly #writes = new Map<string, number>();
  #replays = 0;
  #listenerFailures = 0;

  answered(route: string, method: string, outcome: number | ErrorCode, seconds: number): void {
    let series = this.#routes.get(route);
    if (series === undefined) this.#routes.set(route, series = new RouteSeries());
    let responses = series.responses.get(method);
    if (responses === undefined) series.responses.set(method, responses = new Map());
    responses.set(outcome, (responses.get(outcome) ?? 0) + 1);
    series.durations.observe(seconds);
  }

  replayed(): void {
    this.#replays++;
  }

  written(operation: string): void {
    count(this.#writes, operation);
  }

  /** Counts a failure to accept connections, or to listen on the port again. */
  listenerFailed(): void {
    this.#listenerFailures++;
  }

  /** @param linesLost Lines of the log that could not be written. */
  render(gauges: readonly Gauge[], linesLost: number): string {
    const lines = [
      ...head("http_requests_total", "counter", "Requests answered."),
      ...this.#requestLines(),
      ...head("http_request_duration_seconds", "histogram", "Time until the head of an answer."),
      ...this.#durationLines(),
      ...head("idempotency_replays_total", "counter", "Answers repeated for their key."),
      `idempotency_replays_total ${this.#replays}`,
      ...head("writes_total", "counter", "Writes committed, by what the audit trail calls them."),
      ...countLines("writes_total", "operation", this.#writes),
      ...head("revision_conflicts_total", "counter", "Changes of a revision no longer current."),
      `revision_conflicts_total ${this.#sumOf("REVISION_CONFLICT")}`,
      ...head("listener_failures_total", "counter", "Failures to accept or to listen again."),
      `listener_failures_total ${this.#listenerFailures}`,
      ...head("log_lines_lost_total", "counter", "Lines of the log that could not be written."),
      `log_lines_lost_total ${linesLost}`,
      ...this.evaluations.lines(),
      ...gauges.flatMap(gaugeLines),
    ];
    return lines.join("\n") + "\n";
  }

  #requestLines(): string[] {
    const lines: string[] = [];
    for (const [route, { responses }] of this.#routes) {
      for (const [method, outcomes] of responses) {
        for (const [outcome, count] of outcomes) {
          const labels = `route="${route}",method="${method}",${outcomeLabels(outcome)}`;
          lines.push(`http_requests_total{${labels}} ${count}`);
        }
      }
    }
    return lines;
  }

  #durationLines(): string[] {
    return Array.from(
      this.#routes,
      ([route, { durations }]) =>
        durations.samples("http_request_duration_seconds", `route="${route}"`),
    ).flat();
  }

  #sumOf(outcome: ErrorCode): number {
    let sum = 0;
    for (const { responses } of this.#routes.values()) {
      for (const outcomes of responses.values()) sum += outcomes.get(outcome) ?? 0;
    }
    return sum;
  }
}

/** `code` is always the status; `error` is the public code, empty for a success. */
function outcomeLabels(outcome: number | ErrorCode): string {
  if (typeof outcome === "number") return `code="${outcome}",error=""`;
  return `code="${ERROR_CODES[outcome].status}",error="${outcome}"`;
}

function gaugeLines({ name, help, values }: Gauge): string[] {
  const lines = Object.entries(values).map(([labels, value]) => sample(name, labels, value));
  return [...head(name, "gauge", help), ...lines];
}

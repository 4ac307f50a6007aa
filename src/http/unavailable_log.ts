import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import { reasonOfCode } from "../errors/reasons.ts";
import type { ServiceError } from "../errors/service_error.ts";

const MILLISECONDS_BETWEEN = 1_000;

export type UnavailableLog = (error: ServiceError, requestId: string) => void;

/**
 * Creates a log for outages. It logs the class and code of an `HTTP_503`'s cause, with the reason
 * if known. At most one line per second, because an outage rejects every request for the same
 * reason; `unreported` counts the rejections since the previous line.
 */
export function createUnavailableLog(log: Log, clock: Clock): UnavailableLog {
  let reportedAt = -Infinity;
  let unreported = 0;
  return (refusal, requestId) => {
    const now = clock().getTime();
    // A clock that was set back must not silence the log.
    const since = Math.abs(now - reportedAt);
    if (since < MILLISECONDS_BETWEEN) {
      unreported++;
      return;
    }
    const { error = null, code = null } = errorFields(refusal.cause ?? refusal);
    const reason = typeof code === "string" ? reasonOfCode(code) : null;
    log.warn("unavailable", { requestId, error, code, reason, unreported });
    reportedAt = now;
    unreported = 0;
  };
}

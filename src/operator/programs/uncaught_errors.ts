import { createLog, errorFields } from "../../core/log.ts";

/**
 * Last resort for uncaught errors: prints one line without the message, which may contain a value,
 * and exits with code 1 for the supervisor.
 */
export function endOnUncaughtErrors(): void {
  const end = (event: Event, error: unknown) => {
    event.preventDefault();
    createLog("error").error("uncaught_error", errorFields(error));
    Deno.exit(1);
  };
  addEventListener("error", (event) => end(event, event.error));
  addEventListener("unhandledrejection", (event) => end(event, event.reason));
}

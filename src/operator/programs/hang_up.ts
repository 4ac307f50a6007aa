import { fstatSync } from "node:fs";
import { errorCode } from "../../core/error_code.ts";

/** Linux's number of the device `/dev/null`. */
const NULL_DEVICE = 0x103;

/**
 * True if `nohup` started this process from a terminal: it leaves a standard input that is
 * `/dev/null`, open for writing only. The ignored SIGHUP itself is lost, because Deno sets its own
 * handler before a program runs.
 */
function isUnderNohup(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    // Nothing else is read, which could wait.
    if (fstatSync(0).rdev !== NULL_DEVICE) return false;
    Deno.stdin.readSync(new Uint8Array(1));
    return false;
  } catch (error) {
    return errorCode(error) === "EBADF";
  }
}

/** Signals that end the service. */
export function endingSignals(): readonly Deno.Signal[] {
  const signals: Deno.Signal[] = ["SIGINT", "SIGTERM"];
  return isUnderNohup() ? signals : [...signals, "SIGHUP"];
}

/** Keeps a program running when its terminal closes, if `nohup` started it. */
export function ignoreHangUp(): void {
  if (isUnderNohup()) Deno.addSignalListener("SIGHUP", () => {});
}

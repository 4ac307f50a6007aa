import { writeNote } from "../../core/output.ts";
import type { Report } from "../../core/report.ts";

interface Progress {
  readonly report: Report;
  readonly clear: () => void;
}

/** Rewrites one line of a terminal; writes nothing if the output is not a terminal. */
export function createProgress(): Progress {
  if (!Deno.stderr.isTerminal()) return { report: () => {}, clear: () => {} };
  const show = (text: string) => writeNote(`\r\x1b[K${text}`);
  return { report: show, clear: () => show("") };
}

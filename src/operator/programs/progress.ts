import type { Report } from "../../core/report.ts";

/** Shows the progress of a program. */
export interface Progress {
  readonly report: Report;
  /** Clears the last message. */
  readonly clear: () => void;
}

/** One line of a terminal, rewritten as the work continues; nothing if the output is not a terminal. */
export function createProgress(): Progress {
  if (!Deno.stderr.isTerminal()) return { report: () => {}, clear: () => {} };
  const show = (text: string) =>
    void Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
  return { report: show, clear: () => show("") };
}

import type { Report } from "../../core/report.ts";

/** What tells a person how far a program is. */
export interface Progress {
  readonly report: Report;
  /** Takes away what was told last. */
  readonly clear: () => void;
}

/** One line of a terminal, rewritten as the work goes on; nothing where the output is no terminal. */
export function createProgress(): Progress {
  if (!Deno.stderr.isTerminal()) return { report: () => {}, clear: () => {} };
  const show = (text: string) =>
    void Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
  return { report: show, clear: () => show("") };
}

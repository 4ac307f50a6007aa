import { LineOutput, outputProblem, printNote } from "./output.ts";

/** Levels, from most to least output. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names, codes, numbers, identifiers. Never a body, value or credential. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** No method throws: a line that cannot be written is counted in `linesLost`. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Lines that could not be written since the start. */
  readonly linesLost: number;
}

/**
 * Creates a log that writes `{ at, level, event, ...fields }` from `level` up. The fields exclude
 * objects, so that a driver error or a body cannot be logged by accident. After lost lines, the
 * first line that can be written is `log_lines_lost`, with their number.
 *
 * @param write Writes a line, or throws.
 */
export function createLog(level: LogLevel, write: (line: string) => void = writeLine): Log {
  const output = new LogOutput(write);
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return () => {};
    return (event: string, fields?: LogFields) => output.add(name, event, fields);
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    get linesLost() {
      return output.linesLost;
    },
  };
}

class LogOutput {
  readonly #write: (line: string) => void;
  /** Lost since the last line that was written. */
  #lostLately = 0;
  #linesLost = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  get linesLost(): number {
    return this.#linesLost;
  }

  add(level: LogLevel, event: string, fields: LogFields = {}): void {
    try {
      if (this.#lostLately > 0) {
        this.#write(toLine("warn", "log_lines_lost", { lines: this.#lostLately }));
      }
      this.#lostLately = 0;
      this.#write(toLine(level, event, fields));
    } catch {
      this.#lostLately++;
      this.#linesLost++;
    }
  }
}

function toLine(level: LogLevel, event: string, fields: LogFields): string {
  return JSON.stringify({ at: new Date().toISOString(), level, event, ...fields });
}

const standardOutput = new LineOutput(Deno.stdout);
let isLossReported = false;

/** Reports the first failure on standard error. */
function writeLine(line: string): void {
  try {
    standardOutput.write(line);
  } catch (error) {
    if (!isLossReported) printNote(`The log is lost: ${outputProblem(error)}. ${LOSS}`);
    isLossReported = true;
    throw error;
  }
}

const LOSS = "The service continues without it, and counts its lines in log_lines_lost_total";

/** The loggable part of an error: its class and a machine code, never its message. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const constraint = "constraint_name" in error && typeof error.constraint_name === "string"
    ? error.constraint_name
    : null;
  return { error: error.name, code, constraint };
}

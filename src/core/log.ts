/** Levels, from most to least output. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names, codes, numbers, identifiers. Never a body, value or credential. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/**
 * Creates a log that writes `{ at, level, event, ...fields }` from `level` up. The fields exclude objects,
 * so that a driver error or a body cannot be logged by accident.
 */
export function createLog(level: LogLevel, write: (line: string) => void = writeLine): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return () => {};
    return (event: string, fields: LogFields = {}) =>
      write(JSON.stringify({ at: new Date().toISOString(), level: name, event, ...fields }));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const encoder = new TextEncoder();

function writeLine(line: string): void {
  Deno.stdout.writeSync(encoder.encode(line + "\n"));
}

/** The loggable part of an error: its class and a machine code, never its message. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const constraint = "constraint_name" in error && typeof error.constraint_name === "string"
    ? error.constraint_name
    : null;
  return { error: error.name, code, constraint };
}

import { PLANNER_SETTINGS } from "./planner_settings.ts";

/** Values as in `pg_settings`. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Every setting of a role or database that would change results or end sessions is replaced. */
export const SESSION_SETTINGS: ServerSettings = {
  statement_timeout: "10000",
  lock_timeout: "3000",
  idle_in_transaction_session_timeout: "15000",
  idle_session_timeout: "0",
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  ...PLANNER_SETTINGS,
  // Compilation takes ten milliseconds, more than it saves.
  jit: "off",
  timezone: "UTC",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  // Otherwise numbers are rounded in their text form.
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // The driver reads binary values only in this form.
  bytea_output: "hex",
};

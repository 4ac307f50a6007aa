/**
 * The code of an error of the system, the runtime or a driver, such as `ENOSPC`; empty without one.
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

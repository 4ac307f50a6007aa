/** Why something failed, in words for the operator who reads the log. */

/** By the code of a system call, a SQLSTATE, or a code of the service's own errors. */
const REASONS: Readonly<Record<string, string>> = {
  DISK_NEARLY_FULL: "the disk of DATA_DIR is nearly full",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of the service's user is used up",
  EROFS: "the file system is read-only",
  EMFILE: "the process has as many files open as it may",
  ENFILE: "the machine has as many files open as it may",
  "53100": "the disk of the database is full",
  "53200": "the database is out of memory",
  "53300": "the database server accepts no more connections",
  "58030": "the disk of the database failed",
};

/** The codes of the system's error numbers, which some errors of the runtime carry instead. */
const CODES: Readonly<Record<number, string>> = { 23: "ENFILE", 24: "EMFILE", 28: "ENOSPC" };

/** Returns the reason for a code; null for a code that needs no words. */
export function reasonOfCode(code: string | null): string | null {
  return REASONS[code ?? ""] ?? null;
}

/** Returns the reason for an error number of the system, or null. */
export function reasonOfNumber(number: number | null): string | null {
  return reasonOfCode(CODES[number ?? 0] ?? null);
}

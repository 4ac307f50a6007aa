/** Reasons for failures, for the operator who reads the log. */

/** Reasons by system call code, SQLSTATE, or the service's own code. */
const REASONS: Readonly<Record<string, string>> = {
  DISK_NEARLY_FULL: "the disk of DATA_DIR is nearly full",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of the service's user is used up",
  EROFS: "the file system is read-only",
  EMFILE: "the process has too many open files",
  ENFILE: "the machine has too many open files",
  "53100": "the disk of the database is full",
  "53200": "the database is out of memory",
  "53300": "the database server accepts no more connections",
  "58030": "the disk of the database failed",
};

/** System error numbers, which some runtime errors have instead of a code. */
const CODES: Readonly<Record<number, string>> = { 23: "ENFILE", 24: "EMFILE", 28: "ENOSPC" };

export function reasonOfCode(code: string | null): string | null {
  return REASONS[code ?? ""] ?? null;
}

export function reasonOfNumber(number: number | null): string | null {
  return reasonOfCode(CODES[number ?? 0] ?? null);
}

/** Reasons for failures, for the operator who reads the log. */

/** Reasons by system call code, SQLSTATE, or the service's own code. */
const REASONS: Readonly<Record<string, string>> = {
  DISK_NEARLY_FULL: "the disk of DATA_DIR is nearly full",
  INDEX_INCOMPLETE: "the search index is being built",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of the service's user is used up",
  EROFS: "the file system is read-only",
  EMFILE: "the process has too many open files",
  ENFILE: "the machine has too many open files",
  ECONNREFUSED: "nothing listens at the address of the database server",
  ENOTFOUND: "the host of the database server has no address",
  EAI_AGAIN: "the host of the database server has no address",
  CONNECT_TIMEOUT: "the database server does not answer",
  CONNECTION_LOST:
    "the database server closed the connection, or did not answer for 15 seconds, as while a " +
    "commit waits for a standby",
  NO_FREE_CONNECTION: "all connections to the database were in use",
  "25006": "the database accepts no writes",
  "28000": "the database server does not let the role in",
  "28P01": "the password of the database role is wrong",
  "3D000": "the database does not exist",
  "42501": "the database role lacks a right",
  "53000": "a resource of the database server is used up",
  "57P01": "the database server ended the session",
  "57P03": "the database server is starting, stopping or recovering",
  "53100": "the disk of the database is full",
  "53200": "the database is out of memory",
  "53300": "the database server accepts no more connections",
  // The built-in engine's second try finds the file that its first one made, but could not open.
  "58P02":
    "the database could not open a new file: raise the limit of open files (ulimit -n, LimitNOFILE)",
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

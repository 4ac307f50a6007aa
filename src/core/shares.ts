/**
 * One account's share of each resource, so that no account keeps others from signing in, reading
 * and writing. `SHARES` is the table of README.md, "Fair shares".
 *
 * Sessions and tokens often have separate shares, so that a token cannot prevent its own
 * revocation.
 */

interface Share {
  readonly resource: string;
  readonly account: string;
  /** The part reserved for others. */
  readonly others: string;
  /** The response to a request beyond the share. */
  readonly beyond: string;
}

const LEAST_REQUESTS = 16;

/** The limit for an account's sessions, and again for its tokens, of `most` in all. */
export function requestsOfAccount(most: number): number {
  return Math.max(LEAST_REQUESTS, Math.ceil(most * 3 / 8));
}

/** JSON bodies that are being received, for an account's sessions, and again for its tokens. */
export function bodiesOfAccount(most: number): number {
  return Math.ceil(most / 4);
}

/** Per account: for its sessions, and again for its tokens. */
export const UPLOADS_AT_ONCE = 4;

/** Per account, because shared files are in memory. */
export const CONSOLE_SHARES_AT_ONCE = 1;

/** Per account, on average; as many at once. */
export const THUMBNAILS_PER_MINUTE = 60;

/** The same, or three eighths of `most` places if that is more. */
export function uploadsOfAccount(most: number): number {
  return Math.max(UPLOADS_AT_ONCE, Math.ceil(most * 3 / 8));
}

/** All but one, if there are several. */
export function connectionsOfAccount(size: number): number {
  return Math.max(1, size - 1);
}

/** Limit of each account. */
export const READS_PER_CONNECTION = 4;

/** Per account, in 15 minutes. */
export const STEP_UPS = 20;

/** Per account; the oldest ends for a new one. */
export const SESSIONS = 100;

/** Per account: for its sessions, and again for its tokens. */
export const SEARCHES_AT_ONCE = 2;

/** Per account: for its sessions, and again for its tokens. */
export const COUNTS_AT_ONCE = 2;

/** Per account: for its sessions, and again for its tokens. */
export const SIMULATIONS_WAITING = 8;

/** Per account; further ones wait. */
export const EXPORTS_AT_ONCE = 1;

/** Limit of each account. */
export const EXPORTS_WAITING = 8;

export const IMPORTS_AT_ONCE = 1;

/** An account's planned imports. */
export const PLANNED_IMPORTS = 5;

/** Imports of items that a process works on at once; an account has one of them. */
export const IMPORTS_PER_PROCESS = 2;

/** Every resource that a signed-in account can hold. */
export const SHARES: readonly Share[] = [
  {
    resource: "requests in a minute",
    account: "`RATE_LIMIT_PER_CREDENTIAL` for its sessions, and again for its tokens",
    others: "each account has its own",
    beyond: "429",
  },
  {
    resource: "requests at once",
    account: `3/8 of \`MAX_IN_FLIGHT\` for its sessions, 3/8 for its tokens, or ${LEAST_REQUESTS}`,
    others: "1/4, sign-in included, from 43 places on",
    beyond: "429",
  },
  {
    resource: "JSON bodies that arrive",
    account: "1/4 of `MAX_IN_FLIGHT` for its sessions, 1/4 for its tokens",
    others: "1/2",
    beyond: "429",
  },
  {
    resource: "uploads",
    account:
      `${UPLOADS_AT_ONCE} for its sessions, ${UPLOADS_AT_ONCE} for its tokens; 3/8 and 3/8 ` +
      "of the places while they are checked",
    others: "1/4 of the places, if there are 32 or more",
    beyond: "429",
  },
  {
    resource: "connections to PostgreSQL that write",
    account: "all but one of each pool",
    others: "one of each pool; accounts take turns",
    beyond: "waits, after 5 seconds 503",
  },
  {
    resource: "reads under way on PostgreSQL",
    account: `${READS_PER_CONNECTION} on each connection for reads`,
    others: "they share the same connections",
    beyond: "waits",
  },
  {
    resource: "statements on the built-in engine",
    account: "one operation under way",
    others: "the next one: accounts take turns",
    beyond: "waits",
  },
  {
    resource: "password hashes",
    account: "one under way",
    others: "the other place; accounts take turns, and one with many waiting yields places",
    beyond: "429",
  },
  {
    resource: "step-up proofs",
    account: `${STEP_UPS} in 15 minutes`,
    others: "each account has its own",
    beyond: "429",
  },
  {
    resource: "open sessions",
    account: `${SESSIONS}`,
    others: "each account has its own",
    beyond: "the oldest ends",
  },
  {
    resource: "searches",
    account: `${SEARCHES_AT_ONCE} for its sessions, ${SEARCHES_AT_ONCE} for its tokens`,
    others: "each account has its own; a search yields between results",
    beyond: "429",
  },
  {
    resource: "counts of insight",
    account: `${COUNTS_AT_ONCE} for its sessions, ${COUNTS_AT_ONCE} for its tokens`,
    others: "each account has its own; a count reads in pieces",
    beyond: "429",
  },
  {
    resource: "simulations",
    account: `one computed; ${SIMULATIONS_WAITING} of its sessions wait, ${SIMULATIONS_WAITING} ` +
      "of its tokens",
    others: "accounts take turns, in slices of a millisecond",
    beyond: "429",
  },
  {
    resource: "account exports, Markdown archives",
    account: `${EXPORTS_AT_ONCE} made, ${EXPORTS_WAITING} wait`,
    others: "another connection; on the built-in engine all requests wait for it",
    beyond: "429",
  },
  {
    resource: "files of imports and exports that wait",
    account: "`ACCOUNT_SPOOL_BYTES`; an export that has begun may pass it by its own size",
    others: "each account has its own; a reserve of the disk stays free",
    beyond: "413, an import that is read REFUSED; no export begins, 429",
  },
  {
    resource: "account imports",
    account: `${IMPORTS_AT_ONCE}, checked while it is received`,
    others: "another connection; on the built-in engine all requests wait for its last step",
    beyond: "429",
  },
  {
    resource: "imports of items",
    account: "one at work",
    others: `another place of ${IMPORTS_PER_PROCESS}; requests go between its batches`,
    beyond: "429",
  },
  {
    resource: "memory and processor time of reading a file",
    account: "128 MiB, and 60 s + 1 s per MiB, for each of three tries",
    others: "readers yield every 10 ms",
    beyond: "the import is REFUSED",
  },
  {
    resource: "planned imports",
    account: `${PLANNED_IMPORTS}`,
    others: "each account has its own",
    beyond: "409, until one is run or discarded",
  },
  {
    resource: "bytes of rows, and of their write-ahead log",
    account: "`ACCOUNT_STORAGE_BYTES`",
    others: "each account has its own; a reserve of the disk stays free",
    beyond: "413, or 503 below the reserve",
  },
  {
    resource: "attachments",
    account: "10 GiB and 100,000",
    others: "each account has its own",
    beyond: "413",
  },
  {
    resource: "thumbnails of attachments",
    account: `${THUMBNAILS_PER_MINUTE} in a minute; they are bytes of rows`,
    others: "each account has its own",
    beyond: "429; 413 or 503 as for bytes",
  },
  {
    resource: "words and files that other apps share with the console",
    account: `${CONSOLE_SHARES_AT_ONCE} of at most 17 MiB at once`,
    others: "each account has its own",
    beyond: "429",
  },
  {
    resource: "calls of assistants, and their events",
    account:
      "`ASSISTANT_CALLS_PER_MINUTE` and `_PER_DAY` for each of ten; events are bytes of rows",
    others: "each account has its own",
    beyond: "429; 413 or 503 as for bytes",
  },
  {
    resource: "sign-ins of assistants, and their tokens",
    account: "10 open ones for each of ten assistants; pairs of tokens are bytes of rows",
    others: "each account has its own",
    beyond: "the oldest ends; 503 as for bytes",
  },
  {
    resource: "dates of people",
    account: "none: a page examines at most 5,000 dates of each year, and counts as a read",
    others: "as for reads and writes",
    beyond: "as for reads and writes",
  },
  {
    resource: "pages, exports of families, change feeds, audit entries, seals and their proofs",
    account: "none: each is bounded in size and counts as a read or write",
    others: "as for reads and writes",
    beyond: "as for reads and writes",
  },
  {
    resource: "evaluation proposals",
    account: "none: ten at once for all, oldest first",
    others: "requests do not wait for them",
    beyond: "waits",
  },
  {
    resource: "client connections, responses that are not read",
    account: "none: a connection has no account before its request is read",
    others: "the limits of the proxy",
    beyond: "closed by the proxy",
  },
];

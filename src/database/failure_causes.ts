/** Causes of failures to open a database or to update its schema, with the names of the URL. */

import { errorCode } from "../core/error_code.ts";
import { type DatabaseAddress, socketFile } from "./database_url.ts";
import { databaseFailure } from "./failures.ts";

interface FailureCause {
  /** One sentence. Contains names of roles, databases and hosts, never a password. */
  readonly text: string;
  /** True if a new try cannot succeed before somebody changes something. */
  readonly isPermanent: boolean;
}

/** Describes a failure by its SQLSTATE or code; null if both are unknown. */
export function causeOf(error: unknown, address: DatabaseAddress): FailureCause | null {
  const sqlstate = databaseFailure(error)?.sqlstate;
  const isLackOfLocks = sqlstate === "53200" &&
    String((error as { hint?: unknown }).hint).includes("max_locks_per_transaction");
  if (isLackOfLocks) return forNow("PostgreSQL has no locks left: raise max_locks_per_transaction");
  const code = sqlstate ?? errorCode(error);
  const names = {
    role: `"${address.user}"`,
    database: `"${address.database}"`,
    server: address.hosts.map(describeHost).join(" or "),
  };
  return CAUSES.find(({ codes }) => codes.includes(code))?.cause(names) ?? null;
}

function describeHost({ name, port }: DatabaseAddress["hosts"][number]): string {
  if (name.startsWith("/")) return socketFile({ name, port });
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
}

interface Names {
  readonly role: string;
  readonly database: string;
  readonly server: string;
}

const forGood = (text: string): FailureCause => ({ text, isPermanent: true });
const forNow = (text: string): FailureCause => ({ text, isPermanent: false });

const CHAPTER = "src/database/README.md has the line that creates role and database";

/** By SQLSTATE, or by the code of the system or the driver. */
const CAUSES: readonly {
  readonly codes: readonly string[];
  readonly cause: (names: Names) => FailureCause;
}[] = [
  {
    codes: ["28P01"],
    cause: ({ role }) =>
      forGood(`The password of the role ${role} is wrong, or there is no such role`),
  },
  {
    codes: ["28000"],
    cause: ({ role, database }) =>
      forGood(
        `PostgreSQL does not let the role ${role} into the database ${database}: the role does not ` +
          "exist, may not log in, or no line of pg_hba.conf allows it from here",
      ),
  },
  {
    codes: ["AUTH_TYPE_NOT_IMPLEMENTED", "SASL_SIGNATURE_MISMATCH"],
    cause: () =>
      forGood("PostgreSQL asks for another way to log in: use scram-sha-256 in pg_hba.conf"),
  },
  {
    codes: ["3D000"],
    cause: ({ database }) => forGood(`There is no database ${database}: ${CHAPTER}`),
  },
  {
    codes: ["42501"],
    cause: ({ role, database }) =>
      forGood(
        `The role ${role} may not connect to the database ${database}, create tables in it, or use ` +
          `the tables there: make it the owner of the database`,
      ),
  },
  {
    codes: ["3F000"],
    cause: ({ role, database }) =>
      forGood(
        `No schema in the search_path of the role ${role} exists in the database ${database}: ` +
          "create one, or change search_path",
      ),
  },
  {
    // The table, type, function or schema exists already, or has other columns, or is missing.
    codes: ["42P07", "42710", "42723", "42P06", "42703", "42P01", "42883", "42804", "42809"],
    cause: ({ database }) =>
      forGood(
        `The database ${database} has tables that this service has not made: use an empty database`,
      ),
  },
  {
    codes: ["42704", "22023"],
    cause: () =>
      forGood(
        "PostgreSQL, or a pooler before it, does not accept a setting that the service needs",
      ),
  },
  {
    codes: ["08P01"],
    cause: ({ role, database }) =>
      forGood(
        `A pooler does not know the role ${role} or the database ${database}, or is not one for ` +
          "PostgreSQL",
      ),
  },
  {
    codes: ["53300"],
    cause: ({ role, database }) =>
      forNow(
        "PostgreSQL accepts no more connections: raise max_connections, or the limit of the role " +
          `${role} or of the database ${database}, or lower DATABASE_POOL_SIZE`,
      ),
  },
  { codes: ["53100"], cause: () => forNow("The disk of PostgreSQL is full") },
  { codes: ["53200"], cause: () => forNow("PostgreSQL is out of memory") },
  {
    codes: ["53000", "53400"],
    cause: () => forNow("PostgreSQL has reached a limit of its resources, such as temp_file_limit"),
  },
  { codes: ["58030", "XX001", "XX002"], cause: () => forNow("The disk of PostgreSQL failed") },
  {
    codes: ["25006"],
    cause: ({ database }) =>
      forNow(`The database ${database} accepts no writes: its server is a standby or read-only`),
  },
  {
    codes: ["55P03", "57014"],
    cause: ({ database }) =>
      forNow(`Another session holds a lock in the database ${database} for too long`),
  },
  {
    codes: ["57P01", "57P02", "57P03"],
    cause: () => forNow("PostgreSQL is starting, stopping or recovering"),
  },
  {
    codes: ["ENOTFOUND", "EAI_AGAIN"],
    cause: ({ server }) => forNow(`The host of ${server} has no address`),
  },
  { codes: ["ECONNREFUSED"], cause: ({ server }) => forNow(`Nothing listens at ${server}`) },
  {
    codes: ["ENOENT"],
    cause: ({ server }) => forNow(`PostgreSQL has no socket at ${server}`),
  },
  {
    codes: ["EACCES", "EPERM"],
    cause: ({ server }) => forGood(`The user of this process may not connect to ${server}`),
  },
  {
    codes: ["ETIMEDOUT", "CONNECT_TIMEOUT", "CONNECTION_LOST", "EHOSTUNREACH", "ENETUNREACH"],
    cause: ({ server }) =>
      forNow(
        `PostgreSQL at ${server} does not answer. If it runs, a commit may wait for a standby of ` +
          "synchronous_standby_names",
      ),
  },
  {
    codes: [
      "ECONNRESET",
      "ECONNABORTED",
      "EPIPE",
      "CONNECTION_CLOSED",
      "CONNECTION_DESTROYED",
      "CONNECTION_ENDED",
    ],
    cause: ({ server }) => forNow(`${server} closes the connection; is PostgreSQL there?`),
  },
  {
    codes: ["NO_FREE_CONNECTION"],
    cause: () => forNow("All connections to the database are in use: raise DATABASE_POOL_SIZE"),
  },
];

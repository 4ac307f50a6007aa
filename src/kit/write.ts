/** Writes of roots. The SQL is each family's own. */

import type { Caller } from "../access/identity.ts";
import type {
  ChangeWork,
  Command,
  CommandResult,
  CommonWork,
  PlannedRefusal,
  PlannedWrite,
} from "../command/command.ts";
import type { Envelope } from "../command/envelope.ts";
import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { assertRevision, type BaseChange, type NextRow, type RootRow } from "./root.ts";

export interface FamilyServices {
  readonly database: Database;
  readonly commands: CommandRunner;
}

/**
 * A root's identifiers by their names in the path; `{}` for a kind of which an owner has only one.
 */
export type RootPath = Readonly<Record<string, string>>;

export interface RootTypes {
  readonly key: RootPath;
  readonly row: RootRow;
  /** Kinds of revisions in addition to `BaseChange`. */
  readonly change: string;
  readonly shown: object;
}

/** A kind of root: its names, and the family's own SQL. */
export interface Root<T extends RootTypes> {
  readonly module: string;
  readonly policy: string;
  /** Names of the identifiers in the path; the root's own is the last. */
  readonly keyNames: readonly (keyof T["key"] & string)[];
  readonly idOf: (row: T["row"]) => string;
  readonly find: (sql: Sql, owner: string, key: T["key"]) => Query<T["row"]>;
  readonly findAt: (
    sql: Sql,
    owner: string,
    key: T["key"],
    revision: number,
  ) => Query<T["row"] & { readonly change: T["change"] | BaseChange }>;
  /** Like `find`; locks it: `for no key update`. */
  readonly lock: (sql: Sql, owner: string, key: T["key"]) => Query<T["row"]>;
  /** Locks the root if this is its current revision; otherwise selects nothing. */
  readonly lockRevision: (
    sql: Sql,
    owner: string,
    key: T["key"],
    revision: number,
  ) => Query<object>;
  /** The whole write as one statement; see `PlannedWrite.statement`. */
  readonly write: (
    sql: Sql,
    ledger: Ledger,
    owner: string,
    row: T["row"],
    change: T["change"] | BaseChange,
  ) => Query<ClaimRow>;
  readonly show: (row: T["row"], reader: Caller) => T["shown"];
  /** Shows the root in reads of a revision; default: `show`. */
  readonly showRevision?: (row: T["row"], reader: Caller) => T["shown"];
  readonly schema: JsonSchema;
  /** Rejects a writer before the expected revision is compared. */
  readonly assertWritable?: (row: T["row"], writer: Caller) => void;
}

export type WriteOptions = Pick<CommonWork<unknown>, "before" | "constraints">;

/** Reads further rows for a decision, only if the root exists; see `ChangeWork.related`. */
export type ReadRelated<Row, Related> = (sql: Sql, root: Row) => Promise<Related>;

export interface RootPlan<Row, Change extends string>
  extends NextRow<Row, Change>, Pick<PlannedWrite<unknown>, "preceding"> {
  /** Checks or reserves other rows; see `CreateWork.verify`. */
  readonly verify?: (sql: Sql) => Promise<void>;
  /** Further CTEs of this write, conditional on the claim; default: none. */
  readonly entries?: (sql: Sql, owner: string) => Query<object>;
}

/** A new root or entry, or the replay of its creation. */
export interface RootResult<Shown> extends CommandResult<Shown> {
  readonly id: string;
}

interface RootCreation<T extends RootTypes> {
  /** Must be pure. */
  readonly decide: () => T["row"];
  /** See `CreateWork.verify`. */
  readonly verify?: ((sql: Sql, row: T["row"]) => Promise<void>) | undefined;
  readonly options?: WriteOptions | undefined;
}

export async function createRoot<T extends RootTypes>(
  services: FamilyServices,
  root: Root<T>,
  command: Command,
  { decide, verify, options }: RootCreation<T>,
): Promise<RootResult<T["shown"]>> {
  return toRootResult(
    await services.commands.run<never, ResultWithId<T["shown"]>>(command, {
      ...options,
      decide() {
        const row = decide();
        const verified = verify && { verify: (sql: Sql) => verify(sql, row) };
        return withResultId(rootWrite(root, command, { row, change: "CREATED", ...verified }));
      },
      replay: (envelope) => replayCreation(services, root, command, {}, envelope),
    }),
  );
}

/** The whole statement of a write whose CTEs are `entries`. */
export function entryStatement(
  sql: Sql,
  ledger: Ledger,
  entries: Query<object>,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim}, ${entries}, ${ledger.ctes}
    select number, verdict, envelope from claim`;
}

export interface MissingRoot {
  /** Default: `RECORD_NOT_FOUND`. */
  readonly missing?: ErrorCode;
}

export interface RootCreationBelow<P extends RootTypes, T extends RootTypes, Related, Prepared>
  extends MissingRoot {
  readonly key: P["key"];
  /** Rejects a request that is invalid without stored state. */
  readonly check?: () => void;
  /**
   * Slow work for the decision; required if `decide` uses its result. Runs at most once, with the
   * current parent and outside of any transaction; not for a replay.
   */
  readonly prepare?: ((parent: P["row"]) => Promise<Prepared>) | undefined;
  readonly related?: ReadRelated<P["row"], Related> | undefined;
  /** Must be pure; may be called again with a newer parent. */
  readonly decide: (parent: P["row"], related: Related, prepared: Prepared) => T["row"];
  readonly options?: WriteOptions | undefined;
}

/**
 * Creates a root below another one, which is locked during the write, or returns the replay.
 *
 * @throws ServiceError errors of `check`; `missing` without a parent; errors of its
 *   `assertWritable`; errors of `prepare` and `decide`; in this order.
 */
export async function createRootBelow<P extends RootTypes, T extends RootTypes, Related, Prepared>(
  services: FamilyServices,
  parent: Root<P>,
  root: Root<T>,
  command: Command,
  creation: RootCreationBelow<P, T, Related, Prepared>,
): Promise<RootResult<T["shown"]>> {
  const { caller } = command;
  const { key, missing, check = () => {}, prepare, related, decide, options } = creation;
  const creating = (
    prepared: Prepared,
  ): ChangeWork<P["row"], ResultWithId<T["shown"]>, Related> => ({
    check,
    ...locking(parent, caller, key, related),
    decide(found, related) {
      const row = decide(writableRoot(parent, found, caller, missing), related, prepared);
      return withResultId(rootWrite(root, command, { row, change: "CREATED" }));
    },
  });
  const work = prepare === undefined ? creating(undefined as Prepared) : {
    async prepare() {
      check();
      const owner = caller.account.accountId;
      const [row] = await services.database.read((sql) => parent.find(sql, owner, key));
      return creating(await prepare(writableRoot(parent, row, caller, missing)));
    },
  };
  return toRootResult(
    await services.commands.run<P["row"], ResultWithId<T["shown"]>, Related>(command, {
      ...options,
      ...work,
      replay: (envelope) => replayCreation(services, root, command, key, envelope),
    }),
  );
}

interface RootChange<T extends RootTypes, Related = undefined> {
  readonly key: T["key"];
  readonly expectedRevision: number | undefined;
  /** Rejects a request that is invalid without stored state. */
  readonly check?: () => void;
  readonly related?: ReadRelated<T["row"], Related> | undefined;
  /** Must be pure; may be called again with a newer root. */
  readonly decide: (
    row: T["row"],
    related: Related,
  ) => RootPlan<T["row"], T["change"]> | PlannedRefusal;
  readonly options?: WriteOptions | undefined;
}

/**
 * Changes a root, or returns the replay.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; errors of `assertWritable`; `REVISION_CONFLICT`; errors
 *   of `decide`; in this order.
 */
export async function changeRoot<T extends RootTypes, Related = undefined>(
  services: FamilyServices,
  root: Root<T>,
  command: Command,
  { key, expectedRevision, check = () => {}, related, decide, options }: RootChange<T, Related>,
): Promise<CommandResult<T["shown"]>> {
  const { caller } = command;
  return await services.commands.run<T["row"], T["shown"], Related>(command, {
    ...options,
    check,
    ...locking(root, caller, key, related),
    decide(found, related) {
      const before = writableRoot(root, found, caller);
      assertRevision(before, expectedRevision);
      const decided = decide(before, related);
      return "refusal" in decided ? decided : rootWrite(root, command, decided);
    },
    replay: (envelope) =>
      replayRoot(services, root, caller, replayKey(root, key, envelope), envelope),
  });
}

/** Parts of a write that reads a root, without a lock if possible. */
type Locking<Row, Related> = Pick<
  ChangeWork<Row, unknown, Related>,
  "lock" | "optimistic" | "related"
>;

/** Describes how a write reads and locks its root. Without a root, `related` is not called. */
export function locking<T extends RootTypes, Related>(
  root: Root<T>,
  { account: { accountId: owner } }: Caller,
  key: T["key"],
  related?: ReadRelated<T["row"], Related>,
): Locking<T["row"], Related> {
  return {
    lock: (sql) => root.lock(sql, owner, key),
    optimistic: {
      read: (sql) => root.find(sql, owner, key),
      lockIfUnchanged: (sql, { revision }) => root.lockRevision(sql, owner, key, revision),
    },
    ...(related && {
      // Null without a root: `decide` throws before it uses the related rows.
      related: (sql, row) =>
        row === null ? Promise.resolve(undefined as Related) : related(sql, row),
    }),
  };
}

/** @throws ServiceError `missing` without a row; errors of the root's `assertWritable`. */
export function writableRoot<T extends RootTypes>(
  root: Root<T>,
  row: T["row"] | null | undefined,
  writer: Caller,
  missing: ErrorCode = "RECORD_NOT_FOUND",
): T["row"] {
  if (row === null || row === undefined) throw new ServiceError(missing);
  root.assertWritable?.(row, writer);
  return row;
}

/** The root at the envelope's revision, limited to the members that its reader may see today. */
export async function replayRoot<T extends RootTypes>(
  { database }: Pick<FamilyServices, "database">,
  root: Root<T>,
  reader: Caller,
  key: T["key"],
  { revision }: Pick<Envelope, "revision">,
): Promise<T["shown"]> {
  const owner = reader.account.accountId;
  const [row] = await database.read((sql) => root.findAt(sql, owner, key, revision ?? 0));
  // A key belongs to one path; a request can use another only after a change of the server secret.
  if (row === undefined) throw new ServiceError("IDEMPOTENCY_KEY_REUSED");
  return root.show(row, reader);
}

async function replayCreation<T extends RootTypes>(
  services: FamilyServices,
  root: Root<T>,
  { caller }: Command,
  parent: RootPath,
  envelope: Envelope,
): Promise<ResultWithId<T["shown"]>> {
  const key = replayKey(root, parent, envelope);
  const result = await replayRoot(services, root, caller, key, envelope);
  return { id: envelope.recordId, result };
}

/** Uses the envelope's identifiers, because a replay's path can name another root. */
function replayKey<T extends RootTypes>(
  { keyNames }: Root<T>,
  path: RootPath,
  { recordId }: Envelope,
): T["key"] {
  const own = keyNames.at(-1);
  return own === undefined ? path : { ...path, [own]: recordId };
}

export interface ResultWithId<Shown> {
  readonly id: string;
  readonly result: Shown;
}

export function withResultId<Shown>(write: PlannedWrite<Shown>): PlannedWrite<ResultWithId<Shown>> {
  return { ...write, result: { id: write.subjectId, result: write.result } };
}

export function toRootResult<Shown>(
  { result, replayed }: CommandResult<ResultWithId<Shown>>,
): RootResult<Shown> {
  return { ...result, replayed };
}

function rootWrite<T extends RootTypes>(
  root: Root<T>,
  { caller }: Command,
  { row, change, verify, preceding, entries }: RootPlan<T["row"], T["change"]>,
): PlannedWrite<T["shown"]> {
  const owner = caller.account.accountId;
  return {
    subjectId: root.idOf(row),
    revision: row.revision,
    result: root.show(row, caller),
    ...(verify && { verify }),
    ...(preceding && { preceding }),
    statement: change === null ? null : (sql, ledger) => {
      const whole = entries === undefined
        ? ledger
        : { ...ledger, ctes: sql`${entries(sql, owner)}, ${ledger.ctes}` };
      return root.write(sql, whole, owner, row, change);
    },
  };
}

import { ServiceError } from "../errors/service_error.ts";
import type { Database } from "./database.ts";
import { databaseFailure, EngineRecoveryError } from "./failures.ts";

const OUT_OF_MEMORY = "53200";
/** How many successes outweigh one failure. */
const FAILURE_WEIGHT = 10;
const MAX_FAILURES = 3;

/**
 * A database that notices when its engine stays out of memory, though each failure frees what its
 * session held: after three failures, where fewer than ten successes came for each.
 *
 * @param onExhausted is called then, and each time that it fails so again.
 */
export function watchMemory(database: Database, onExhausted: () => void): Database {
  let strain = 0;
  const watch = async <T>(running: Promise<T>): Promise<T> => {
    try {
      const result = await running;
      strain = Math.max(0, strain - 1);
      return result;
    } catch (error) {
      if (isOutOfMemory(error)) strain += FAILURE_WEIGHT;
      if (strain >= MAX_FAILURES * FAILURE_WEIGHT) onExhausted();
      throw error;
    }
  };
  return {
    ...database,
    read: (use) => watch(database.read(use)),
    write: (statement) => watch(database.write(statement)),
    transaction: (use) => watch(database.transaction(use)),
    snapshot: (use) => watch(database.snapshot(use)),
  };
}

function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof EngineRecoveryError || databaseFailure(cause)?.sqlstate === OUT_OF_MEMORY;
}

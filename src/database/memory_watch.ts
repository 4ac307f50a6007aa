import { ServiceError } from "../errors/service_error.ts";
import type { Database } from "./database.ts";
import { databaseFailure, EngineRecoveryError } from "./failures.ts";

const OUT_OF_MEMORY = "53200";
const FAILURE_WEIGHT = 10;
const MAX_FAILURES = 3;

/**
 * Detects an engine that stays out of memory, although each failure frees its session's memory: it
 * has failed three times, with fewer than ten successes per failure.
 *
 * @param onExhausted Called at the third failure, and at each later one.
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

import { ServiceError } from "../errors/service_error.ts";

/**
 * The disk is full, the user's share of it is, or it has become read-only; or the process or the machine
 * has as many files open as it may.
 */
const OUT_OF_ROOM = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE"]);

/**
 * Runs a function that writes files.
 *
 * @throws ServiceError `HTTP_503` if the disk is full or read-only, so a retry may succeed; otherwise what
 * `write` throws.
 */
export async function writeToDisk<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isOutOfRoom = error instanceof Error && "code" in error &&
      OUT_OF_ROOM.has(String(error.code));
    throw isOutOfRoom ? new ServiceError("HTTP_503", { cause: error }) : error;
  }
}

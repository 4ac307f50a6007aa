import { errorCode } from "../core/error_code.ts";
import { ServiceError } from "../errors/service_error.ts";

/** Codes for a full disk or quota, a read-only disk, or too many open files. */
const OUT_OF_ROOM = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE"]);

/** @throws ServiceError `HTTP_503` if the disk is full or read-only; errors of `write`. */
export async function writeToDisk<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw OUT_OF_ROOM.has(errorCode(error))
      ? new ServiceError("HTTP_503", { cause: error })
      : error;
  }
}

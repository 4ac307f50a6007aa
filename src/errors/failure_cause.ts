/** Causes of failures of files, of the system and of the database, in words, for an operator. */

import { errorFields } from "../core/log.ts";
import { reasonOfCode } from "./reasons.ts";
import { ServiceError } from "./service_error.ts";

/** By code of the system; `path` is the file that the error names, or DATA_DIR. */
const FILE_CAUSES: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `the user of this process may not use ${path}`,
  EPERM: (path) => `the user of this process may not use ${path}`,
  ENOENT: (path) => `${path} does not exist`,
  ENOTDIR: (path) => `a part of ${path} is not a folder`,
  EISDIR: (path) => `${path} is a folder`,
  EEXIST: (path) => `${path} exists already, and is not a folder`,
  ENOSPC: (path) => `the disk of ${path} is full`,
  EDQUOT: (path) => `the disk quota for ${path} is used up`,
  EROFS: (path) => `${path} is on a file system that is read-only`,
  EIO: (path) => `the disk of ${path} failed`,
  ENAMETOOLONG: (path) => `the name of ${path} is too long`,
  ELOOP: (path) => `${path} is a link that leads back to itself`,
  ENOLCK: (path) => `the file system of ${path} has no locks`,
  EMFILE: () => "this process may not open more files: raise its limit (ulimit -n, LimitNOFILE)",
  ENFILE: () => "the machine may not open more files",
  ENOMEM: () => "the machine has no memory left",
  EADDRNOTAVAIL: () => "HOST is not an address of this machine",
};

const LACKS_RIGHTS = ["EACCES", "EPERM"];

/** Classes of errors without a code. */
const CODES_BY_CLASS: Readonly<Record<string, string>> = {
  PermissionDenied: "EACCES",
  NotFound: "ENOENT",
  NotADirectory: "ENOTDIR",
  IsADirectory: "EISDIR",
  AlreadyExists: "EEXIST",
};

/** Describes a failure by its code; null for an unknown code. */
export function failureCause(error: unknown): string | null {
  const failure = error instanceof ServiceError ? error.cause ?? error : error;
  if (!(failure instanceof Error)) return null;
  if (failure instanceof Deno.errors.NotCapable) {
    return `this program has no permission for ${pathIn(failure) ?? "a file"}: it may use ` +
      "DATA_DIR and the folders of src/operator/programs/README.md";
  }
  const code = errorFields(failure).code ?? CODES_BY_CLASS[failure.name] ?? null;
  if (typeof code !== "string") return null;
  const path = pathIn(failure);
  if (path === null && LACKS_RIGHTS.includes(code)) {
    return "the user of this process may not use a file, or may not listen on PORT";
  }
  return FILE_CAUSES[code]?.(path ?? "DATA_DIR") ?? reasonOfCode(code);
}

/** True if a new try cannot succeed before somebody changes the rights of a file. */
export function isLackOfRights(error: unknown): boolean {
  const { PermissionDenied, NotCapable } = Deno.errors;
  return [PermissionDenied, NotCapable].some((kind) => error instanceof kind);
}

/** Returns the path in an error of the runtime, which quotes only paths and addresses; or null. */
export function pathIn({ message }: Error): string | null {
  return /["']([^"']+)["']/.exec(message)?.[1] ?? null;
}

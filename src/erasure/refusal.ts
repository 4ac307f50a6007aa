/** The response for an erased root: 410 exactly when its owner would get 404. */

import { ServiceError } from "../errors/service_error.ts";
import type { FindErased } from "./erased_store.ts";

/** The module of each parameter that names the root of a path; null for an attachment. */
const ROOTS: Readonly<Record<string, string | null>> = {
  memoryId: "memory",
  draftId: "memory",
  decisionId: "decision",
  personId: "relationship",
  resourceId: "resource",
  tagId: "taxonomy",
  categoryId: "taxonomy",
  attachmentId: null,
};

interface PathRoot {
  readonly id: string;
  readonly moduleCode: string | null;
}

/** True if a pattern such as `/api/v2/memory/texts/:memoryId` names a root. */
export function namesRoot(pattern: string): boolean {
  const names = pattern.matchAll(/:(\w+)/g);
  return names.some(([, name = ""]) => name === "recordId" || name in ROOTS);
}

/** The root that a path names; null for a path without one. */
function rootOf(
  pattern: string,
  params: Readonly<Record<string, string>>,
): PathRoot | null {
  if (params.recordId !== undefined) {
    // Version 1 has the module in its pattern.
    const [, legacy = null] = /^\/api\/v1\/([a-z-]+)\//.exec(pattern) ?? [];
    return { id: params.recordId, moduleCode: params.moduleCode ?? legacy };
  }
  for (const [name, moduleCode] of Object.entries(ROOTS)) {
    const id = params[name];
    if (id !== undefined) return { id, moduleCode };
  }
  return null;
}

export function recordErased(moduleCode: string | null): ServiceError {
  return new ServiceError("RECORD_ERASED", {
    details: moduleCode === null ? {} : { moduleCode },
  });
}

/** Replaces `RECORD_NOT_FOUND` by `RECORD_ERASED` if the root was erased. */
export async function refusalOfPath(
  error: unknown,
  { path }: { readonly path: string },
  params: Readonly<Record<string, string>>,
  owner: string,
  findErased: FindErased = () => Promise.resolve(null),
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== "RECORD_NOT_FOUND") return error;
  const root = rootOf(path, params);
  if (root === null) return error;
  const erased = await findErased(owner, root.id);
  return erased === null || erased.moduleCode !== root.moduleCode
    ? error
    : recordErased(root.moduleCode);
}

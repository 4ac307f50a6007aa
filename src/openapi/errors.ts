import { STEP_UP_PURPOSES } from "../access/step_up.ts";
import { type DetailField, ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import { namesRoot } from "../erasure/refusal.ts";
import type { Route } from "../http/route.ts";
import {
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  REVISION,
  TEXT,
} from "../validate/json_schema.ts";
import { REQUEST_ID_SCHEMA } from "./headers.ts";

export const MOVED_TO: JsonSchema = {
  ...TEXT,
  description: "The origin of the account's new installation.",
};

const DETAILS: Readonly<Record<DetailField, JsonSchema>> = {
  fields: listOf(TEXT),
  rules: listOf(TEXT),
  moduleCode: TEXT,
  featureId: TEXT,
  expectedRevision: REVISION,
  currentRevision: REVISION,
  operation: TEXT,
  scope: TEXT,
  entryPoint: TEXT,
  limit: { type: "integer" },
  purpose: {
    ...enumOf(STEP_UP_PURPOSES),
    description:
      "The purpose to confirm by `POST /api/v2/auth/step-up`. Absent if the password was wrong.",
  },
  movedTo: MOVED_TO,
  looksLike: {
    ...listOf(TEXT),
    description: "Formats of imports that the file has signs of. Absent without any.",
  },
};

export function errorCodesOf(route: Route): readonly ErrorCode[] {
  const isProbe = route.access === "public" && route.kind === "probe";
  return [
    ...new Set<ErrorCode>([
      "PAYLOAD_INVALID",
      ...accessCodes(route),
      ...bodyCodes(route),
      ...(route.access === "public" ? [] : keyCodes(route)),
      ...route.endpoint.contract.errors,
      ...(route.endpoint.contract.stepUp === undefined ? [] : ["STEP_UP_REQUIRED"] as const),
      ...erasedCodes(route),
      ...(isProbe ? [] : ["HTTP_421", "HTTP_429", "HTTP_503"] as const),
      "INTERNAL_ERROR",
    ]),
  ];
}

type Protected = Exclude<Route, { readonly access: "public" }>;

/** Unsafe methods reject the cookie of a foreign page, except those that do not look at cookies. */
function accessCodes(route: Route): readonly ErrorCode[] {
  const isUnsafe = route.method !== "GET";
  if (route.access === "public") {
    return isUnsafe && route.kind !== "oauth" ? ["FORBIDDEN"] : [];
  }
  const mayForbid = route.access !== "credential" || route.permission !== null || isUnsafe;
  return ["AUTH_REQUIRED", "ACCOUNT_MOVED", ...(mayForbid ? ["FORBIDDEN"] as const : [])];
}

/** An unsafe route without a body reads one to reject it, unless it is ignored. */
function bodyCodes({ endpoint: { body }, method }: Route): readonly ErrorCode[] {
  const reads = body !== "ignored" && (body !== "none" || method !== "GET");
  return reads ? ["HTTP_408", "HTTP_413", "HTTP_415"] : [];
}

function keyCodes({ idempotency }: Protected): readonly ErrorCode[] {
  if (idempotency === "none") return [];
  // Every write can fail because the account is frozen or its storage is full.
  const kept = [
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "SYSTEM_MAINTENANCE",
    "ACCOUNT_STORAGE_FULL",
  ] as const;
  return idempotency === "required" ? ["RECORD_IDEMPOTENCY_KEY_REQUIRED", ...kept] : kept;
}

/** A root that a path or a key names may have been erased. */
function erasedCodes(route: Route): readonly ErrorCode[] {
  if (route.access === "public") return [];
  const isMissing = route.endpoint.contract.errors.includes("RECORD_NOT_FOUND");
  const mayBeErased = route.idempotency !== "none" || (isMissing && namesRoot(route.path));
  return mayBeErased ? ["RECORD_ERASED"] : [];
}

export function errorSchema(code: ErrorCode): JsonSchema {
  const { message, details } = ERROR_CODES[code];
  const members = Object.fromEntries(details.map((name) => [name, DETAILS[name]]));
  const error = objectOf({
    code: { const: code },
    message: { const: message },
    requestId: REQUEST_ID_SCHEMA,
    ...(details.length > 0 && { details: objectOf(members, details) }),
  }, ["details"]);
  const body = code === "FEATURE_NOT_IMPLEMENTED"
    ? { data: { type: "null" }, error } as const
    : { error };
  return { component: `Error_${code}`, ...objectOf(body) };
}

import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import { ERROR_CODES, type ErrorCode } from "../errors/codes.ts";
import {
  type ResponseContract,
  type ResponseStatus,
  ROUTE_RESPONSE_HEADERS,
  type RouteHeader,
} from "../http/contract.ts";
import { COUNTED_KINDS, type Route } from "../http/route.ts";
import { type JsonSchema, objectOf } from "../validate/json_schema.ts";
import type { Components } from "./components.ts";
import { errorCodesOf, errorSchema } from "./errors.ts";
import { REQUEST_ID_SCHEMA, responseHeaders } from "./headers.ts";
import { describeOAuthErrors, oauthErrorSchema, oauthErrorsOf } from "./oauth_failures.ts";
import { describeParameters } from "./parameters.ts";
import { describeAccess, securityOf } from "./security.ts";

const JSON_TYPE = "application/json";

const LIMIT_HEADERS = ["RateLimit", "RateLimit-Policy"] as const;

const META: JsonSchema = { component: "Meta", ...objectOf({ requestId: REQUEST_ID_SCHEMA }) };

const DESCRIPTIONS: Readonly<Record<ResponseStatus, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted.",
  206: "The requested range.",
  304: "The client's copy is current.",
  410: "The account has moved.",
};

export function describeOperation(
  route: Route,
  catalog: Catalog,
  components: Components,
): JsonObject {
  const { stepUp } = route.endpoint.contract;
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary: route.endpoint.contract.summary,
    ...(routeHeaders(route).includes("Deprecation") && { deprecated: true }),
    description: describeAccess(route),
    security: securityOf(route),
    "x-permission": route.access === "public" ? null : route.permission,
    ...(stepUp !== undefined && { "x-step-up": stepUp }),
    parameters: describeParameters(route, catalog, components),
    ...describeBody(route, components),
    responses: { ...describeResponses(route, components), ...describeFailures(route, components) },
  };
}

/** The first part of the path after the version, version 1, OAuth, or the operator's. */
export function tagOf({ path }: Pick<Route, "path">): string {
  if (/^\/(?:\.well-known\/)?oauth/.test(path)) return "oauth";
  const [, tag = "operation"] = /^\/api\/(?:v2\/)?([a-z][a-z0-9]*)/.exec(path) ?? [];
  return tag;
}

/** @throws {Error} If a route reads JSON without a schema. */
function describeBody(
  { endpoint: { body, contract }, method, path }: Route,
  components: Components,
): JsonObject {
  if (body === "none" || body === "ignored") return {};
  if (body === "stream") {
    const schema = contract.body && { schema: components.write(contract.body.schema) };
    const content = { [contract.streamed ?? "*/*"]: { ...schema } };
    return { requestBody: { required: true, content } };
  }
  if (contract.body === undefined) throw new Error(`${method} ${path} does not describe its body`);
  const examples = Object.entries(contract.body.examples).map(([name, value]) =>
    [name, { value }] as const
  );
  const content = {
    schema: components.write(contract.body.schema),
    examples: Object.fromEntries(examples),
  };
  return { requestBody: { required: body === "json", content: { [JSON_TYPE]: content } } };
}

function describeResponses(route: Route, components: Components): JsonObject {
  const answers = Object.entries(route.endpoint.contract.responses);
  return Object.fromEntries(answers.map(([status, answer]) => [status, {
    description: DESCRIPTIONS[Number(status) as ResponseStatus],
    headers: responseHeaders([
      "X-Request-Id",
      ...limitHeaders(route),
      ...routeHeaders(route),
      ...(status === "201" && answer.data ? ["Location"] as const : []),
      ...(sendsReplays(route) ? ["Idempotency-Replayed"] as const : []),
      ...answer.headers ?? [],
    ]),
    ...describeContent(answer, components),
  }]));
}

function sendsReplays(route: Route): boolean {
  return route.access !== "public" && route.idempotency !== "none";
}

function limitHeaders(route: Route) {
  const isUncounted = route.access === "public" && !COUNTED_KINDS.has(route.kind);
  return isUncounted ? [] : LIMIT_HEADERS;
}

function routeHeaders(route: Route): readonly RouteHeader[] {
  const { headers = {} } = route.access === "public" ? {} : route;
  return ROUTE_RESPONSE_HEADERS.filter((name) => name in headers);
}

function describeContent({ data, content }: ResponseContract, components: Components): JsonObject {
  if (data !== undefined) {
    const schema = components.write(objectOf({ data, meta: META }));
    return { content: { [JSON_TYPE]: { schema } } };
  }
  if (content === undefined) return {};
  const { mediaType, schema } = content;
  return { content: { [mediaType]: schema ? { schema: components.write(schema) } : {} } };
}

/** `error.code` distinguishes the schemas of the codes. */
function describeFailures(route: Route, components: Components): JsonObject {
  const failures = errorCodesOf(route);
  const limits = failures.includes("HTTP_429") ? LIMIT_HEADERS : [];
  const byStatus = Map.groupBy(failures, (code) => ERROR_CODES[code].status);
  const statuses = [...byStatus].sort(([left], [right]) => left - right);
  return Object.fromEntries(statuses.map(([status, codes]) => [status, {
    description: describeErrors(route, status, codes),
    headers: responseHeaders([
      "X-Request-Id",
      ...limits,
      // A request under another host name is refused before its route is looked up.
      ...(codes.includes("HTTP_421") ? [] : routeHeaders(route)),
      ...(codes.some(hasRetryAfter) ? ["Retry-After"] as const : []),
      ...(status === 401 ? ["WWW-Authenticate"] as const : []),
    ]),
    content: { [JSON_TYPE]: { schema: components.write(schemaOfErrors(route, status, codes)) } },
  }]));
}

function describeErrors(route: Route, status: number, codes: readonly ErrorCode[]): string {
  const ofOAuth = oauthErrorsOf(route, status);
  if (ofOAuth !== null) return describeOAuthErrors(ofOAuth);
  return codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].message}.`).join(" ");
}

function hasRetryAfter(code: ErrorCode): boolean {
  return "retryAfter" in ERROR_CODES[code];
}

function schemaOfErrors(route: Route, status: number, codes: readonly ErrorCode[]): JsonSchema {
  const ofOAuth = oauthErrorsOf(route, status);
  if (ofOAuth !== null) return oauthErrorSchema(ofOAuth, status);
  const { failure: own } = route.endpoint.contract;
  const schemas = [...codes.map(errorSchema), ...(own === undefined ? [] : [own])];
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: schemas };
}

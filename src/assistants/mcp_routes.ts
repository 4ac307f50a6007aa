/** `POST /mcp`: the calls of assistants. */

import type { JsonObject, JsonValue } from "../core/json.ts";
import { bodiesOfAccount } from "../core/shares.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { toPublicError } from "../errors/public_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import type { Reply } from "../http/reply.ts";
import { readRequestBody, SIGNED_IN_BODY } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { serialiseJson } from "../validate/json_output.ts";
import {
  ANY_OBJECT,
  component,
  COUNT,
  type JsonSchema,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import { describeObject, readBody, refuseQuery } from "../validate/schema.ts";
import { lentScope } from "./lent.ts";
import { createProposingTools, type ProposingServices } from "./proposing_tools.ts";
import { answerNoJson, answerRpc, type RpcAnswer } from "./protocol.ts";
import { createReadingTools } from "./reading_tools.ts";
import { InvalidParams, type Tool, type ToolAnswer } from "./tool.ts";
import type { AssistantTrail, TrailServices } from "./trail.ts";

export interface McpServices extends ProposingServices, TrailServices {
  /** Concurrent requests of the service. */
  readonly inFlight: number;
}

const BODY = { ...SIGNED_IN_BODY, bytes: 64 * 1024 };
/** The credential is checked again after a body that took longer than this to arrive. */
const CONFIRM_AFTER_MS = 1_000;

const ID: JsonSchema = { type: ["string", "integer", "null"] };
const VERSION: JsonSchema = { const: "2.0" };
const ANSWER: JsonSchema = component<Record<"jsonrpc" | "id" | "result" | "error", unknown>>(
  "JsonRpcAnswer",
  {
    jsonrpc: VERSION,
    id: ID,
    result: ANY_OBJECT,
    error: objectOf({ code: { type: "integer" }, message: TEXT, data: ANY_OBJECT }, ["data"]),
  },
  ["result", "error"],
);

/** @param trail Limits and logs the calls. */
export function createMcpEndpoint(services: McpServices, trail: AssistantTrail): Endpoint {
  const tools = [...createReadingTools(services), ...createProposingTools(services)];
  const bodies = new AccountPlaces(bodiesOfAccount(services.inFlight));
  return endpoint({
    contract: {
      summary: "Handle one message of the Model Context Protocol from an assistant",
      headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
      streamed: "application/json",
      responses: {
        200: { content: { mediaType: "application/json", schema: ANSWER } },
        202: {},
      },
      errors: ["HTTP_404"],
      failure: ANSWER,
    },
    body: "stream",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = await bodies.run(call.caller, () => readJson(call));
      if (body === undefined) return toReply(answerNoJson());
      const offered = tools.filter(({ proposes }) =>
        !proposes || call.caller.assistant?.mayPropose
      );
      const answer = await answerRpc(body, call.request.headers, {
        listTools: () => offered.map(describeTool),
        callTool: (name, args) => {
          const called = offered.find((tool) => tool.name === name);
          if (called === undefined) throw new InvalidParams(["name"]);
          return callTool(services, trail, call, called, args);
        },
      });
      return toReply(answer);
    },
  });
}

/** Reads the body; undefined if it is not JSON or exceeds the ceilings of JSON. */
async function readJson(
  { request, confirm }: CheckedCall<unknown>,
): Promise<JsonValue | undefined> {
  const arriving = performance.now();
  try {
    const body = await readRequestBody("json", request, BODY);
    if (performance.now() - arriving > CONFIRM_AFTER_MS) await confirm();
    return body;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "PAYLOAD_INVALID") return undefined;
    throw error;
  }
}

function toReply({ status, body }: RpcAnswer): Reply {
  if (body === null) return { status };
  const headers = { "Content-Type": "application/json" };
  return { status, body: serialiseJson(body), headers };
}

function describeTool({ name, title, description, input, output, proposes }: Tool): object {
  return {
    name,
    title,
    description,
    inputSchema: plain(describeObject(input)),
    outputSchema: plain(orRefusal(output)),
    annotations: proposes
      ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
  };
}

const REFUSAL = objectOf(
  { code: TEXT, message: TEXT, requestId: TEXT, details: ANY_OBJECT, retryAfter: COUNT },
  ["details", "retryAfter"],
);

/** The schema of an answer or a refusal: some clients validate refusals too. */
function orRefusal({ properties, required = [], ...schema }: JsonSchema): JsonSchema {
  const either = [{ required }, { required: ["error"] }];
  return { ...schema, properties: { ...properties, error: REFUSAL }, anyOf: either };
}

/** Removes the names that only the OpenAPI document uses. */
function plain(schema: JsonSchema): object {
  const omit = (key: string, value: unknown) => key === "component" ? undefined : value;
  return JSON.parse(JSON.stringify(schema, omit));
}

/** Calls a tool. A refusal is a result too. */
async function callTool(
  services: McpServices,
  trail: AssistantTrail,
  call: CheckedCall<unknown>,
  called: Tool,
  sent: JsonObject,
): Promise<object> {
  try {
    return toResult(await runTool(services, trail, call, called, sent));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...toResult(refusalOf(error, call)), isError: true };
  }
}

/** Refusals without an event: beyond a limit, or because the account's storage is full. */
const WITHOUT_EVENT: readonly ErrorCode[] = ["HTTP_429", "ACCOUNT_STORAGE_FULL"];

/** Runs a tool within the limits. The call is logged before its answer or refusal is sent. */
async function runTool(
  { catalog }: McpServices,
  trail: AssistantTrail,
  call: CheckedCall<unknown>,
  { name, input, moduleOf, run, proposes }: Tool,
  sent: JsonObject,
): Promise<ToolAnswer["content"]> {
  trail.countCall(call);
  const args = readArguments(input, sent) as never;
  await trail.assertWithinLimits(call);
  const code = moduleOf(args) ?? "";
  // Any other text comes from the client, and is not stored.
  const about = { tool: name, moduleCode: catalog.module(code)?.code ?? null, records: 0 };
  try {
    const { content, records, hasEvent = false } = await run(args, {
      tool: name,
      lent: lentScope(catalog, call.caller),
      now: call.now,
      requestId: call.requestId,
      sent,
      insertEvent: (sql) => trail.insert(sql, call, about, proposes),
    });
    if (!hasEvent) await trail.logCall(call, { ...about, records }, proposes);
    return content;
  } catch (error) {
    if (isRefusal(error) && !WITHOUT_EVENT.includes(error.code)) {
      await trail.logRefusedCall(call, about, proposes);
    }
    throw error;
  }
}

/** @throws InvalidParams for arguments that do not match the schema. */
function readArguments(input: Tool["input"], sent: JsonObject) {
  try {
    return readBody(input, sent);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { fields, rules } = error.details;
    throw new InvalidParams([fields ?? []].flat().map(String), [rules ?? []].flat().map(String));
  }
}

/** Returns whether the tool answers with the error. Failures of the service are HTTP errors. */
function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && !["INTERNAL_ERROR", "HTTP_503"].includes(error.code);
}

function refusalOf(
  error: ServiceError,
  { requestId }: CheckedCall<unknown>,
): ToolAnswer["content"] {
  const { body: { error: shown } } = toPublicError(error, requestId);
  const { "Retry-After": seconds } = error.headers;
  return { error: { ...shown, ...(seconds !== undefined && { retryAfter: Number(seconds) }) } };
}

function toResult(structuredContent: object) {
  return { content: [{ type: "text", text: serialiseJson(structuredContent) }], structuredContent };
}

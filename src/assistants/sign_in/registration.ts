/** `POST /oauth/register` (RFC 7591): gives all programs one client id, and stores nothing. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { OAuthError } from "../../errors/oauth_error.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { bareJson } from "../../http/reply.ts";
import { readRequestBody } from "../../http/request.ts";
import type { PublicEndpoint } from "../../http/route.ts";
import { enumOf, type JsonSchema, listOf, objectOf, TEXT } from "../../validate/json_schema.ts";
import { PROGRAM_BODY } from "./form.ts";
import { isCallbackOfNamedProgram } from "./programs.ts";

/** The client id of all programs that register. */
export const SHARED_CLIENT = "personal-records";

const CLIENT = {
  client_id: SHARED_CLIENT,
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
};

const METADATA: JsonSchema = {
  ...objectOf({ redirect_uris: listOf(TEXT) }),
  additionalProperties: true,
};

const REGISTERED: JsonSchema = objectOf({
  client_id: { const: CLIENT.client_id },
  redirect_uris: listOf(TEXT),
  token_endpoint_auth_method: { const: CLIENT.token_endpoint_auth_method },
  grant_types: listOf(enumOf(CLIENT.grant_types)),
  response_types: listOf(enumOf(CLIENT.response_types)),
});

export function createRegistrationEndpoint(): PublicEndpoint {
  return {
    contract: {
      summary: "Return the client id that all programs share; stores nothing",
      streamed: "application/json",
      body: { schema: METADATA, examples: {} },
      responses: { 201: { content: { mediaType: "application/json", schema: REGISTERED } } },
      errors: [],
      oauthErrors: ["invalid_client_metadata", "invalid_redirect_uri"],
    },
    body: "stream",
    parse: () => {},
    async handle({ request }) {
      const { redirect_uris: sent } = await readMetadata(request);
      const redirect_uris = acceptedCallbacks(sent);
      if (redirect_uris.length === 0) throw new OAuthError("invalid_redirect_uri");
      return bareJson(201, { ...CLIENT, redirect_uris });
    },
  };
}

/** @throws OAuthError `invalid_client_metadata` if the body is not a JSON object. */
async function readMetadata(request: Request): Promise<JsonObject> {
  const body = await readRequestBody("json", request, PROGRAM_BODY).catch((error) => {
    const isMalformed = error instanceof ServiceError && error.code === "PAYLOAD_INVALID";
    throw isMalformed ? new OAuthError("invalid_client_metadata") : error;
  });
  if (!isJsonObject(body)) throw new OAuthError("invalid_client_metadata");
  return body;
}

/** Returns those that a named program may use. */
function acceptedCallbacks(sent: JsonValue | undefined): JsonValue[] {
  const callbacks = Array.isArray(sent) ? sent : [];
  return callbacks.filter((each) => typeof each === "string" && isCallbackOfNamedProgram(each));
}

/** Routes for browsers and password managers, in addition to ceremonies. */

import { toBase64url } from "../../core/base64url.ts";
import { constantDocument } from "../../http/constant_document.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint, type PublicEndpoint } from "../../http/route.ts";
import { listOf, nullable, objectOf, TEXT } from "../../validate/json_schema.ts";
import { refuseQuery } from "../../validate/schema.ts";
import { passkeyOrigins, type PasskeySettings, readSite } from "./passkey_host.ts";
import type { PasskeyServices } from "./passkey_services.ts";
import { findPasskeyUserId, listOffered } from "./passkey_store.ts";

/**
 * `GET /.well-known/webauthn`. Browsers read it at the host name of the passkeys, to learn which
 * other origins may use them.
 */
export function relatedOriginsEndpoint(settings: PasskeySettings): PublicEndpoint {
  const origins = [...passkeyOrigins(settings)];
  return constantDocument("List the origins whose pages may use the passkeys", { origins });
}

const SIGNAL = {
  rpId: TEXT,
  userId: nullable(TEXT),
  allAcceptedCredentialIds: listOf(TEXT),
};

/** `GET /signal`. */
export function signalEndpoint(services: PasskeyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Return the options of PublicKeyCredential.signalAllAcceptedCredentials()",
      responses: { 200: { data: objectOf(SIGNAL) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller: { account: { accountId } } }) {
      return await services.database.read(async (sql) => {
        const { rpId } = await readSite(sql, services);
        const userId = await findPasskeyUserId(sql, accountId);
        const offered = await listOffered(sql, accountId, rpId);
        return ok({
          rpId,
          userId: userId === null ? null : toBase64url(userId),
          allAcceptedCredentialIds: offered.map(({ credentialId }) => toBase64url(credentialId)),
        });
      });
    },
  });
}

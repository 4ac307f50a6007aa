/** Finds the assistants with which a program's request can be allowed. */

import { isUlid } from "../../core/ids.ts";
import type { Sql } from "../../database/sql.ts";
import type { AssistantRow } from "../assistant.ts";
import { listSigningIn } from "../assistant_store.ts";
import {
  acceptsCallback,
  bindsCallback,
  callbacksOf,
  isCallbackOfNamedProgram,
} from "./programs.ts";
import { SHARED_CLIENT } from "./registration.ts";
import { authorizationInvalid, onlyValue, readCallback, readRequest } from "./request.ts";

/** A request whose answer may be sent to its callback. */
export interface Authorization {
  readonly form: URLSearchParams;
  readonly client: string;
  readonly callback: string;
  /** The assistant of the client, or those that the owner can choose from. */
  readonly assistants: readonly AssistantRow[];
}

/** The owner of a request, and the clients that it may name. */
export interface AuthorizationScope {
  readonly accountId: string;
  /** Whether it may name the client id that registered programs share. */
  readonly registration: boolean;
  readonly now: Date;
}

/** @throws ServiceError `PAYLOAD_INVALID` with one rule, in the order of the checks. */
export async function findAuthorization(
  sql: Sql,
  request: string,
  scope: AuthorizationScope,
): Promise<Authorization> {
  const form = readRequest(request);
  const client = onlyValue(form, "client_id") ?? "";
  if (client === SHARED_CLIENT && scope.registration) {
    return await findOffered(sql, form, scope);
  }
  const assistant = isUlid(client)
    ? (await listSigningIn(sql, scope.accountId, client, scope.now))[0]
    : undefined;
  if (assistant === undefined) throw authorizationInvalid("authorization.client");
  const callback = readCallback(form);
  if (!accepts(assistant, callback)) throw authorizationInvalid("authorization.callback");
  if (!mayBind(assistant, callback)) throw authorizationInvalid("authorization.bound");
  return { form, client, callback, assistants: [assistant] };
}

/** Offers the assistants of named programs that accept the callback. */
async function findOffered(
  sql: Sql,
  form: URLSearchParams,
  { accountId, now }: AuthorizationScope,
): Promise<Authorization> {
  const callback = readCallback(form);
  if (!isCallbackOfNamedProgram(callback)) throw authorizationInvalid("authorization.callback");
  const assistants = (await listSigningIn(sql, accountId, null, now)).filter((assistant) =>
    assistant.program !== "OTHER" && accepts(assistant, callback) && mayBind(assistant, callback)
  );
  return { form, client: SHARED_CLIENT, callback, assistants };
}

function accepts({ program, callbacks }: AssistantRow, callback: string): boolean {
  return program !== null &&
    callbacksOf(program, callbacks).some((listed) => acceptsCallback(listed, callback));
}

/** False for a callback of another connection than the one that was allowed first. */
function mayBind({ program, bound_callback }: AssistantRow, callback: string): boolean {
  return bound_callback === null || bound_callback === callback ||
    !bindsCallback(program, callback);
}

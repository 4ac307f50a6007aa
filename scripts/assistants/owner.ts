/** A running service and its owner, who allows programs by the routes of the console's page. */

import { freePort } from "../../tests/support/ports.ts";
import { startServer } from "../../tests/support/server_process.ts";
import { callApp, type Caller, callerOf, type Json } from "../../tests/support/world.ts";

const OWNER = { email: "owner@example.org", password: "a password that only tests know" };

/** An assistant that signs in, and the owner's acts on it. */
export interface SigningIn {
  readonly clientId: string;
  /** Returns the address to which the browser would go. */
  decide(authorizationUrl: string, decision: "ALLOW" | "DENY"): Promise<string>;
  revoke(): Promise<void>;
}

/** Disposal ends the service. */
export interface Owner extends AsyncDisposable {
  readonly origin: string;
  /** @param callbacks Only of the program `OTHER`. */
  lendTo(program: string, callbacks?: readonly string[]): Promise<SigningIn>;
}

/** Starts the service on a free port with data in a folder, and creates its account. */
export async function startOwner(dataDir: string): Promise<Owner> {
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const service = await startServer({
    PORT: String(port),
    PUBLIC_ORIGIN: origin,
    DATA_DIR: dataDir,
    ASSISTANTS: "true",
    ASSISTANT_REGISTRATION: "true",
  });
  const first = await service.setUp();
  for (const title of ["Return the ladder", "Call the landlord"]) {
    await first.create("commitment", { ...OPEN, content: title }, title);
  }
  return {
    origin,
    async lendTo(program, callbacks) {
      const owner = await signIn(service.app);
      const { assistantId } = await createAssistant(owner, { program, callbacks });
      return {
        clientId: assistantId,
        async decide(authorizationUrl, decision) {
          const request = new URL(authorizationUrl).search.slice(1);
          const { assistants, refusal } = await data(owner, "POST", `${PAGE}/read`, { request });
          if (refusal !== null) throw new Error(`The request is refused: ${refusal.error}`);
          const known = assistants.some((each: Json) => each.assistantId === assistantId);
          if (!known) throw new Error("The request does not name the assistant");
          const body = { request, decision, ...(decision === "ALLOW" && { assistantId }) };
          return (await data(owner, "POST", `${PAGE}/decide`, body)).redirectTo;
        },
        async revoke() {
          await data(owner, "POST", `${ASSISTANTS}/${assistantId}/revoke`);
        },
      };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const OPEN = { commitmentType: "BORROWED", completionStatus: "OPEN" };
const ASSISTANTS = "/api/v2/auth/assistants";
const PAGE = "/api/v2/auth/authorization";

/** A new session may allow without a proof. */
async function signIn(app: Parameters<typeof callApp>[0]): Promise<Caller> {
  const { body } = await callApp(app, "POST", "/api/v2/auth/login", {
    body: { ...OWNER, transport: "bearer" },
  });
  const { account, session, accessToken }: Json = body.data;
  return callerOf(app, { ...account, ...session, secret: accessToken });
}

async function createAssistant(owner: Caller, signIn: Json): Promise<Json> {
  const { proof } = await data(owner, "POST", "/api/v2/auth/step-up", {
    password: OWNER.password,
    purpose: "TOKEN_CREATE",
  });
  const body = { name: signIn.program, modules: ["commitment"], signIn };
  return await data(owner, "POST", ASSISTANTS, body, { "Step-Up-Proof": proof });
}

async function data(
  owner: Caller,
  method: string,
  path: string,
  body?: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const answer = await owner.call(method, path, { headers, ...(body !== undefined && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

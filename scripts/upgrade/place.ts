/** A release of the service on a data folder, run by its own tasks. */

import { Operator } from "../../tests/support/keep_it_safe.ts";
import { freePort } from "../../tests/support/ports.ts";
import { callApp, type CallOptions, ORIGIN, type TestResponse } from "../../tests/support/world.ts";

/** Disposal stops the service. */
export interface Place extends AsyncDisposable {
  readonly app: { fetch(request: Request): Promise<Response> };
  readonly dataDir: string;
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Runs a command in the checkout, and returns its standard output. */
  run(command: string): Promise<string>;
  /** Returns the text that the service prints. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * @param tree The checkout.
 * @param env More settings.
 */
export function placeOf(
  tree: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Place {
  const port = freePort();
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    // Passkeys belong to its host name.
    PUBLIC_ORIGIN: ORIGIN,
    ASSISTANTS: "true",
    RATE_LIMIT_PER_CREDENTIAL: "0",
    RATE_LIMIT_PER_ADDRESS: "0",
    ...env,
  };
  const operator = new Operator({ cwd: tree, env: settings, words: {} });
  const app = {
    fetch: (request: Request) => {
      const headers = new Headers(request.headers);
      headers.set("Host", new URL(ORIGIN).host);
      const url = request.url.replace(ORIGIN, `http://127.0.0.1:${port}`);
      return fetch(new Request(url, new Request(request, { headers })));
    },
  };
  return {
    app,
    dataDir,
    call: (...call) => callApp(app, ...call),
    run: async (command) => (await operator.run([command]))[0] ?? "",
    start: async () => (await operator.run(["deno task start"]))[0] ?? "",
    stop: () => operator.stop(),
    [Symbol.asyncDispose]: () => operator.stop(),
  };
}

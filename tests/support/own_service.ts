/** The service in the test's process, on the built-in engine. */

import { openObjectStore } from "../../src/attachments/object_store.ts";
import { NO_LIMITS } from "../../src/command/write_limits.ts";
import type { AdminCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openPresentDatabase } from "../../src/operator/open_database.ts";
import { type Config, readConfig } from "../../src/operator/config/config.ts";
import { type Service, startService } from "../../src/service.ts";
import { CHEAP_HASHER, OWNER } from "./owner.ts";
import { type Caller, callerOf, ORIGIN } from "./world.ts";

export function configOf(dataDir: string, settings: Readonly<Record<string, string>> = {}): Config {
  const values: Readonly<Record<string, string>> = {
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
    RATE_LIMIT_PER_CREDENTIAL: "0",
    RATE_LIMIT_PER_ADDRESS: "0",
    ...settings,
  };
  return readConfig({
    get: (name) => values[name],
    readFile: (path) => Deno.readTextFileSync(path),
  });
}

export interface OwnService extends AsyncDisposable {
  readonly port: number;
  readonly app: { fetch(request: Request): Promise<Response> };
  readonly setupToken: string | null;
}

/** Starts a service, which disposal stops. Throws as `startService`. */
export async function startOwn(config: Config): Promise<OwnService> {
  const service: Service = await startService(config, CHEAP_HASHER);
  const { port } = service.server;
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    app: {
      fetch: (request) => fetch(new Request(request.url.replace(ORIGIN, origin), request)),
    },
    setupToken: service.setupToken,
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

export async function setUpOwner({ app, setupToken }: OwnService): Promise<Caller> {
  const response = await app.fetch(
    new Request(`${ORIGIN}/api/v2/auth/setup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ setupToken, ...OWNER, displayName: "Owner", transport: "bearer" }),
    }),
  );
  const { data: { account, session, accessToken } } = await response.json();
  return callerOf(app, {
    accountId: account.accountId,
    sessionId: session.sessionId,
    secret: accessToken,
  });
}

/** Runs an operator's command while no service runs. */
export async function operate(config: Config, command: AdminCommand): Promise<string[]> {
  const database = await openPresentDatabase(config);
  try {
    return await runAdminCommand({
      database,
      config,
      clock: systemClock,
      passwords: CHEAP_HASHER,
      origin: ORIGIN,
      openObjects: () => openObjectStore(`${config.dataDir}/objects`, database, config.attachments),
      seal: () => Promise.resolve(),
      limits: NO_LIMITS,
    }, command);
  } finally {
    await database.close();
  }
}

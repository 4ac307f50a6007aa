/** Settings that have no effect, or are likely not meant, given the others. */

import { isLoopback, ownAddress } from "../../core/loopback.ts";
import type { Config, Environment } from "./config.ts";
import type { VariableName } from "./env.ts";

interface Companion {
  /** Settings without effect, unless the condition is met. */
  readonly names: readonly VariableName[];
  readonly needs: string;
  readonly isMet: (config: Config) => boolean;
}

const COMPANIONS: readonly Companion[] = [
  {
    names: ["DATABASE_POOL_SIZE", "ALLOW_UNSAFE_DATABASE"],
    needs: "DATABASE_URL",
    isMet: ({ databaseUrl }) => databaseUrl !== null,
  },
  {
    names: ["ASSISTANT_CALLS_PER_MINUTE", "ASSISTANT_CALLS_PER_DAY", "ASSISTANT_RECORDS_PER_DAY"],
    needs: "ASSISTANTS=true",
    isMet: ({ assistants }) => assistants !== null,
  },
  {
    names: ["ASSISTANT_REGISTRATION"],
    needs: "ASSISTANTS=true and CONSOLE=true",
    isMet: ({ assistants, console }) => assistants !== null && console,
  },
  {
    names: ["EVALUATION_PROVIDER_MODEL", "EVALUATION_PROVIDER_KEY_FILE"],
    needs: "EVALUATION_PROVIDER_URL",
    isMet: ({ evaluation }) => evaluation.endpoint !== null,
  },
  {
    names: ["EVALUATION_PROVIDER_URL", "EVALUATION_READY_SECONDS"],
    needs: "RELATIONSHIP_EVALUATION_WORKER_ENABLED=true",
    isMet: ({ evaluation }) => evaluation.workerEnabled,
  },
];

/**
 * Finds settings that are valid, but match nothing.
 *
 * @param environment The given settings.
 * @returns sentences that name settings, and no values.
 */
export function settingWarnings(environment: Environment, config: Config): readonly string[] {
  const isGiven = (name: VariableName) => Boolean(environment.get(name));
  const unused = COMPANIONS.filter(({ isMet }) => !isMet(config)).flatMap(({ names, needs }) =>
    names.filter(isGiven).map((name) => `${name}: has no effect without ${needs}`)
  );
  return [...unused, ...sessionWarnings(isGiven, config), ...networkWarnings(config)];
}

function sessionWarnings(
  isGiven: (name: VariableName) => boolean,
  { sessions: { idleDays, absoluteDays } }: Config,
): string[] {
  if (idleDays <= absoluteDays) return [];
  const names = ["SESSION_IDLE_DAYS", "SESSION_IDLE_HOURS"] as const;
  return names.filter(isGiven).map((name) =>
    `${name}: has no effect, because a session ends earlier by SESSION_ABSOLUTE_DAYS or _HOURS`
  );
}

function networkWarnings(config: Config): string[] {
  const { host, publicOrigin, allowedHosts, corsOrigins, trustedProxies } = config;
  const isOpen = host === "::" || host === "0.0.0.0" || !isLoopback(ownAddress(host));
  const origin = publicOrigin === null ? null : new URL(publicOrigin);
  const warnings: string[] = [];
  if (isOpen && origin === null && allowedHosts.length === 0) {
    warnings.push(
      "HOST: other machines can connect, but are answered with 421: set PUBLIC_ORIGIN to what people " +
        "type, or name this machine in ALLOWED_HOSTS",
    );
  }
  if (origin?.protocol === "https:" && trustedProxies === 0) {
    warnings.push(
      "TRUST_PROXY: is 0, but PUBLIC_ORIGIN is https, which a proxy must serve: all people share its " +
        "address, and wrong passwords of one lock out all; set it to the number of proxies",
    );
  }
  if (origin !== null && corsOrigins.includes(origin.origin)) {
    warnings.push("CORS_ORIGINS: names PUBLIC_ORIGIN, whose pages may call the service anyway");
  }
  if (allowedHosts.some((name) => name === origin?.hostname || isLoopback(name))) {
    warnings.push(
      "ALLOWED_HOSTS: names the host of PUBLIC_ORIGIN or this machine, which need no entry",
    );
  }
  return warnings;
}

/** The host name and the origins of passkeys, which survive another address of the service. */

import { isIpAddress } from "../../core/loopback.ts";
import type { Database } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { Config } from "../../operator/config/config.ts";
import type { PasskeySite } from "./verification.ts";

/** The settings on which the host name and the origins of passkeys depend. */
export interface PasskeySettings {
  /** The public origin. */
  readonly origin: string;
  /** Absent if passkeys are used under the public origin alone. */
  readonly passkeys?: Config["passkeys"];
}

/** The origins whose pages may use passkeys, the public one first. */
export function passkeyOrigins({ origin, passkeys }: PasskeySettings): readonly string[] {
  return [origin, ...(passkeys?.origins ?? [])];
}

/** Reads the host name at each ceremony, because another process may have stored it. */
export async function readSite(sql: Sql, settings: PasskeySettings): Promise<PasskeySite> {
  const rpId = settings.passkeys?.host ?? await readStoredHost(sql) ?? hostOf(settings.origin);
  return { rpId, origins: passkeyOrigins(settings) };
}

/**
 * Reads the host name for a ceremony that begins. Browsers do not offer passkeys under an IP
 * address.
 *
 * @throws ServiceError `PASSKEY_STATE_CONFLICT`
 */
export async function readUsableSite(sql: Sql, settings: PasskeySettings): Promise<PasskeySite> {
  const site = await readSite(sql, settings);
  if (isIpAddress(site.rpId) || isIpAddress(hostOf(settings.origin))) {
    throw new ServiceError("PASSKEY_STATE_CONFLICT");
  }
  return site;
}

/** Stores the host name of the installation's first passkey, in its transaction. */
export async function storeHost(sql: Sql, rpId: string): Promise<void> {
  await sql`insert into passkey_host (host_name) values (${rpId}) on conflict do nothing`;
}

/**
 * Stores the public origin's host name if none is stored and a passkey has it: earlier releases
 * stored none.
 *
 * @param origin Null for the default, a port of this machine.
 */
export async function storeHostOfEarlierPasskeys(
  database: Database,
  origin: string | null,
): Promise<void> {
  const host = hostOf(origin ?? "http://localhost");
  await database.write((sql) =>
    sql`
      insert into passkey_host (host_name)
      select host_name from passkeys where host_name = ${host} and removed_at is null limit 1
      on conflict do nothing`
  );
}

async function readStoredHost(sql: Sql): Promise<string | null> {
  const [stored] = await sql<{ host_name: string }>`
    select host_name from passkey_host where singleton`;
  return stored?.host_name ?? null;
}

function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

import { waitUpTo } from "../../core/deadline.ts";
import type { Database } from "../../database/database.ts";
import { schemaVersion } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migration_files.ts";

const TIMEOUT_MS = 2_000;

interface ReadinessServices {
  readonly database: Database;
  readonly inFlight: { readonly isDraining: boolean };
}

/**
 * Readiness: the service is not stopping, and its database responds with its schema or a newer
 * release's, which stays compatible with the previous one.
 */
export class Readiness {
  readonly #services: ReadinessServices;
  readonly #timeoutMs: number;
  #asked: Promise<boolean> | null = null;

  constructor(services: ReadinessServices, timeoutMs = TIMEOUT_MS) {
    this.#services = services;
    this.#timeoutMs = timeoutMs;
  }

  /** Public and without a limit, so all concurrent calls share one query. */
  async isReady(): Promise<boolean> {
    if (this.#services.inFlight.isDraining) return false;
    this.#asked ??= this.#ask().finally(() => this.#asked = null);
    return await this.#asked && !this.#services.inFlight.isDraining;
  }

  async #ask(): Promise<boolean> {
    return await waitUpTo(this.#timeoutMs, hasSchema(this.#services.database)) ?? false;
  }
}

async function hasSchema(database: Database): Promise<boolean> {
  try {
    return await database.read(schemaVersion) >= MIGRATIONS.length;
  } catch {
    return false;
  }
}

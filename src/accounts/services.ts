import type { Clock } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { PasswordHasher } from "./password_hasher.ts";
import type { SessionLives } from "../access/sessions.ts";
import type { EventContextReader } from "../access/event_context.ts";
import type { StepUp } from "../access/step_up.ts";
import type { Throttle } from "./throttle.ts";

/** What the access routes need of the application. */
export interface AccessServices {
  readonly database: Database;
  readonly clock: Clock;
  /** The public origin, which decides the cookie's name and flags. */
  readonly origin: string;
  readonly throttle: Throttle;
  readonly passwords: PasswordHasher;
  /** How long sessions live. */
  readonly sessions: SessionLives;
  /** Reads where a request comes from. */
  readonly eventContextOf: EventContextReader;
  /** Null where the application was given none: then no proof is issued. */
  readonly stepUp: StepUp | null;
}

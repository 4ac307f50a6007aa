/** The second factor's state: the active factor, the pending one, and the valid codes. */

/** The test's number of an authenticator's secret. */
type Secret = number;

export interface Model {
  readonly factor: {
    readonly secret: Secret;
    readonly lastStep: number;
    readonly recoveryCodes: readonly string[];
    /** Since the last right code, at most `LIMIT`. */
    readonly wrongCodes: number;
  } | null;
  readonly pending: {
    readonly secret: Secret;
    readonly session: string;
    readonly since: number;
  } | null;
}

/** The code of a secret in a step, a recovery code, or neither. */
export type Sent =
  | { readonly secret: Secret; readonly step: number }
  | { readonly recoveryCode: string }
  | null;

/** Requests that require a second factor. */
export type Use = "login" | "step-up" | "password";

/** `guesses` are sign-ins with wrong codes; `session` sends the command. */
export type Command =
  | { readonly kind: "begin"; readonly session: string; readonly secret: Secret }
  | { readonly kind: "confirm"; readonly session: string; readonly sent: NonNullable<Sent> }
  | { readonly kind: Use; readonly isRight: boolean; readonly sent: Sent }
  | { readonly kind: "guesses"; readonly count: number }
  | { readonly kind: "disable" | "recovery-codes" | "reset" };

/** The error code or null, and the new state; without new recovery codes. */
export interface Prediction {
  readonly refusal: string | null;
  readonly model: Model;
}

const STEP = 30_000;
const PENDING = 10 * 60_000;
/** Wrong codes after which right ones are refused. */
const LIMIT = 20;
const OFF: Model = { factor: null, pending: null };

/** Predicts for a time in milliseconds. */
export function predict(model: Model, command: Command, now: number): Prediction {
  const { factor, pending } = model;
  const done = (next: Model): Prediction => ({ refusal: null, model: next });
  const refused = (refusal: string): Prediction => ({ refusal, model });
  switch (command.kind) {
    case "begin": {
      const { session, secret } = command;
      return done({ factor, pending: { secret, session, since: now } });
    }
    case "confirm": {
      const isPending = pending?.session === command.session && now < pending.since + PENDING;
      if (!isPending) return refused("SECOND_FACTOR_STATE_CONFLICT");
      const step = goodStep(command.sent, pending.secret, now);
      if (step === null) return refused("PAYLOAD_INVALID");
      const { secret } = pending;
      const factor = { secret, lastStep: step, recoveryCodes: [], wrongCodes: 0 };
      return done({ factor, pending: null });
    }
    case "guesses":
      return done(withWrongCodes(model, command.count));
    case "login":
    case "step-up":
    case "password": {
      const wrong = command.kind === "login" ? "AUTH_REQUIRED" : "STEP_UP_REQUIRED";
      if (!command.isRight) return refused(wrong);
      // A new password discards the pending secret.
      const left = command.kind === "password" ? null : pending;
      if (factor === null) return done({ pending: left, factor });
      const { sent } = command;
      if (sent === null) return refused("SECOND_FACTOR_REQUIRED");
      if ("recoveryCode" in sent) {
        if (!factor.recoveryCodes.includes(sent.recoveryCode)) return refused(wrong);
        const recoveryCodes = factor.recoveryCodes.filter((code) => code !== sent.recoveryCode);
        return done({ pending: left, factor: { ...factor, recoveryCodes, wrongCodes: 0 } });
      }
      const step = goodStep(sent, factor.secret, now);
      if (step === null || step <= factor.lastStep || factor.wrongCodes >= LIMIT) {
        return { refusal: wrong, model: withWrongCodes(model, 1) };
      }
      return done({ pending: left, factor: { ...factor, lastStep: step, wrongCodes: 0 } });
    }
    case "disable":
      return factor === null ? refused("SECOND_FACTOR_STATE_CONFLICT") : done(OFF);
    case "recovery-codes":
      return factor === null
        ? refused("SECOND_FACTOR_STATE_CONFLICT")
        : done({ pending, factor: { ...factor, recoveryCodes: [] } });
    case "reset":
      return done(OFF);
  }
}

function withWrongCodes({ factor, pending }: Model, count: number): Model {
  if (factor === null) return { factor, pending };
  return { pending, factor: { ...factor, wrongCodes: Math.min(factor.wrongCodes + count, LIMIT) } };
}

/** Refused only because of earlier wrong codes. */
export function isRefusedByCount(model: Model, command: Command, now: number): boolean {
  const { factor } = model;
  if (factor === null || factor.wrongCodes < LIMIT) return false;
  const counted = predict(model, command, now).refusal;
  return counted !==
    predict({ ...model, factor: { ...factor, wrongCodes: 0 } }, command, now).refusal;
}

/** The step of a currently valid code. */
function goodStep(sent: NonNullable<Sent>, secret: Secret, now: number): number | null {
  if (!("step" in sent) || sent.secret !== secret) return null;
  return Math.abs(sent.step - Math.floor(now / STEP)) <= 1 ? sent.step : null;
}

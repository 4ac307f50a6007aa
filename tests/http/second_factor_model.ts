/** The second factor as one would say it: what is on, what is pending, and which codes are still good. */

/** A secret that an authenticator holds, by a number of the test's own. */
type Secret = number;

/** What the model knows. */
export interface Model {
  readonly factor: {
    readonly secret: Secret;
    readonly lastStep: number;
    readonly recoveryCodes: readonly string[];
  } | null;
  readonly pending: {
    readonly secret: Secret;
    readonly session: string;
    readonly since: number;
  } | null;
}

/** What is sent of a factor: the code of a secret in a step, a recovery code, or neither. */
export type Sent =
  | { readonly secret: Secret; readonly step: number }
  | { readonly recoveryCode: string }
  | null;

/** What may happen. `session` names the session that asks. */
export type Command =
  | { readonly kind: "begin"; readonly session: string; readonly secret: Secret }
  | { readonly kind: "confirm"; readonly session: string; readonly sent: NonNullable<Sent> }
  | { readonly kind: "login" | "step-up"; readonly isRight: boolean; readonly sent: Sent }
  | { readonly kind: "disable" | "recovery-codes" | "reset" };

/** The code of the refusal, or null, and what is then. Recovery codes that are made come later. */
export interface Prediction {
  readonly refusal: string | null;
  readonly model: Model;
}

const STEP = 30_000;
const PENDING = 10 * 60_000;
const OFF: Model = { factor: null, pending: null };

/** What a command comes to at a moment, in milliseconds. */
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
      return done({ factor: { secret, lastStep: step, recoveryCodes: [] }, pending: null });
    }
    case "login":
    case "step-up": {
      const wrong = command.kind === "login" ? "AUTH_REQUIRED" : "STEP_UP_REQUIRED";
      if (!command.isRight) return refused(wrong);
      if (factor === null) return done(model);
      const { sent } = command;
      if (sent === null) return refused("SECOND_FACTOR_REQUIRED");
      if ("recoveryCode" in sent) {
        if (!factor.recoveryCodes.includes(sent.recoveryCode)) return refused(wrong);
        const left = factor.recoveryCodes.filter((code) => code !== sent.recoveryCode);
        return done({ pending, factor: { ...factor, recoveryCodes: left } });
      }
      const step = goodStep(sent, factor.secret, now);
      if (step === null || step <= factor.lastStep) return refused(wrong);
      return done({ pending, factor: { ...factor, lastStep: step } });
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

/** The step of a code, where it is one of the secret's that counts now. */
function goodStep(sent: NonNullable<Sent>, secret: Secret, now: number): number | null {
  if (!("step" in sent) || sent.secret !== secret) return null;
  return Math.abs(sent.step - Math.floor(now / STEP)) <= 1 ? sent.step : null;
}

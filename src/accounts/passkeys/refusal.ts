/** The rules that a passkey's answer can break. Only a registration reports them. */
type PasskeyRule =
  | "passkey.ceremony"
  | "passkey.client_data"
  | "passkey.challenge"
  | "passkey.origin"
  | "passkey.rp"
  | "passkey.user_verification"
  | "passkey.attestation"
  | "passkey.format"
  | "passkey.algorithm"
  | "passkey.known"
  | "passkey.user"
  | "passkey.signature"
  | "passkey.counter";

/** An answer of an authenticator that is not accepted. */
export class PasskeyRefusal extends Error {
  override readonly name = "PasskeyRefusal";
  readonly rule: PasskeyRule;

  constructor(rule: PasskeyRule, cause?: unknown) {
    super(rule, { cause });
    this.rule = rule;
  }
}

/** The refusal that a piece of work ended with, or its result. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | PasskeyRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PasskeyRefusal) return error;
    throw error;
  }
}

/** The rules of a passkey's answer. Only a registration reports the violated one. */
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

export class PasskeyRefusal extends Error {
  override readonly name = "PasskeyRefusal";
  readonly rule: PasskeyRule;

  constructor(rule: PasskeyRule, cause?: unknown) {
    super(rule, { cause });
    this.rule = rule;
  }
}

/** Returns the result of the work, or the refusal that it threw. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | PasskeyRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PasskeyRefusal) return error;
    throw error;
  }
}

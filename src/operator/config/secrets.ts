/** A value that cannot be printed by accident: every way to text yields a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [Symbol.for("Deno.customInspect")](): string {
    return "[secret]";
  }
}

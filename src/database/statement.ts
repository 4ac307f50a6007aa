import type { Query, Sql, SqlValue } from "./sql.ts";

/** The text has placeholders `$1`, `$2`, … for its parameters. */
export interface Composed {
  readonly text: string;
  readonly parameters: readonly SqlValue[];
}

type Send = <Row>(statement: Composed) => Promise<Row[]>;

/** A composed statement, sent when first awaited, unless it becomes a part of another one. */
export class Statement<Row> implements Query<Row> {
  readonly [Symbol.toStringTag] = "Statement";
  readonly #strings: readonly string[];
  readonly #values: readonly (SqlValue | Query<object>)[];
  readonly #send: Send;
  #answer: Promise<Row[]> | null = null;

  constructor(
    strings: readonly string[],
    values: readonly (SqlValue | Query<object>)[],
    send: Send,
  ) {
    this.#strings = strings;
    this.#values = values;
    this.#send = send;
  }

  execute(): this {
    this.#answered();
    return this;
  }

  then<Kept = Row[], Caught = never>(
    kept?: ((rows: Row[]) => Kept | PromiseLike<Kept>) | null,
    caught?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    return this.#answered().then(kept, caught);
  }

  catch<Caught = never>(
    caught?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Row[] | Caught> {
    return this.#answered().catch(caught);
  }

  finally(settled?: (() => void) | null): Promise<Row[]> {
    return this.#answered().finally(settled);
  }

  compose(): Composed {
    const parameters: SqlValue[] = [];
    return { text: this.#appendTo(parameters), parameters };
  }

  #answered(): Promise<Row[]> {
    return this.#answer ??= this.#send<Row>(this.compose());
  }

  #appendTo(parameters: SqlValue[]): string {
    let text = this.#strings[0] ?? "";
    for (let index = 0; index < this.#values.length; index++) {
      const value = this.#values[index] as SqlValue | Statement<object>;
      text += value instanceof Statement
        ? value.#appendTo(parameters)
        : `$${parameters.push(value)}`;
      text += this.#strings[index + 1];
    }
    return text;
  }
}

/** @param assertUsable Throws if no statement may be composed now. */
export function createTemplate(send: Send, assertUsable: () => void): Sql {
  return <Row extends object>(
    strings: TemplateStringsArray,
    ...values: (SqlValue | Query<object>)[]
  ) => {
    assertUsable();
    values.forEach(assertSendable);
    return new Statement<Row>(strings, values, send);
  };
}

/**
 * Rejects values that break the driver while other statements are running: it would treat this
 * statement as sent, and deliver each later response to the wrong statement.
 */
function assertSendable(value: unknown): void {
  if (value === undefined || (value instanceof Date && Number.isNaN(value.getTime()))) {
    throw new TypeError("Cannot send a parameter that is undefined or not a date");
  }
}

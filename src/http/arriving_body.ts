import type { Caller } from "../access/identity.ts";
import type { JsonValue } from "../core/json.ts";
import type { AccountPlaces } from "./account_places.ts";
import { PUBLIC_BODY, readRequestBody, SIGNED_IN_BODY } from "./request.ts";
import type { BodyRule } from "./route.ts";

export interface BodySource {
  readonly read: (reader: Caller) => Promise<JsonValue>;
}

/** A body, read at most once, returned to every caller, and abandoned after the response. */
export class ArrivingBody implements BodySource {
  readonly #rule: BodyRule;
  readonly #request: Request;
  readonly #places: AccountPlaces;
  #reading: { readonly whole: Promise<JsonValue>; readonly end: AbortController } | null = null;

  /** @param places Limits an account's concurrent bodies. */
  constructor(rule: BodyRule, request: Request, places: AccountPlaces) {
    this.#rule = rule;
    this.#request = request;
    this.#places = places;
  }

  /**
   * Reads the body, and holds a place of the reader's account until it has arrived.
   *
   * @throws ServiceError as `readRequestBody`; `HTTP_429` if the account has no place left.
   */
  async read(reader: Caller): Promise<JsonValue> {
    return this.#takesPlace
      ? await this.#places.run(reader, () => this.readUncounted())
      : await this.readUncounted();
  }

  readUncounted(): Promise<JsonValue> {
    if (this.#request.body === null) return this.#receive(undefined);
    if (this.#reading === null) {
      const end = new AbortController();
      this.#reading = { whole: this.#receive(end.signal), end };
    }
    return this.#reading.whole;
  }

  /** Abandons the body: its rest is not read. */
  end(): void {
    this.#reading?.end.abort();
  }

  /** False for requests that revoke credentials: they need no place, but have a short timeout. */
  get #takesPlace(): boolean {
    return this.#rule === "json" || this.#rule === "optional-json";
  }

  #receive(ended: AbortSignal | undefined): Promise<JsonValue> {
    const limits = this.#takesPlace ? SIGNED_IN_BODY : PUBLIC_BODY;
    return readRequestBody(this.#rule, this.#request, { ...limits, ended });
  }
}

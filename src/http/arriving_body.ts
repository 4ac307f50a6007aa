import { UnconfirmedError } from "../access/assumption.ts";
import type { Identity } from "../access/identity.ts";
import { within } from "../core/deadline.ts";
import type { JsonValue } from "../core/json.ts";
import type { AccountPlaces } from "./account_places.ts";
import { PUBLIC_BODY, readRequestBody, SIGNED_IN_BODY } from "./request.ts";
import type { BodyRule } from "./route.ts";

/**
 * The body of a protected request: read once at most, given to each who asks for it, and read no further
 * once the request is answered.
 */
export class ArrivingBody {
  readonly #rule: BodyRule;
  readonly #request: Request;
  readonly #places: AccountPlaces;
  #reading: { readonly whole: Promise<JsonValue>; readonly end: AbortController } | null = null;

  /** `places` bounds how many bodies of one account arrive at once. */
  constructor(rule: BodyRule, request: Request, places: AccountPlaces) {
    this.#rule = rule;
    this.#request = request;
    this.#places = places;
  }

  /**
   * The body, which takes a place of its reader's account until it is there. The credential of a reader
   * that is assumed may have ended: its body neither takes a place nor is waited for.
   *
   * @throws ServiceError as `readRequestBody`; `HTTP_429` where the account has no place left;
   * UnconfirmedError where the reader is assumed and the body is not there at once.
   */
  async read(reader: Identity): Promise<JsonValue> {
    if (reader.assumption !== undefined) return await this.#readAtOnce();
    return this.#takesPlace
      ? await this.#places.run(reader, () => this.#read())
      : await this.#read();
  }

  /** The request is answered: what has not come by now is not read. */
  end(): void {
    this.#reading?.end.abort();
  }

  /** What ends sessions and tokens takes no place, so that it is never without one, and has little time. */
  get #takesPlace(): boolean {
    return this.#rule === "json" || this.#rule === "optional-json";
  }

  async #readAtOnce(): Promise<JsonValue> {
    const whole = this.#read();
    // It may fail when nothing waits for it.
    whole.catch(() => {});
    return await within(0, whole, () => new UnconfirmedError());
  }

  #read(): Promise<JsonValue> {
    if (this.#request.body === null) return this.#receive(undefined);
    if (this.#reading === null) {
      const end = new AbortController();
      this.#reading = { whole: this.#receive(end.signal), end };
    }
    return this.#reading.whole;
  }

  #receive(ended: AbortSignal | undefined): Promise<JsonValue> {
    const limits = this.#takesPlace ? SIGNED_IN_BODY : PUBLIC_BODY;
    return readRequestBody(this.#rule, this.#request, { ...limits, ended });
  }
}

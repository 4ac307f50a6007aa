import type { Operation, RefusalCode } from "./types.ts";

/** The service, or something in front of it, refused a request. */
export class Refusal<Name extends Operation = Operation> extends Error {
  override readonly name: string = "Refusal";
  /** The service's stable code; `HTTP_` and the status if the answer is not the service's. */
  readonly code: RefusalCode<Name>;
  readonly status: number;
  /** Names the request in the service's log; null if the answer has none. */
  readonly requestId: string | null;
  /** Names and numbers that belong to the code. */
  readonly details: Readonly<Record<string, unknown>>;

  /** Makes a refusal; its message has the code and the status only. */
  constructor(
    code: RefusalCode<Name>,
    status: number,
    requestId: string | null = null,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code} (${status})`);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

/**
 * The account has moved to another service, and nothing was done. The client never goes there by
 * itself: its owner signs in at `movedTo` and makes a new token.
 */
export class AccountMovedError extends Refusal {
  override readonly name: string = "AccountMovedError";
  /** The origin of the other service. */
  readonly movedTo: string;

  /** Makes the refusal, with the address as its detail. */
  constructor(movedTo: string, status: number, requestId: string | null = null) {
    super("ACCOUNT_MOVED", status, requestId, { movedTo });
    this.movedTo = movedTo;
  }
}

/** No answer came; `cause` is the network's error. Whether a write was done is not known. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  /** Makes the error from the one of the network. */
  constructor(cause: unknown) {
    super("The service is not reachable", { cause });
  }
}

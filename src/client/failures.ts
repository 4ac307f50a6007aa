import type { Operation, RefusalCode } from "./types.ts";

/** The service, or something in front of it, refused a request. */
export class Refusal<Name extends Operation = Operation> extends Error {
  override readonly name = "Refusal";
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

/** No answer came; `cause` is the network's error. Whether a write was done is not known. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  /** Makes the error from the one of the network. */
  constructor(cause: unknown) {
    super("The service is not reachable", { cause });
  }
}

import { Refusal } from "./failures.ts";
import {
  assertVisible,
  isObject,
  type Outgoing,
  parse,
  Sender,
  sleep,
  unlessAborted,
} from "./sender.ts";
import type {
  CallArguments,
  CallOptions,
  ChangeBody,
  ChangeOperation,
  ClientOptions,
  FollowEvent,
  Item,
  ListOperation,
  Operation,
  Present,
  Result,
  SendOptions,
} from "./types.ts";
import { type Attachment, type Route, ROUTES } from "./wire.ts";

const OWN_HEADERS = ["authorization", "idempotency-key", "content-type"];
const ATTACHMENTS = "/api/v2/attachments";
const CHANGES_A_PAGE = 100;
/** How often `change` reads again after a conflict. */
const CONFLICTS = 3;

/** Options whose types the operation has checked. */
interface AnyOptions extends SendOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  // deno-lint-ignore no-explicit-any -- any value that JSON can express
  readonly body?: any;
}

/** A client of one service. */
export class Client {
  readonly #sender: Sender;

  /** @throws RangeError unless the origin is https, or http on this machine, without a path. */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /**
   * Calls an operation. If it takes a key, all its tries have the same one.
   *
   * @throws RangeError for invalid input, before any request.
   * @throws Refusal, Unreachable, or the signal's reason.
   */
  call<Name extends Operation>(
    operation: Name,
    ...args: CallArguments<Name>
  ): Promise<Result<Name>> {
    return this.#call(operation, args[0] as AnyOptions | undefined);
  }

  /** Reads the items of a list or a search, page by page, each once. */
  async *each<Name extends ListOperation>(
    operation: Name,
    ...args: CallArguments<Name>
  ): AsyncGenerator<Item<Name>, void> {
    const options = (args[0] ?? {}) as AnyOptions;
    const route = routeOf(operation);
    if (route.kind !== "list") refuse("The operation is not a list");
    const place = route.method === "GET" ? "query" : "body";
    let more = {};
    while (true) {
      const sent = { ...options, [place]: { ...options[place], ...more } };
      const { items, nextCursor } = (await this.#call(operation, sent)).data as {
        readonly items: readonly Item<Name>[];
        readonly nextCursor: string | null;
      };
      yield* items;
      if (nextCursor === null) return;
      more = { cursor: nextCursor };
    }
  }

  /**
   * Follows the changes feed: reads all present pages, then polls every `every` milliseconds
   * (default 30,000; not under 1,000 outside tests). Ends when the signal is aborted or, with
   * `once`, at the end of the feed. If the service no longer knows the cursor, restarts from the
   * beginning.
   */
  async *follow(
    { after, every = 30_000, once = false, signal }: {
      readonly after?: string | null | undefined;
      readonly every?: number | undefined;
      readonly once?: boolean | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): AsyncGenerator<FollowEvent, void> {
    let cursor = after ?? null;
    try {
      while (true) {
        const page = await this.#changes(cursor, signal);
        if (page === null) {
          cursor = null;
          yield { event: "restarted", cursor };
          continue;
        }
        for (const [index, entry] of page.items.entries()) {
          if (signal?.aborted) return;
          const isLast = index === page.items.length - 1;
          yield { event: "change", cursor: isLast ? page.nextCursor : cursor, ...entry };
        }
        cursor = page.nextCursor;
        if (page.hasMore) continue;
        if (once) return;
        await sleep(every, signal);
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  /** One page of the feed; null if the feed no longer knows the cursor. */
  async #changes(after: string | null, signal: AbortSignal | undefined) {
    const query = { limit: CHANGES_A_PAGE, ...after !== null && { after } };
    try {
      return (await this.call("changes.list", { query, signal })).data;
    } catch (error) {
      const isUnknown = error instanceof Refusal &&
        (error.details.rules as string[] | undefined)?.includes?.("cursor.feed");
      if (after !== null && isUnknown) return null;
      throw error;
    }
  }

  /**
   * Reads the present state, passes it to `make`, and sends the returned body with the expected
   * revision; null means no change. After a conflict it starts again, up to three times.
   *
   * @throws Refusal `REVISION_CONFLICT` for the fourth conflict.
   */
  async change<Name extends ChangeOperation>(
    operation: Name,
    options: Pick<CallOptions<Name>, "path" & keyof CallOptions<Name>> & {
      readonly signal?: AbortSignal | undefined;
    },
    make: (
      present: Present<Name>,
    ) => ChangeBody<Name> | null | Promise<ChangeBody<Name> | null>,
  ): Promise<Result<Name> | null> {
    const route = routeOf(operation);
    const reader = Object.entries<Route>(ROUTES).find(([, { method, path }]) =>
      method === "GET" && path === route.path
    );
    if (route.kind !== "change" || reader === undefined) {
      return refuse("The operation is not a change");
    }
    const { path, signal } = options as AnyOptions;
    const more = { ...path && { path }, signal };
    for (let conflicts = 0;; conflicts++) {
      const { data: present } = await this.#call<Name>(reader[0], more);
      const made = await make(present as Present<Name>);
      if (made === null) return null;
      const { revision: expectedRevision } = present as { readonly revision: number };
      try {
        return await this.#call(operation, { ...more, body: { ...made, expectedRevision } });
      } catch (error) {
        const isConflict = error instanceof Refusal && error.code === "REVISION_CONFLICT";
        if (!isConflict || conflicts === CONFLICTS) throw error;
      }
    }
  }

  /**
   * Uploads a file as an attachment, in one try.
   *
   * @throws Refusal `DIGEST_MISMATCH` if the service received other bytes.
   */
  async upload(
    bytes: Uint8Array | Blob | ReadableStream<Uint8Array>,
    { filename, mediaType, signal }: {
      readonly filename: string;
      readonly mediaType?: string | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Attachment> {
    const type = mediaType ?? (bytes instanceof Blob && bytes.type || "application/octet-stream");
    // Browsers stream a request over HTTP/2 only; an attachment has at most 64 MiB.
    const content = () => new Response(bytes as BodyInit).arrayBuffer();
    const body = new Uint8Array(await unlessAborted(signal, content));
    const headers = new Headers({
      "Content-Type": type,
      "X-Filename": encodeURIComponent(filename),
    });
    const request = { method: "POST", path: ATTACHMENTS, headers, body, repeats: false, signal };
    const { data, status, requestId } = await this.#sender.send(request, readEnvelope);
    const attachment = data as Attachment;
    if (attachment.sha256 !== await sha256(body)) {
      throw new Refusal("DIGEST_MISMATCH", status, requestId);
    }
    return attachment;
  }

  /** Downloads an attachment. The stream fails with `DIGEST_MISMATCH` if size or bytes differ. */
  async download(
    attachmentId: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const path = { attachmentId };
    const { data } = await this.call("attachment.detail", { path, signal });
    const at = `${ATTACHMENTS}/${encodeURIComponent(attachmentId)}/content`;
    return checked(await this.send("GET", at, { signal }), data);
  }

  /**
   * Sends a request to any path; both bodies may be bytes. Retries a GET, and a request with a key
   * unless its body is a stream.
   *
   * @returns the successful response, with its body unread.
   */
  async send(method: string, path: string, options: SendOptions = {}): Promise<Response> {
    const { body, signal, key } = options;
    if (!path.startsWith("/")) refuse("The path does not begin with a slash");
    const headers = headersOf(options);
    const repeats = method === "GET" || key !== undefined && !(body instanceof ReadableStream);
    return await this.#sender.send(
      { method, path, headers, body: body as BodyInit | undefined, repeats, signal },
      (response) => Promise.resolve(response),
    );
  }

  async #call<Name extends Operation>(
    operation: string,
    options: AnyOptions = {},
  ): Promise<Result<Name>> {
    const { query = {}, body, headers, key, signal } = options;
    const route = routeOf(operation);
    const { method, kind } = route;
    const isKeyed = kind === "keyed" || kind === "change";
    if (key !== undefined && !isKeyed) refuse("The operation takes no key");
    if (body !== undefined && method === "GET") refuse("The operation takes no body");
    if ([...new Headers(headers).keys()].some((name) => OWN_HEADERS.includes(name))) {
      refuse("The client sets this header itself");
    }
    const search = new URLSearchParams();
    addTo(search, "", query);
    const sent = headersOf({
      ...options,
      key: isKeyed ? key ?? crypto.randomUUID() : undefined,
    });
    if (body !== undefined) sent.set("Content-Type", "application/json");
    const request: Outgoing = {
      method,
      path: `${fill(route, options.path ?? {})}?${search}`.replace(/\?$/, ""),
      headers: sent,
      body: JSON.stringify(body),
      repeats: kind !== "once",
      signal,
    };
    return await this.#sender.send(request, readEnvelope) as Result<Name>;
  }
}

/** @throws RangeError always, instead of making a request. */
function refuse(why: string): never {
  throw new RangeError(why);
}

/** @throws RangeError for an unknown operation. */
function routeOf(operation: string): Route {
  if (!Object.hasOwn(ROUTES, operation)) refuse("Unknown operation");
  return ROUTES[operation as Operation];
}

/** @throws RangeError for a missing or an unknown member. */
function fill({ path }: Route, values: Readonly<Record<string, unknown>>): string {
  const unknown = new Set(Object.keys(values));
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = unknown.delete(name) ? String(values[name] ?? "") : "";
    // A URL resolves the last two, however they are encoded.
    if (["", ".", ".."].includes(value)) refuse(`The path needs ${name}`);
    return encodeURIComponent(value);
  });
  if (unknown.size > 0) refuse("The path has no such member");
  return filled;
}

/** Adds members to a query; those of an object inside as `name[member]`. */
function addTo(search: URLSearchParams, name: string, values: Readonly<Record<string, unknown>>) {
  for (const [member, value] of Object.entries(values)) {
    const full = name === "" ? member : `${name}[${member}]`;
    if (isObject(value)) addTo(search, full, value);
    else if (value !== undefined && value !== null) search.append(full, String(value));
  }
}

function headersOf({ headers, key, proof }: SendOptions): Headers {
  const sent = new Headers(headers);
  for (const [name, value] of [["Idempotency-Key", key], ["Step-Up-Proof", proof]] as const) {
    if (value === undefined) continue;
    assertVisible(value, name);
    sent.set(name, value);
  }
  return sent;
}

/** @throws Refusal if a successful response is not the service's. */
async function readEnvelope(response: Response): Promise<Result<Operation>> {
  const { status, headers } = response;
  const answer = parse(await response.text());
  const requestId = headers.get("X-Request-Id");
  if (!isObject(answer) || !Object.hasOwn(answer, "data")) {
    throw new Refusal(`HTTP_${status}`, status, requestId);
  }
  const { data, meta } = answer as { readonly data: Result<Operation>["data"]; meta?: unknown };
  const named = isObject(meta) && typeof meta.requestId === "string" ? meta.requestId : requestId;
  const replayed = headers.get("Idempotency-Replayed") === "true";
  return { data, status, requestId: named, replayed, etag: headers.get("ETag") };
}

/** The bytes of a response, compared with the attachment's size and digest. */
function checked(
  { body, status, headers }: Response,
  stated: Pick<Attachment, "size" | "sha256">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const mismatch = () => new Refusal("DIGEST_MISMATCH", status, headers.get("X-Request-Id"));
  const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      size += bytes.length;
      // The rest is not read.
      if (size > stated.size) throw mismatch();
      parts.push(bytes);
      controller.enqueue(bytes);
    },
    async flush() {
      if (await sha256(await new Blob(parts).arrayBuffer()) !== stated.sha256) throw mismatch();
    },
  });
  return (body ?? new Blob().stream()).pipeThrough(check);
}

async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

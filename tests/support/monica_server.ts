/** A stand-in of Monica's API on this machine. */

import type { JsonObject } from "../../src/core/json.ts";
import { type ApiAccount, apiAccount } from "./monica_api.ts";

/**
 * Answers instead of the API, or returns null.
 *
 * @param count The number of earlier requests for the path.
 */
export type Fault = (
  path: string,
  count: number,
) => Response | null | Promise<Response | null>;

export class MonicaServer implements AsyncDisposable {
  /** Methods and addresses of all requests. */
  readonly requests: string[] = [];
  /** The values of their `Authorization`. */
  readonly credentials = new Set<string | null>();
  account: ApiAccount;
  fault: Fault = () => null;
  readonly #counts = new Map<string, number>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(noteCount?: number) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
    this.account = apiAccount(this.origin, noteCount);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Counts requests from 0 again. */
  resetCounts(): void {
    this.#counts.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const path = `${pathname}${search}`;
    this.requests.push(`${request.method} ${path}`);
    this.credentials.add(request.headers.get("Authorization"));
    const count = this.#counts.get(path) ?? 0;
    this.#counts.set(path, count + 1);
    const fault = await this.fault(path, count);
    if (fault !== null) return fault;
    const file = this.account.files[pathname];
    if (file !== undefined) return new Response(file);
    if (pathname.startsWith("/store/")) return Response.redirect(`${this.origin}/login`, 302);
    const [, api, list = "", id, more] = pathname.split("/");
    if (api !== "api") return new Response("", { status: 404 });
    if (list === "me") return Response.json({ data: { id: 1, account: { id: 7 } } });
    const { contacts, relationships, lists } = this.account;
    if (more !== undefined) return Response.json({ data: relationships.get(Number(id)) ?? [] });
    const one = contacts.get(Number(id));
    if (one !== undefined) return Response.json({ data: one });
    const records = id === undefined ? lists[list] : undefined;
    if (records === undefined) return Response.json({ error: {} }, { status: 404 });
    return Response.json(pageOf(records, searchParams));
  }
}

/** Orders records of equal times in another way on every second page, as MySQL may. */
function pageOf(records: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const [limit, page] = [Number(query.get("limit")), Number(query.get("page"))];
  const sign = query.get("sort") === "created_at" ? 1 : -1;
  const tie = page % 2 === 0 ? -1 : 1;
  const sorted = records.toSorted((one, other) => {
    const isEqual = one.created_at === other.created_at;
    if (isEqual) return sign * tie * (Number(one.id) - Number(other.id));
    return String(one.created_at) < String(other.created_at) ? -sign : sign;
  });
  const data = sorted.slice((page - 1) * limit, page * limit);
  return { data, meta: { current_page: page, per_page: String(limit), total: records.length } };
}

/** Clients of a service that a test plays. */

import { assert } from "@std/assert";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";

export const ORIGIN = "https://records.example";
export const TOKEN = "prs_p_a-secret-that-nobody-sees";
export const ID = "01JD5A0000000000000000F11E";

/** A request as the service received it. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: RequestRedirect | undefined;
}

type Answer = Response | Error | ((sent: Sent) => Response | Promise<Response>);

/** A client whose requests get these answers; further requests get the last one. */
export function play(
  answers: readonly Answer[],
  options: Partial<ClientOptions> = {},
): { readonly sent: Sent[]; readonly client: Client } {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const { method = "", redirect } = init;
    const body = await new Response(init.body ?? null).text();
    sent.push({ method, url, headers: new Headers(init.headers), body, redirect });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    assert(answer !== undefined);
    return answer instanceof Response ? answer.clone() : await answer(sent.at(-1) as Sent);
  };
  return { sent, client: new Client({ origin: ORIGIN, token: TOKEN, fetch, ...options }) };
}

export function answer(
  data: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ data, meta: { requestId: "request-1" } }, { status, headers });
}

export function refusal(
  code: string,
  status: number,
  more: Record<string, unknown> = {},
): Response {
  const { headers = {}, ...details } = more;
  const error = { code, message: "No", requestId: "request-2", details };
  return Response.json({ error }, { status, headers: headers as Record<string, string> });
}

export const LOST = new TypeError("The connection was lost");
export const CREATE = {
  path: { moduleCode: "commitment" },
  body: {
    title: "The ladder",
    payload: { commitmentType: "BORROWED", content: "Back", completionStatus: "OPEN" },
  },
} as const;
export const DETAIL = { path: { moduleCode: "commitment", recordId: ID } } as const;

/** Runs something while waits end at once, and returns how long each was to be. */
export async function waitsOf(run: () => Promise<unknown>): Promise<number[]> {
  const real = globalThis.setTimeout;
  const waits: number[] = [];
  globalThis.setTimeout = ((resolve: () => void, milliseconds = 0) => {
    waits.push(milliseconds);
    return real(resolve, 0);
  }) as typeof setTimeout;
  try {
    await run();
  } finally {
    globalThis.setTimeout = real;
  }
  return waits;
}

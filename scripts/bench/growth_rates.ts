import { PAYLOAD, SUMMARY, TITLE } from "./operations.ts";
import { RECORDS } from "./growth_seed.ts";
import type { LoadProcess, RequestTemplate } from "./load.ts";

/** A separate module, outside the measured lists. */
const CREATED = "/api/v2/records/timeline";
const CONNECTIONS = [1, 16] as const;
const SECONDS = 2;
const WARM_UP_SECONDS = 0.3;
const UPLOAD_BYTES = 32 * 1024;

/** Requests per second by number of connections. */
export type Rates = Readonly<Record<string, number>>;

interface Caller {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Records to read. */
  readonly ids: readonly string[];
}

const CREATE_BODY = JSON.stringify({
  title: TITLE,
  summary: SUMMARY,
  payload: JSON.parse(PAYLOAD),
});

function creation({ headers }: Caller): RequestTemplate {
  return {
    method: "POST",
    path: CREATED,
    headers: { ...headers, "Idempotency-Key": `${crypto.randomUUID()}-{serial}` },
    body: CREATE_BODY,
    status: 201,
  };
}

/** Each has other content. */
function upload({ headers }: Caller): RequestTemplate {
  return {
    method: "POST",
    path: "/api/v2/attachments",
    headers: { ...headers, "X-Filename": "notes.json" },
    body: "{serial}".padEnd(UPLOAD_BYTES, "a"),
    status: 201,
  };
}

export interface StageRates {
  readonly create: Rates;
  readonly get: Rates;
  readonly upload: Rates;
}

/** @throws if a request is rejected. */
export async function measureRates(load: LoadProcess, caller: Caller): Promise<StageRates> {
  const { headers, ids } = caller;
  const path = `${RECORDS}/{value}`;
  const get = { method: "GET", path, headers, values: ids, status: 200 } as const;
  return {
    get: await measure(load, caller.port, get),
    create: await measure(load, caller.port, creation(caller)),
    // An account may send few uploads at once.
    upload: await measure(load, caller.port, upload(caller), [1]),
  };
}

async function measure(
  load: LoadProcess,
  port: number,
  template: RequestTemplate,
  counts: readonly number[] = CONNECTIONS,
): Promise<Rates> {
  const rates: Record<string, number> = {};
  for (const connections of counts) {
    const job = { port, template, connections, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
    const { rate, errors, firstError } = await load.run(job);
    if (errors > 0) throw new Error(`${template.method} was refused: ${firstError}`);
    rates[connections] = rate;
  }
  return rates;
}

import { PAYLOAD, SUMMARY, TITLE } from "./operations.ts";
import { RECORDS } from "./growth_seed.ts";
import type { LoadProcess, RequestTemplate } from "./load.ts";
import type { ServiceProcess } from "./service_process.ts";

/** A separate module, outside the measured lists. */
const CREATED = "/api/v2/records/timeline";
const CONNECTIONS = [1, 16] as const;
const SECONDS = 2;
const WARM_UP_SECONDS = 0.3;
const UPLOAD_BYTES = 32 * 1024;

/** Requests per second by number of connections. */
export type Rates = Readonly<Record<string, number>>;

interface Subjects {
  readonly service: ServiceProcess;
  /** Stores uploads in the database. */
  readonly chunked: ServiceProcess;
  /** Records to read. */
  readonly ids: readonly string[];
}

const CREATE_BODY = JSON.stringify({
  title: TITLE,
  summary: SUMMARY,
  payload: JSON.parse(PAYLOAD),
});

function creation({ headers }: ServiceProcess): RequestTemplate {
  return {
    method: "POST",
    path: CREATED,
    headers: { ...headers, "Idempotency-Key": `${crypto.randomUUID()}-{serial}` },
    body: CREATE_BODY,
    status: 201,
  };
}

/** Each has other content. */
function upload({ headers }: ServiceProcess): RequestTemplate {
  return {
    method: "POST",
    path: "/api/v2/attachments",
    headers: { ...headers, "X-Filename": "notes.json" },
    body: "{serial}".padEnd(UPLOAD_BYTES, "a"),
    status: 201,
  };
}

export type StageRates = Readonly<Record<"create" | "get" | "upload" | "upload-database", Rates>>;

/** @throws if a request is rejected. */
export async function measureRates(load: LoadProcess, subjects: Subjects): Promise<StageRates> {
  const { service, chunked, ids } = subjects;
  const { port, headers } = service;
  const path = `${RECORDS}/{value}`;
  return {
    get: await measure(load, port, { method: "GET", path, headers, values: ids, status: 200 }),
    create: await measure(load, port, creation(service)),
    // An account may send few uploads at once.
    upload: await measure(load, port, upload(service), [1]),
    "upload-database": await measure(load, chunked.port, upload(chunked), [1]),
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

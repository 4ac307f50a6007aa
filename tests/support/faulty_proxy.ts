/** A proxy with the faults of bad networks and proxies. */

export type Fault =
  | "none"
  /** The server does not receive the request. */
  | "drop before"
  /** The server acts; no answer. */
  | "drop after"
  /** The server acts; the connection ends within the body. */
  | "half answer"
  /** The server acts; the body is cut, its stated length is right. */
  | "broken JSON"
  /** The server acts; the connection stays open without an answer. */
  | "silence"
  /** As if the server were unreachable. */
  | "502 with HTML"
  | "503 without a body"
  | "429 with Retry-After"
  | "503 maintenance";

export const FAULTS: readonly Fault[] = [
  "none",
  "drop before",
  "drop after",
  "half answer",
  "broken JSON",
  "silence",
  "502 with HTML",
  "503 without a body",
  "429 with Retry-After",
  "503 maintenance",
];

const MAINTENANCE = JSON.stringify({
  error: { code: "SYSTEM_MAINTENANCE", message: "Paused", requestId: "of-the-proxy" },
});

/** Replace the server's response. */
const INSTEAD: Partial<Record<Fault, string>> = {
  "drop before": "",
  "502 with HTML": response("502 Bad Gateway", "Content-Type: text/html", "<h1>Bad Gateway</h1>"),
  "503 without a body": response("503 Service Unavailable", "Retry-After: 1", ""),
  "429 with Retry-After": response("429 Too Many Requests", "Retry-After: 2", ""),
  "503 maintenance": response("503 Service Unavailable", "Retry-After: 30", MAINTENANCE),
};

export interface FaultyProxy extends AsyncDisposable {
  readonly origin: string;
}

/** @param nextFault Called per request. */
export function startFaultyProxy(
  serve: (request: Request) => Promise<Response>,
  nextFault: () => Fault,
): FaultyProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${listener.addr.port}`;
  const open = new Set<Deno.Conn>();
  const accept = async () => {
    for await (const connection of listener) {
      open.add(connection);
      void answer(connection, origin, serve, nextFault()).catch(() => {});
    }
  };
  const accepting = accept();
  return {
    origin,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const connection of open) close(connection);
    },
  };
}

async function answer(
  connection: Deno.Conn,
  origin: string,
  serve: (request: Request) => Promise<Response>,
  fault: Fault,
): Promise<void> {
  const request = await readRequest(connection, origin);
  const text = INSTEAD[fault] ?? spoil(fault, await responseText(await serve(request)));
  if (text === null) return;
  await connection.write(new TextEncoder().encode(text));
  close(connection);
}

/** The text that is sent; null for silence. */
function spoil(fault: Fault, text: string): string | null {
  const body = text.indexOf("\r\n\r\n") + 4;
  if (fault === "silence") return null;
  if (fault === "drop after") return "";
  if (fault === "half answer") return text.slice(0, (body + text.length) / 2);
  if (fault === "broken JSON") return text.slice(0, -20).padEnd(text.length);
  return text;
}

async function responseText(answered: Response): Promise<string> {
  const headers = [...answered.headers].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return response(`${answered.status} Answered`, headers, await answered.text());
}

function response(status: string, headers: string, body: string): string {
  const length = new TextEncoder().encode(body).byteLength;
  return `HTTP/1.1 ${status}\r\n${headers}\r\nContent-Length: ${length}\r\n` +
    `Connection: close\r\n\r\n${body}`;
}

/** Requires a Content-Length and an ASCII body. */
async function readRequest(connection: Deno.Conn, origin: string): Promise<Request> {
  let text = "";
  const bytes = new Uint8Array(65_536);
  while (true) {
    const [head = "", body] = text.split("\r\n\r\n", 2);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (body !== undefined && body.length >= length) return toRequest(head, body, origin);
    const count = await connection.read(bytes);
    if (count === null) throw new Error("The client went away");
    text += new TextDecoder().decode(bytes.subarray(0, count));
  }
}

function toRequest(head: string, body: string, origin: string): Request {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const url = new URL(path, origin);
  return new Request(url, { method, headers, ...(body !== "" && { body }) });
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // Closed by the client.
  }
}

/** An application on a real socket, for tests of bytes. */

import type { App } from "../../src/app.ts";
import { createLog } from "../../src/core/log.ts";
import { serve } from "../../src/http/server.ts";

export interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Uses a new connection until it is closed; the application then accepts no more requests. */
export async function exchange(app: App, request: string): Promise<Exchange> {
  const server = serve({ host: "127.0.0.1", port: 0 }, () => app, createLog("silent"));
  try {
    using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
    await connection.write(new TextEncoder().encode(request));
    const text = await new Response(connection.readable).text();
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
  } finally {
    await server.stop();
  }
}

/** Joins lines by CRLF. */
export function lines(...text: readonly string[]): string {
  return text.join("\r\n");
}

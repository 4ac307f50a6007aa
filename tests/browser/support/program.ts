/** A program of another origin on this device, which signs in as an assistant. */

const HTML = { "Content-Type": "text/html" };
/** A browser lets a page open a window only at a press. */
const START = `<!doctype html><title>Program</title><h1>Program</h1>
  <button onclick="popup = window.open(address)">Sign in</button>
  <script>answers = []; onmessage = ({ data }) => answers.push(data);</script>`;
const CALLBACK = `<!doctype html><title>Program</title><h1>Signed in</h1>
  <script>opener?.postMessage(location.search, "*")</script>`;

export interface Program extends AsyncDisposable {
  readonly origin: string;
  readonly callback: string;
  /** Requests for the callback, with their methods. */
  readonly received: readonly string[];
}

export function startProgram(): Program {
  const received: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ method, url }) => {
      const { pathname, search } = new URL(url);
      if (pathname === "/") return new Response(START, { headers: HTML });
      if (pathname !== "/callback") return new Response(null, { status: 204 });
      received.push(`${method} ${search}`);
      return new Response(CALLBACK, { headers: HTML });
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    origin,
    callback: `${origin}/callback`,
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

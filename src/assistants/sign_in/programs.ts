/** The programs that can sign in, and the callbacks (redirect URIs) that each may use. */

/** ChatGPT has a different callback for each connection; `{id}` is the connection's id. */
const CHATGPT_CONNECTION = "https://chatgpt.com/connector/oauth/{id}";
const CONNECTION_ID = /^[A-Za-z0-9_-]{1,128}$/;

const CALLBACKS = {
  CLAUDE: [
    "https://claude.ai/api/mcp/auth_callback",
    "https://claude.com/api/mcp/auth_callback",
  ],
  CLAUDE_CODE: ["http://localhost/callback", "http://127.0.0.1/callback"],
  CHATGPT: [CHATGPT_CONNECTION, "https://chatgpt.com/connector_platform_oauth_redirect"],
  VSCODE: [
    "http://127.0.0.1/",
    "http://localhost/",
    "https://vscode.dev/redirect",
    "https://insiders.vscode.dev/redirect",
  ],
  // Cursor registers its own scheme: the one exception from https and this device.
  CURSOR: [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost/callback",
    "http://127.0.0.1/callback",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A program whose callbacks the service knows. */
type NamedProgram = keyof typeof CALLBACKS;

/** `OTHER` has the callbacks that its owner typed. */
export type Program = NamedProgram | "OTHER";

export const PROGRAMS: readonly Program[] = [
  ...Object.keys(CALLBACKS) as NamedProgram[],
  "OTHER",
];

export const MAX_CALLBACK_LENGTH = 500;
export const MAX_TYPED_CALLBACKS = 5;

/** @param typed The callbacks of `OTHER`, separated by spaces; null for the other programs. */
export function callbacksOf(program: Program, typed: string | null): readonly string[] {
  return program === "OTHER" ? (typed ?? "").split(" ") : CALLBACKS[program];
}

/** Compares characters: nothing is decoded or normalised. */
export function acceptsCallback(listed: string, sent: string): boolean {
  return listed === CHATGPT_CONNECTION ? isOfConnection(sent) : withoutPort(sent) === listed;
}

/** Whether any program but `OTHER` accepts the callback. */
export function isCallbackOfNamedProgram(sent: string): boolean {
  return Object.values(CALLBACKS).flat().some((listed) => acceptsCallback(listed, sent));
}

/** Whether the first Allow binds its assistant to this callback, so that others like it fail. */
export function bindsCallback(program: Program | null, sent: string): boolean {
  return program === "CHATGPT" && isOfConnection(sent);
}

function isOfConnection(sent: string): boolean {
  const base = CHATGPT_CONNECTION.replace("{id}", "");
  return sent.startsWith(base) && CONNECTION_ID.test(sent.slice(base.length));
}

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?(?=\/)/;

/** Whether the callback leads to the person's own device. */
export function isOnThisDevice(callback: string): boolean {
  return LOOPBACK.test(callback);
}

/** Removes the port of a loopback callback; programs use any that is free. */
function withoutPort(callback: string): string {
  return callback.replace(
    LOOPBACK,
    (whole, host: string, port = "80") => Number(port) <= 65_535 ? host : whole,
  );
}

/** Returns a callback that an owner typed as it is stored, or null if it is not acceptable. */
export function toTypedCallback(typed: string): string | null {
  if (typed.length > MAX_CALLBACK_LENGTH || typed.includes("#")) return null;
  const callback = withoutPort(typed);
  const url = URL.parse(callback);
  if (url === null || url.href !== callback || url.username + url.password !== "") return null;
  const isAccepted = url.protocol === "https:" ||
    (LOOPBACK.test(callback) && !callback.includes("?"));
  return isAccepted ? callback : null;
}

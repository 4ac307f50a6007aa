/** The `resource` of RFC 8707: the one resource that assistants sign in to is `<origin>/mcp`. */

/** Programs add a slash, or send the origin. */
const RESOURCE = /^([A-Za-z]+:\/\/[^/?#@\\\s]+)(?:\/|\/mcp\/?)?$/;

/** Scheme, host and default port are compared as URLs, and the path as text. */
export function isOurResource(origin: string, sent: string): boolean {
  const site = RESOURCE.exec(sent)?.[1];
  return site !== undefined && URL.parse(site)?.origin === new URL(origin).origin;
}

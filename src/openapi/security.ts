/** The credentials that an operation accepts. */

import { cookieName } from "../access/credentials.ts";
import type { JsonObject } from "../core/json.ts";
import type { Route } from "../http/route.ts";

/** The ways to sign in, under the names that operations refer to. */
export function securitySchemes(origin: string): JsonObject {
  return {
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: cookieName(origin),
      description:
        "A browser's session. Unsafe methods take it from this service's own pages only.",
    },
    session: {
      type: "http",
      scheme: "bearer",
      description: "A session that was opened with `transport: bearer`.",
    },
    accessToken: {
      type: "http",
      scheme: "bearer",
      description: "A personal access token, which may do what it was made for and no more.",
    },
  };
}

/** The credentials that a route accepts: any one of them. */
export function securityOf({ access }: Route): JsonObject[] {
  if (access === "public") return [];
  const sessions = [{ sessionCookie: [] }, { session: [] }];
  return access === "session" ? sessions : [...sessions, { accessToken: [] }];
}

/** The same in words, with the permission. */
export function describeAccess(route: Route): string {
  if (route.access === "public") return "Open to anyone.";
  const { access, permission } = route;
  const credential = access === "session"
    ? "Takes a session, and no personal access token."
    : "Takes a session or a personal access token.";
  if (permission === null) return `${credential} Needs no permission.`;
  const needed = [...new Set(["platform.operate", permission])].map((name) => `\`${name}\``);
  return `${credential} Needs ${needed.join(" and ")}.`;
}

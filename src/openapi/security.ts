import { cookieName } from "../access/credentials.ts";
import type { JsonObject } from "../core/json.ts";
import type { Route } from "../http/route.ts";

/**
 * The names are those that operations refer to. Programs have one scheme for all kinds of
 * credentials; each operation describes the kinds that it accepts.
 */
export function securitySchemes(origin: string): JsonObject {
  return {
    bearer: {
      type: "http",
      scheme: "bearer",
      description:
        "For programs: a session opened with `transport: bearer`, a personal access token, or the " +
        "credential of an assistant. Each operation says which of them it accepts. A cookie that is " +
        "sent too is ignored.",
    },
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: cookieName(origin),
      description:
        "A browser's session. Unsafe methods accept it from this service's own pages only.",
    },
  };
}

/** Any one of these suffices. */
export function securityOf({ access }: Route): JsonObject[] {
  if (access === "public") return [];
  return access === "assistant" ? [{ bearer: [] }] : [{ bearer: [] }, { sessionCookie: [] }];
}

export function describeAccess(route: Route): string {
  if (route.access === "public") return "Open to anyone.";
  const { access, permission } = route;
  if (access === "assistant") return "Takes the credential of an assistant, and no other.";
  const credential = access === "session"
    ? "Requires a session; does not accept personal access tokens."
    : "Requires a session or a personal access token.";
  if (permission === null) return `${credential} No permission is required.`;
  const needed = [...new Set(["platform.operate", permission])].map((name) => `\`${name}\``);
  return `${credential} Permissions: ${needed.join(" and ")}.`;
}

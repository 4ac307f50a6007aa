import { cookieName } from "../access/credentials.ts";
import type { JsonObject } from "../core/json.ts";
import type { Route } from "../http/route.ts";

/** Named as operations refer to them. */
export function securitySchemes(origin: string, withAssistants: boolean): JsonObject {
  return {
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: cookieName(origin),
      description:
        "A browser's session. Unsafe methods accept it from this service's own pages only.",
    },
    session: {
      type: "http",
      scheme: "bearer",
      description: "A session opened with `transport: bearer`.",
    },
    accessToken: {
      type: "http",
      scheme: "bearer",
      description: "A personal access token, limited to the permissions it was created with.",
    },
    ...(withAssistants && {
      assistant: {
        type: "http",
        scheme: "bearer",
        description: "The credential of an assistant, which opens `/mcp` and nothing else.",
      },
    }),
  };
}

/** Any one of these suffices. */
export function securityOf({ access }: Route): JsonObject[] {
  if (access === "public") return [];
  if (access === "assistant") return [{ assistant: [] }];
  const sessions = [{ sessionCookie: [] }, { session: [] }];
  return access === "session" ? sessions : [...sessions, { accessToken: [] }];
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

import type { Method, PageRoute, Route } from "./route.ts";

/** The route, or the methods of the path. */
export type Match<Found extends Route | PageRoute> =
  | { readonly route: Found; readonly params: Readonly<Record<string, string>> }
  | { readonly allow: readonly string[] }
  | null;

interface Node<Found> {
  readonly fixed: Map<string, Node<Found>>;
  named: Node<Found> | null;
  /** True if a method without a route here may have one at the named segment. */
  yields: boolean;
  readonly routes: Map<Method, { readonly route: Found; readonly names: readonly string[] }>;
}

/**
 * Creates a router from a tree of path segments. A fixed segment has precedence over a named one,
 * except for methods that a yielding route's path lacks. HEAD is answered by GET. Named segments
 * stay percent-encoded: every identifier of the service is plain ASCII.
 *
 * @throws Error if two routes have the same method and path.
 */
export function createRouter<Found extends Route | PageRoute>(
  routes: readonly Found[],
): (method: string, path: string) => Match<Found> {
  const root = emptyNode<Found>();
  for (const route of routes) addRoute(root, route);
  return (asked, path) => {
    const values: string[] = [];
    const method = (asked === "HEAD" ? "GET" : asked) as Method;
    const node = find(root, { segments: path.split("/").slice(1), method }, 0, values);
    if (node === null) return null;
    const found = node.routes.get(method);
    if (found === undefined) return { allow: allowedMethods(node) };
    const params: Record<string, string> = {};
    for (const [index, name] of found.names.entries()) params[name] = values[index] ?? "";
    return { route: found.route, params };
  };
}

function addRoute<Found extends Route | PageRoute>(root: Node<Found>, route: Found): void {
  const names: string[] = [];
  let node = root;
  for (const segment of route.path.split("/").slice(1)) {
    if (segment.startsWith(":")) {
      names.push(segment.slice(1));
      node = node.named ??= emptyNode();
    } else {
      const next = node.fixed.get(segment) ?? emptyNode();
      node.fixed.set(segment, next);
      node = next;
    }
  }
  if (node.routes.has(route.method)) {
    throw new Error(`Cannot register route "${route.method} ${route.path}" twice`);
  }
  node.yields ||= "yields" in route && route.yields === true;
  node.routes.set(route.method, { route, names });
}

/** Null without routes; `values` gets the named segments. */
function find<Found>(
  node: Node<Found>,
  asked: { readonly segments: readonly string[]; readonly method: Method },
  index: number,
  values: string[],
): Node<Found> | null {
  const segment = asked.segments[index];
  if (segment === undefined) return node.routes.size > 0 ? node : null;
  const before = values.length;
  const fixed = node.fixed.get(segment);
  const viaFixed = fixed === undefined ? null : find(fixed, asked, index + 1, values);
  const isSettled = viaFixed !== null && (!viaFixed.yields || viaFixed.routes.has(asked.method));
  if (isSettled || node.named === null || segment === "") return viaFixed;
  // A fixed path without the method needs no values.
  values.splice(before, Infinity, segment);
  const viaNamed = find(node.named, asked, index + 1, values);
  if (viaNamed === null) values.length = before;
  return viaNamed ?? viaFixed;
}

function allowedMethods(node: Node<unknown>): string[] {
  const methods = [...node.routes.keys()] as string[];
  return methods.includes("GET") ? [...methods, "HEAD"].sort() : methods.sort();
}

function emptyNode<Found>(): Node<Found> {
  return { fixed: new Map(), named: null, yields: false, routes: new Map() };
}

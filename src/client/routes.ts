import { ROUTES } from "./wire.ts";

/** How the client sends an operation. */
export interface ClientRoute {
  readonly method: string;
  /** With `:name` for its parameters. */
  readonly path: string;
  readonly letter: string;
}

/** The letters of operations that take an Idempotency-Key. */
export const KEYED = "kcmhr";
/** The letters of operations that change nothing. */
export const READING = "gls";
/** The letters of operations whose items are read page by page. */
export const LISTS = "ls";
/** The letters of operations that take an expected revision of what a GET of their path reads. */
export const CHANGES = "cm";

/** The method of each letter of the table. */
const METHODS: Readonly<Record<string, string>> = {
  g: "GET",
  l: "GET",
  s: "POST",
  p: "POST",
  a: "PATCH",
  u: "PUT",
  d: "DELETE",
  k: "POST",
  c: "POST",
  m: "PATCH",
  h: "PATCH",
  r: "PUT",
};

/** The end of a name that the table leaves out. */
const ENDS: Readonly<Record<string, string>> = { g: "detail", l: "list", k: "create", m: "modify" };

/**
 * The routes by operation. A line of `ROUTES` has the path, a letter and the name. A digit before path or
 * name says how many of their parts are those of the line before; without one, all but the last are. A
 * path that is left out is that of the line before. The letter is that of `METHODS`. A name ends as `ENDS`
 * says, or as the path if it ends in `=`; a parameter without a name is the identifier of what the name
 * has before its last part.
 */
export const CLIENT_ROUTES: ReadonlyMap<string, ClientRoute> = readRoutes();

function readRoutes(): Map<string, ClientRoute> {
  const routes = new Map<string, ClientRoute>();
  let path: string[] = [];
  let name: string[] = [];
  const next = (before: string[], text: string, joint: string) => {
    const [, count = "", rest = ""] = /^(\d?)(.*)$/.exec(text) ?? [];
    return [...before.slice(0, count === "" ? -1 : Number(count)), ...rest.split(joint)];
  };
  for (const line of ROUTES.split("\n")) {
    const [place = "", tail = ""] = line.split(" ");
    const letter = tail.charAt(0);
    if (place !== "") path = next(path, place, "/").filter(Boolean);
    name = next(name, tail.slice(1), ".");
    const last = name.pop();
    name.push(last === "=" ? path.at(-1) ?? "" : last || (ENDS[letter] ?? ""));
    path = path.map((part) => part === ":" ? `:${name.at(-2)}Id` : part);
    const method = METHODS[letter] ?? "";
    routes.set(name.join("."), { method, path: `/${path.join("/")}`, letter });
  }
  return routes;
}

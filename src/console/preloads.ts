/** Preloads each page's modules, so that a browser does not discover imports level by level. */

import { FILES } from "./joined.ts";

/**
 * nginx accepts 4 KiB of headers by default; the other headers of the shell need less than 1 KiB.
 */
const MAX_BYTES = 2_500;

/** The page on which a person allows an assistant. */
export const AUTHORIZE = "/oauth/authorize";

/**
 * The shell's Link header of a page; empty for an unknown one.
 *
 * @param path As in the route table.
 */
export function preloadLinks(path: string, assets: string): string {
  const page = pageModules().get(path);
  if (page === undefined) return "";
  let links = "";
  // The deepest imports first: a browser would discover them last.
  for (const name of modulesOf(["app.js", "core/signed_in.js", page]).slice(1).reverse()) {
    const link = `<${assets}${name}>;rel=modulepreload`;
    if (links.length + link.length + 1 > MAX_BYTES) break;
    links += links === "" ? link : `,${link}`;
  }
  return links;
}

/** Modules and their static imports, breadth first. */
export function modulesOf(names: readonly string[]): string[] {
  const met = new Set(names);
  for (const name of met) {
    const text = FILES[name] ?? "";
    for (const [, path = ""] of text.matchAll(/^(?:im|ex)port (?:[^;"]*? from )?"([^"]+)";$/gm)) {
      met.add(new URL(path, `http://console/${name}`).pathname.slice(1));
    }
  }
  return [...met];
}

/** The module of each page by its path, read from the list in `core/signed_in/pages.js`. */
export function pageModules(): Map<string, string> {
  const modules = new Map<string, string>();
  let module = "";
  for (const line of (FILES["core/signed_in.js"] ?? "").split("\n")) {
    module = /import\("\.\.\/(pages\/[^"]+)"\)/.exec(line)?.[1] ?? module;
    for (const [, path = ""] of line.matchAll(/"(\/[^"]*)": "\w+"/g)) {
      modules.set(["/", AUTHORIZE].includes(path) ? path : `/console${path}`, module);
    }
  }
  return modules;
}

/**
 * The modules that a page of the console is made of. A browser that is told of all of them with the shell
 * loads them at once, and not level by level as it reads what imports what.
 */

import { FILES } from "./files.ts";

/** nginx takes 4 KiB of headers by default, and the others of the shell have less than one of them. */
const MAX_BYTES = 2_500;

/**
 * The Link header of the shell at a path of the console; empty for one that is no page, and for the root,
 * where people sign in, who are to load no more than that.
 *
 * @param path As the route table has it.
 * @param assets What the paths of the console's files begin with.
 */
export function preloadLinks(path: string, assets: string): string {
  const page = path === "/" ? undefined : pageModules().get(path);
  if (page === undefined) return "";
  let links = "";
  // Those that are imported deepest would be found last.
  for (const name of modulesOf(["app.js", "core/signed_in.js", page]).slice(1).reverse()) {
    const link = `<${assets}${name}>;rel=modulepreload`;
    if (links.length + link.length + 1 > MAX_BYTES) break;
    links += links === "" ? link : `,${link}`;
  }
  return links;
}

/** Modules and what they import, but for what they import when it is needed; the nearest first. */
export function modulesOf(names: readonly string[]): string[] {
  const met = new Set(names);
  for (const name of met) {
    const text = FILES[name as keyof typeof FILES];
    for (const [, path = ""] of text.matchAll(/^(?:im|ex)port (?:[^;"]*? from )?"([^"]+)";$/gm)) {
      met.add(new URL(path, `http://console/${name}`).pathname.slice(1));
    }
  }
  return [...met];
}

/** The module of each page, by its path, as `web/pages.js` names them. */
export function pageModules(): Map<string, string> {
  const modules = new Map<string, string>();
  let family = "";
  for (const line of FILES["pages.js"].split("\n")) {
    family = /\.\.\.pagesOf\("([^"]+)"/.exec(line)?.[1] ?? family;
    const [, path, rest, module] =
      /(?:path: "([^"]+)", load|^ +"([^"]*)"): \(\) => import\("\.\/([^"]+)"\)/.exec(line) ?? [];
    if (module !== undefined) modules.set(path ?? `${family}${rest}`, module);
  }
  return modules;
}

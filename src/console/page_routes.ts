import type { ShownPageRoute } from "../http/route.ts";
import type { ConsolePages } from "./assets.ts";
import { AUTHORIZE, pageModules } from "./preloads.ts";

/**
 * A route for each page that the console itself knows, and for each of its files.
 *
 * @param hasSignIn Whether assistants can sign in.
 */
export function createPageRoutes(
  { shell, files }: Pick<ConsolePages, "shell" | "files">,
  hasSignIn: boolean,
): readonly ShownPageRoute[] {
  const route = (path: string, answer: ShownPageRoute["answer"]): ShownPageRoute => ({
    method: "GET",
    path,
    access: "page",
    answer,
  });
  const pages = [...pageModules().keys()].filter((path) => path !== AUTHORIZE);
  return [
    ...pages.map((path) => route(path, shell(path))),
    ...(hasSignIn ? [{ ...route(AUTHORIZE, shell(AUTHORIZE)), isUnshared: true as const }] : []),
    ...Array.from(files, ([path, answer]) => route(path, answer)),
  ];
}

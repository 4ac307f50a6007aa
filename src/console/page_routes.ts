import type { ShownPageRoute } from "../http/route.ts";
import type { ConsolePages } from "./assets.ts";
import { pageModules } from "./preloads.ts";

/** A route for each page that the console itself knows, and for each of its files. */
export function createPageRoutes(
  { shell, files }: Pick<ConsolePages, "shell" | "files">,
): readonly ShownPageRoute[] {
  const route = (path: string, answer: ShownPageRoute["answer"]): ShownPageRoute => ({
    method: "GET",
    path,
    access: "page",
    answer,
  });
  return [
    ...Array.from(pageModules().keys(), (path) => route(path, shell(path))),
    ...Array.from(files, ([path, answer]) => route(path, answer)),
  ];
}

import type { PageRoute } from "../http/route.ts";
import type { ConsolePages } from "./assets.ts";

export function createPageRoutes(
  { shell, files }: Pick<ConsolePages, "shell" | "files">,
): readonly PageRoute[] {
  const page = (path: string, answer = shell(path)): PageRoute => ({
    method: "GET",
    path,
    access: "page",
    answer,
  });
  const records = "/console/records/:module";
  const pages = (path: string, ends: readonly string[]) => ends.map((end) => page(`${path}${end}`));
  return [
    page("/"),
    page(records),
    page(`${records}/new`),
    page(`${records}/:id`),
    page(`${records}/:id/edit`),
    page(`${records}/:id/history`),
    page(`${records}/:id/executions`),
    ...pages("/console/decisions", [
      "",
      "/new",
      "/calibration",
      "/:id",
      "/:id/edit",
      "/:id/history",
    ]),
    ...pages("/console/decisions/:id/:kind", [
      "",
      "/new",
      "/:thing",
      "/:thing/edit",
      "/:thing/history",
    ]),
    ...pages("/console/resources", ["", "/new", "/network", "/overload", "/overload/:execution"]),
    ...pages("/console/resources/:id", ["", "/edit", "/history", "/snapshots", "/snapshots/new"]),
    ...pages("/console/tags", [
      "",
      "/new",
      "/usage",
      "/categories/new",
      "/:id",
      "/:id/edit",
      "/:id/history",
    ]),
    ...pages("/console/people", [
      "",
      "/new",
      "/:id",
      "/:id/edit",
      "/:id/history",
      "/:id/timeline",
      "/:id/proposals",
    ]),
    ...pages("/console/people/:id/ledger/:ledger", ["", "/new"]),
    ...pages("/console/profile", ["", "/edit", "/history", "/public", "/compare", "/legacy"]),
    page("/console/profile/legacy/edit"),
    ...pages("/console/profile", ["/comparisons/:id", "/snapshots/:id", "/stages/:id"]),
    ...pages("/console/profile", ["/stages/:id/edit", "/:part", "/:part/new"]),
    page("/console/drafts"),
    page("/console/files"),
    page("/console/search"),
    page("/console/print/:module"),
    ...pages("/console/memories", ["", "/new", "/:id", "/:id/edit", "/:id/history", "/:id/slices"]),
    page("/console/account"),
    page("/console/sessions"),
    page("/console/passkeys"),
    page("/console/tokens"),
    page("/console/tokens/new"),
    page("/console/calendar"),
    page("/console/calendar/new"),
    ...pages("/console", ["/assistants", "/assistants/new", "/proposals"]),
    ...pages("/console", ["/audit", "/audit/:id", "/changes"]),
    page("/console/witness"),
    ...pages("/console/imports", ["", "/:id", "/own/:kind"]),
    page("/console/export"),
    page("/console/about"),
    ...[...files].map(([path, file]) => page(path, file)),
  ];
}

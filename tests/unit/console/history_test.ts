/** Whole revisions that are brought back. */

import { assertEquals } from "@std/assert";
import { writesOf } from "../../../src/console/web/pages/history/back.js";

Deno.test("The fields of a revision come back in one request per path", () => {
  const undo = (path: string, body: Record<string, unknown>) =>
    ({ method: "PATCH", path, body }) as const;
  const undos = [
    undo("/record", { title: "Boat" }),
    undo("/record", { payload: { area: "Home" } }),
    undo("/record", { payload: { intervalDays: 7 } }),
    undo("/record", { payloadRemove: ["nextDueAt"] }),
    undo("/record/time", { timePrecision: "DAY" }),
    undo("/record", { payloadRemove: ["completionNote"] }),
  ];
  assertEquals(writesOf(undos), [
    undo("/record", {
      title: "Boat",
      payload: { area: "Home", intervalDays: 7 },
      payloadRemove: ["nextDueAt", "completionNote"],
    }),
    undo("/record/time", { timePrecision: "DAY" }),
  ]);
});

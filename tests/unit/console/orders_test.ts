import { assertEquals } from "@std/assert";
import { orderForm } from "../../../src/console/web/logic/word_forms.js";
import { boundOf, orderOf } from "../../../src/console/web/pages/records/orders.js";

const record = (recordId: string, dueAt?: string, title = "") => ({
  recordId,
  title,
  redacted: title === "hidden",
  payload: { dueAt },
});
const orderedBy = (sort: string, records: readonly ReturnType<typeof record>[]) =>
  [...records].sort(orderOf(sort, ({ payload }) => payload.dueAt ?? null, orderForm))
    .map(({ recordId }) => recordId).join("");

Deno.test("Lists that are read as one have the order of the service", () => {
  const records = [
    record("A"),
    record("B", "2026-12-01T10:00:00.000+01:00[Europe/Berlin]"),
    record("C", "2026-12-01T09:00:00.000Z"),
    record("D", "2026-11-30T09:00:00.000Z"),
    record("E"),
  ];
  // Equal times by identifier; those without one last, newest first.
  assertEquals(orderedBy("time", records), "DBCEA");
  assertEquals(orderedBy("-time", records), "CBDEA");
  const titles = ["Łódź", "hidden", "„Äpfel“", "Zug", "äpfel und Birnen", "hidden"];
  const titled = titles.map((title, at) => record("ABCDEF"[at] ?? "", undefined, title));
  assertEquals(orderedBy("title", titled), "CEADFB");
  assertEquals(orderedBy("-title", titled), "DAECFB");
});

Deno.test("A jump to a day begins with it in every order", () => {
  const [day, next] = [new Date(2026, 11, 1), new Date(2026, 11, 2)];
  const last = new Date(next.getTime() - 1).toISOString();
  assertEquals(boundOf("time", "2026-12-01"), { "time[from]": day.toISOString() });
  assertEquals(boundOf("-time", "2026-12-01"), { "time[to]": last });
  assertEquals(boundOf("-createdAt", "2026-12-01"), { createdTo: last });
  assertEquals(boundOf("time", ""), {});
});

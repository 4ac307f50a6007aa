/** Content that an assistant may not see. */

import { assertEquals } from "@std/assert";
import { hideContent } from "../../../src/assistants/shown.ts";
import { COMMITMENT } from "../../../src/catalog/modules/commitment.ts";

Deno.test("A hidden time has no local time", () => {
  const [dueAt, completedAt] = ["2025-10-31T23:00:00.000Z", "2025-11-01T23:00:00.000Z"];
  const clocks = { dueAt: "+09:00[Asia/Tokyo]", completedAt: "+01:00" };
  const fields = COMMITMENT.fields.map((field) => ({
    ...field,
    sensitive: field.name === "dueAt",
  }));
  const content = { title: "A", summary: "", payload: { dueAt, completedAt } };
  const shown = (showsSensitive: boolean) =>
    hideContent({ name: "A", mayPropose: false, showsSensitive }, { ...COMMITMENT, fields }, {
      ...content,
      clocks: JSON.stringify(clocks),
    });
  const local = {
    dueAt: "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]",
    completedAt: "2025-11-02T00:00:00.000+01:00",
  };
  assertEquals(shown(true).localTimes, local);
  const { payload, hidden, localTimes } = shown(false);
  assertEquals([payload, hidden], [{ dueAt: null, completedAt }, ["dueAt"]]);
  assertEquals(localTimes, { completedAt: local.completedAt });
});

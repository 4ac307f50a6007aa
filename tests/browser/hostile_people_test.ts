/** What is written about people, and about oneself, stays text on every page that shows it. */

import { assertEquals } from "@std/assert";
import type { Page } from "./support/browser.ts";
import { journey } from "./support/console.ts";
import { assertHarmless, HOSTILE } from "./support/hostile.ts";
import { callAs, settle } from "./support/person.ts";

const LINE = HOSTILE.slice(0, 180);

/** Elements and attributes that the texts name, and that no page of ours has. */
const FOREIGN = `[...document.querySelectorAll("body *")].filter((element) =>
  element.matches("img, script, iframe, b, object, embed") ||
  [...element.attributes].some(({ name }) => /^(on|style)/.test(name))).length`;

/** Goes from page to page as a link does, without loading the shell again. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector("h1").id = "left"`);
  await page.evaluate(`navigation.navigate(${JSON.stringify(path)}), null`);
  await page.until(`document.querySelector("h1:not(#left)") !== null`);
}

async function assertOnlyText(page: Page, where: string): Promise<void> {
  assertEquals(await page.evaluate(FOREIGN), 0, where);
  await assertHarmless(page, where);
}

journey("What is written about people stays text", async (console) => {
  const page = await settle(console, { width: 320, height: 700 });
  const api = "/api/v2/relationship/people";
  const { personId } = await callAs(page, "POST", api, {
    ...{ personName: LINE, relationshipType: "OTHER", importance: 1 },
    ...{ opinion: HOSTILE, evidence: HOSTILE, counterEvidence: HOSTILE },
  });
  const below = (path: string, body: unknown) =>
    callAs(page, "POST", `${api}/${personId}/${path}`, body);
  await below("contacts", {
    ...{ contactedAt: "2026-01-01T00:00:00Z", channel: "OTHER", direction: "MUTUAL" },
    ...{ note: HOSTILE, privacy: "NORMAL" },
  });
  await below("experiences", {
    ...{ title: LINE, narrative: HOSTILE, timePrecision: "LIFE_PERIOD", timeText: LINE },
    privacy: "NORMAL",
  });
  for (const privacy of ["NORMAL", "SECRET"]) {
    await below("evidence", {
      ...{ stance: "COUNTER", content: HOSTILE, sourceKind: "OTHER" },
      ...{ privacy, providerConsent: false },
    });
  }
  await below("status", { status: "PAUSED", expectedRevision: 2, reason: LINE });
  const person = `/console/people/${personId}`;
  const pages = [
    ...["/console/people", person, `${person}/edit`, `${person}/history`, `${person}/timeline`],
    ...["contacts", "experiences", "evidence"].map((name) => `${person}/ledger/${name}`),
  ];
  for (const path of pages) {
    await go(page, path);
    await page.evaluate(`document.querySelectorAll("button.plain[aria-label^=Show]")
      .forEach((button) => button.click())`);
    await page.evaluate(`document.querySelectorAll("details").forEach((each) => each.open = true)`);
    await assertOnlyText(page, path);
  }
  // The last of these pages offers to put one piece of evidence in the place of another.
  await page.evaluate(`document.querySelector("[aria-label^=Replace]").click()`);
  await page.until(`document.querySelector("dialog") !== null`);
  await assertOnlyText(page, "the choice of evidence");
});

journey("What is written about oneself stays text", async (console) => {
  const page = await settle(console, { width: 320, height: 700 });
  const api = "/api/v2/identity";
  const profile = {
    ...{ displayName: LINE, biography: HOSTILE, publicSummary: HOSTILE },
    tags: [HOSTILE.slice(0, 60)],
  };
  await callAs(page, "POST", `${api}/profile`, profile);
  const { stageId } = await callAs(page, "POST", `${api}/stages`, {
    ...{ lifeStage: "OTHER", title: LINE, startedAt: "2000-01-01T00:00:00Z", note: HOSTILE },
  });
  await callAs(page, "POST", `${api}/roles`, {
    ...{ role: LINE, changedAt: "2001-01-01T00:00:00Z", reason: HOSTILE },
  });
  const { snapshotId } = await callAs(page, "POST", `${api}/snapshots`, { label: LINE });
  const { comparisonId } = await callAs(page, "POST", `${api}/comparisons`, {
    ...{ left: { kind: "PROFILE_REVISION", revision: 1 }, right: { kind: "SNAPSHOT", snapshotId } },
  });
  const ends = [
    ...["", "/edit", "/history", "/history?from=1", "/public", "/compare"],
    ...[`/stages/${stageId}`, `/stages/${stageId}/edit`, `/snapshots/${snapshotId}`],
    ...[`/comparisons/${comparisonId}`, "/stages", "/roles", "/snapshots"],
  ];
  for (const end of ends) {
    await go(page, `/console/profile${end}`);
    await page.evaluate(
      `globalThis.ticked = [...document.querySelectorAll("main input[type=checkbox]")]
      .filter(({ checked }) => !checked).map((box) => (box.click(), box)), null`,
    );
    await page.evaluate(`document.querySelectorAll("details").forEach((each) => each.open = true)`);
    await assertOnlyText(page, end);
    // A form that holds what is kept nowhere would ask before it is left.
    await page.evaluate(`ticked.forEach((box) => box.click())`);
  }
});

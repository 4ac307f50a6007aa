/** Hostile texts in every field of decisions, resources and tags are texts on each of their pages. */

import { assertEquals } from "@std/assert";
import { journey } from "./support/console.ts";
import { assertHarmless, HOSTILE, tagsOf, visitDrawn } from "./support/hostile.ts";
import type { Page } from "./support/browser.ts";
import { callAs, settle } from "./support/person.ts";

/** A text of at most so many letters, which is hostile or not, and unlike the others of its kind. */
type Text = (most: number, number?: number) => string;

const plain: Text = (_, number = 1) => `Plain ${number}`;
/** What a short text has no room for is one word that is wider than a screen. */
const hostile: Text = (most, number = 1) =>
  `${number} ${most > 500 ? HOSTILE : `<img src=x onerror="window.reached=1">${"W".repeat(most)}`}`
    .slice(0, most).trim();

/** Makes a decision with everything below it, and returns the pages that show it. */
async function decide(page: Page, text: Text): Promise<string[]> {
  const decisions = "/api/v2/decision/decisions";
  const [one, two] = [text(120, 1), text(120, 2)];
  const { decisionId } = await callAs(page, "POST", decisions, {
    ...{ question: text(5_000), options: { items: [one, two] }, chosenOption: one },
    ...{ rationale: text(5_000), prediction: text(5_000), actualOutcome: text(5_000) },
  });
  const below = (kind: string, body: unknown) =>
    callAs(page, "POST", `${decisions}/${decisionId}/${kind}`, body);
  const criterion = text(100);
  const factor = { name: text(200), weight: 1 };
  const { analysisId } = await below("analyses", {
    criteria: [{ name: criterion, weight: 1 }],
    scores: { [one]: { [criterion]: 9 }, [two]: { [criterion]: 5 } },
  });
  const { predictionId } = await below("predictions", {
    ...{ statement: text(5_000), probability: 0.5, dueAt: "2026-06-01T00:00:00.000Z" },
  });
  const { outcomeId } = await below("outcomes", {
    ...{ predictionId, occurred: true, description: text(5_000) },
    observedAt: "2026-01-01T00:00:00.000Z",
  });
  const { counterfactualId } = await below("counterfactuals", {
    ...{ option: one, narrative: text(5_000), confidence: 0.5 },
  });
  const { simulationId } = await below("simulations", {
    ...{ seed: 1, runs: 10 },
    options: [one, two].map((option) => ({
      option,
      factors: [{ ...factor, distribution: "UNIFORM", minimum: 0, maximum: 1 }],
    })),
  });
  const own = `/console/decisions/${decisionId}`;
  return [
    ...["", "/edit", "/history", "/analyses/new", "/outcomes/new", "/simulations/new"],
    ...[`/analyses/${analysisId}`, `/analyses/${analysisId}/edit`, `/predictions/${predictionId}`],
    ...[`/outcomes/${outcomeId}`, `/counterfactuals/${counterfactualId}/edit`, "/predictions"],
    ...[`/counterfactuals/${counterfactualId}/history`, `/simulations/${simulationId}`],
  ].map((end) => `${own}${end}`);
}

/** Makes a resource that was measured, and a tag that it carries, and returns the pages that show them. */
async function keep(page: Page, text: Text): Promise<string[]> {
  const resources = "/api/v2/resource/resources";
  const { resourceId } = await callAs(page, "POST", resources, {
    ...{ resourceType: "NETWORK", name: text(300), unit: text(60), notes: text(5_000) },
    ...{ amount: 1, capacity: 2, available: 1 },
  });
  for (const day of ["2026-01-01", "2026-02-01"]) {
    const observedAt = `${day}T12:00:00.000Z`;
    const body = { observedAt, amount: 2, note: text(5_000) };
    await callAs(page, "POST", `${resources}/${resourceId}/snapshots`, body);
  }
  const { executionId } = await callAs(page, "POST", "/api/v2/resource/overload-analyses", {
    resourceIds: [resourceId],
  });
  const taxonomy = "/api/v2/taxonomy";
  const body = { name: text(60, 1), aliases: [text(60, 2)], description: text(5_000) };
  const { termId } = await callAs(page, "POST", `${taxonomy}/tags`, body);
  const top = await callAs(page, "POST", `${taxonomy}/categories`, body);
  const { termId: category } = await callAs(page, "POST", `${taxonomy}/categories`, {
    ...{ name: text(60, 3), parentId: top.termId },
  });
  const assignment = { termId, moduleCode: "resource", recordId: resourceId };
  await callAs(page, "POST", `${taxonomy}/assignments`, assignment);
  return [
    ...["", "/edit", "/history", "/snapshots"].map((end) =>
      `/console/resources/${resourceId}${end}`
    ),
    `/console/resources/overload/${executionId}`,
    ...["", "/edit", "/history"].map((end) => `/console/tags/${termId}${end}`),
    `/console/tags/${category}`,
  ];
}

journey("No text of a decision, a resource or a tag is more than a text", async (console) => {
  const page = await settle(console, { width: 320, height: 700 });
  for (const make of [decide, keep]) {
    const [usual, other] = [await make(page, plain), await make(page, hostile)];
    for (const [index, path] of usual.entries()) {
      const tags = [];
      for (const each of [path, other[index] ?? ""]) {
        await visitDrawn(page, each);
        // What differs is marks of what changed, parts of long lines, and choices.
        tags.push(await tagsOf(page, ["ins", "del", "span", "option"]));
        await assertHarmless(page, each);
      }
      assertEquals(tags[0], tags[1], path);
    }
  }
  for (const path of ["/console/decisions", "/console/resources", "/console/tags"]) {
    await visitDrawn(page, path);
    await assertHarmless(page, path);
  }
  await visitDrawn(page, "/console/resources/network");
  await assertHarmless(page, "/console/resources/network");
});

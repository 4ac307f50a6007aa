/** A life with hostile texts in every field. */

import { CATALOG } from "../../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../../src/catalog/module.ts";
import { examplePayload } from "../../../src/catalog/example_payload.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { ready } from "../../families/relationship/evaluation.ts";
import type { Json, World } from "../../support/world.ts";
import type { Page } from "./browser.ts";
import { hostileText as text } from "./hostile.ts";
import { callAs, prove } from "./person.ts";

/** Stores something of each kind; returns one page of each. */
export async function liveHostilely(page: Page, world: World): Promise<string[]> {
  const post: Post = (path, body) => callAs(page, "POST", path, body);
  await keepAccount(page, post, world);
  return [
    ...await keepRecords(post),
    ...memoryPages(await keepMemory(page, text(2_000), text(180))),
    ...await keepPerson(post, world),
    ...await keepProfile(page, post),
    ...await keepDecision(post),
    ...await keepResource(post),
  ];
}

type Post = (path: string, body: unknown) => Promise<Json>;

const under = (path: string, ends: readonly string[]) => ends.map((end) => `${path}${end}`);

/** Would run a script if a page allowed it. */
const FILES = {
  "text/html": "<script>window.reached=1</script>",
  "image/svg+xml": `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.reached=1"/>`,
};

async function keepAccount(page: Page, post: Post, world: World): Promise<void> {
  const proof = await prove(page, "TOKEN_CREATE");
  const token = { name: text(100), permissions: ["record.read"] };
  const expiresAt = new Date(world.now().getTime() + DAY_MS).toISOString();
  await callAs(page, "POST", "/api/v2/auth/tokens", { ...token, expiresAt }, proof);
  for (const [type, body] of Object.entries(FILES)) {
    const headers = { "Content-Type": type, "X-Filename": encodeURIComponent(text(200)) };
    const request = JSON.stringify({ method: "POST", headers, body });
    await page.evaluate(`fetch("/api/v2/attachments", ${request}).then(() => null)`);
  }
  await upload(page);
  await post("/api/v2/records/capture", {
    title: text(180),
    summary: text(2_000),
    payload: examplePayload(moduleOf("capture")),
  });
}

/** A table to import whose name, columns and rows are hostile. */
async function upload(page: Page): Promise<void> {
  const cell = (length: number) => `"${text(length).replaceAll('"', '""')}"`;
  const query = new URLSearchParams({ format: "csv", name: text(100) });
  const request = JSON.stringify({
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: `${cell(100)},${cell(50)}\n${cell(180)},${cell(180)}\n`,
  });
  await page.evaluate(`fetch("/api/v2/imports?${query}", ${request}).then(() => null)`);
}

function moduleOf(code: string): CatalogModule {
  const module = CATALOG.module(code);
  if (module === undefined) throw new Error(`The catalog has no ${code}`);
  return module;
}

/** Records that cover every edit type except files. */
async function keepRecords(post: Post): Promise<string[]> {
  const met = new Set(["file"]);
  const paths: string[] = [];
  for (const module of CATALOG.modules) {
    const { access: entry, fields, code } = module;
    const isNew = fields.some(({ edit }) => !met.has(edit));
    if (entry !== "GENERIC" || !isNew || fields.some(({ edit }) => edit === "file")) continue;
    for (const { edit } of fields) met.add(edit);
    const payload: Record<string, unknown> = { ...examplePayload(module) };
    for (const { name, edit } of fields) {
      if (payload[name] === undefined) continue;
      if (edit === "textarea") payload[name] = text(2_000);
      if (edit === "tags") payload[name] = [text(60)];
    }
    const { recordId } = await post(`/api/v2/records/${code}`, {
      title: text(180),
      summary: text(2_000),
      payload,
    });
    paths.push(...under(`/console/records/${code}/${recordId}`, ["", "/edit"]));
  }
  return paths;
}

const MEMORIES = "/api/v2/memory/texts";

const DRAFT = "01KAGQ0000DRAFT00000000001";

/** A memory with every field, and a draft of another. */
export async function keepMemory(page: Page, words: string, short = words): Promise<string> {
  const post: Post = (path, body) => callAs(page, "POST", path, body);
  const { memoryId } = await post(MEMORIES, {
    title: short,
    summary: words,
    memoryType: "EVENT",
    originalContent: words,
    timeText: short,
    timePrecision: "LIFE_PERIOD",
    importance: 3,
  });
  const below = (end: string, body: object) => post(`${MEMORIES}/${memoryId}${end}`, body);
  await below("/revisions", { expectedRevision: 1, currentContent: `${words} Later.` });
  const model = { aiDraft: words, provider: short, model: short };
  await below("/ai-draft", { expectedRevision: 2, ...model });
  await below("/slices", { label: short });
  const content = { title: short, originalContent: words };
  await callAs(page, "PUT", `/api/v2/memory/drafts/${DRAFT}`, { draftVersion: 1, content });
  return memoryId;
}

function memoryPages(memoryId: string): string[] {
  const ends = ["", "/edit", "/history", "/history?from=1", "/slices"];
  return [...under(`/console/memories/${memoryId}`, ends), `/console/memories/new?draft=${DRAFT}`];
}

/** A person with an entry of each kind and a proposed evaluation. */
async function keepPerson(post: Post, world: World): Promise<string[]> {
  const people = "/api/v2/relationship/people";
  const { personId } = await post(people, {
    personName: text(180),
    relationshipType: "OTHER",
    importance: 1,
    opinion: text(2_000),
    evidence: text(2_000),
    counterEvidence: text(2_000),
  });
  const below = (path: string, body: unknown) => post(`${people}/${personId}/${path}`, body);
  await below("contacts", {
    contactedAt: "2026-01-01T00:00:00Z",
    channel: "OTHER",
    direction: "MUTUAL",
    note: text(2_000),
    privacy: "NORMAL",
  });
  await below("experiences", {
    title: text(180),
    narrative: text(2_000),
    privacy: "NORMAL",
    timePrecision: "LIFE_PERIOD",
    timeText: text(180),
  });
  for (const privacy of ["NORMAL", "SECRET"]) {
    await below("evidence", {
      stance: "COUNTER",
      content: text(2_000),
      sourceKind: "OTHER",
      privacy,
      providerConsent: false,
    });
  }
  await below("status", { status: "PAUSED", expectedRevision: 2, reason: text(180) });
  await below("status", { status: "ACTIVE", expectedRevision: 3 });
  const proposal = await below("proposals", { providerConsent: false });
  await ready(world, proposal, { candidate: text(2_000) });
  const ledgers = ["contacts", "experiences", "evidence"].map((name) => `/ledger/${name}`);
  const ends = ["", "/edit", "/history", "/timeline", ...ledgers, "/ledger/experiences/new"];
  return under(`/console/people/${personId}`, ends);
}

/** A profile with all parts, a comparison, and a drilled release plan. */
async function keepProfile(page: Page, post: Post): Promise<string[]> {
  const api = "/api/v2/identity";
  await post(`${api}/profile`, {
    displayName: text(180),
    biography: text(2_000),
    publicSummary: text(2_000),
    tags: [text(60)],
  });
  const { stageId } = await post(`${api}/stages`, {
    lifeStage: "OTHER",
    title: text(180),
    startedAt: "2000-01-01T00:00:00Z",
    note: text(2_000),
  });
  await post(`${api}/roles`, {
    role: text(180),
    changedAt: "2001-01-01T00:00:00Z",
    reason: text(2_000),
  });
  const { snapshotId } = await post(`${api}/snapshots`, { label: text(180) });
  const left = { kind: "PROFILE_REVISION", revision: 1 };
  const right = { kind: "SNAPSHOT", snapshotId };
  const { comparisonId } = await post(`${api}/comparisons`, { left, right });
  const { planId } = await post(`${api}/legacy-release/plan`, {
    recipientDescription: text(2_000),
    releaseCondition: text(2_000),
    instructions: text(2_000),
    fields: ["displayName", "currentRole", "lifeStage"],
  });
  const proof = await prove(page, "IDENTITY_LEGACY_DRILL", planId);
  const confirmation = "I understand nothing is delivered";
  await callAs(page, "POST", `${api}/legacy-release/drills`, { confirmation }, proof);
  return under("/console/profile", [
    "/history?from=1",
    `/stages/${stageId}`,
    `/stages/${stageId}/edit`,
    "/legacy/edit",
    `/snapshots/${snapshotId}`,
    `/comparisons/${comparisonId}`,
    "/stages",
    "/roles",
    "/snapshots",
    "/stages/new",
    "/roles/new",
    "/snapshots/new",
  ]);
}

async function keepDecision(post: Post): Promise<string[]> {
  const decisions = "/api/v2/decision/decisions";
  const [one, two] = [text(120, 1), text(120, 2)];
  const { decisionId } = await post(decisions, {
    question: text(5_000),
    options: { items: [one, two] },
    chosenOption: one,
    rationale: text(5_000),
    prediction: text(5_000),
    actualOutcome: text(5_000),
  });
  const below = (kind: string, body: unknown) => post(`${decisions}/${decisionId}/${kind}`, body);
  const criterion = text(100);
  const { analysisId } = await below("analyses", {
    criteria: [{ name: criterion, weight: 1 }],
    scores: { [one]: { [criterion]: 9 }, [two]: { [criterion]: 5 } },
  });
  const { predictionId } = await below("predictions", {
    statement: text(5_000),
    probability: 0.5,
    dueAt: "2026-06-01T00:00:00.000Z",
  });
  const { outcomeId } = await below("outcomes", {
    predictionId,
    occurred: true,
    description: text(5_000),
    observedAt: "2026-01-01T00:00:00.000Z",
  });
  const { counterfactualId } = await below("counterfactuals", {
    option: one,
    narrative: text(5_000),
    confidence: 0.5,
  });
  const factor = { name: text(200), weight: 1, distribution: "UNIFORM", minimum: 0, maximum: 1 };
  const { simulationId } = await below("simulations", {
    seed: 1,
    runs: 10,
    options: [one, two].map((option) => ({ option, factors: [factor] })),
  });
  return under(`/console/decisions/${decisionId}`, [
    "",
    "/edit",
    "/history",
    "/analyses/new",
    "/outcomes/new",
    "/simulations/new",
    `/analyses/${analysisId}`,
    `/analyses/${analysisId}/edit`,
    `/predictions/${predictionId}`,
    `/outcomes/${outcomeId}`,
    `/counterfactuals/${counterfactualId}/edit`,
    "/predictions",
    `/counterfactuals/${counterfactualId}/history`,
    `/simulations/${simulationId}`,
  ]);
}

/** A measured and analysed resource, with a tag below a category. */
async function keepResource(post: Post): Promise<string[]> {
  const resources = "/api/v2/resource/resources";
  const { resourceId } = await post(resources, {
    resourceType: "NETWORK",
    name: text(300),
    unit: text(60),
    notes: text(5_000),
    amount: 1,
    capacity: 2,
    available: 1,
  });
  for (const day of ["2026-01-01", "2026-02-01"]) {
    const body = { observedAt: `${day}T12:00:00.000Z`, amount: 2, note: text(5_000) };
    await post(`${resources}/${resourceId}/snapshots`, body);
  }
  const analyses = "/api/v2/resource/overload-analyses";
  const { executionId } = await post(analyses, { resourceIds: [resourceId] });
  const taxonomy = "/api/v2/taxonomy";
  const body = () => ({ name: text(60), aliases: [text(60)], description: text(5_000) });
  const { termId } = await post(`${taxonomy}/tags`, body());
  const top = await post(`${taxonomy}/categories`, body());
  const below = { name: text(60), parentId: top.termId };
  const { termId: category } = await post(`${taxonomy}/categories`, below);
  await post(`${taxonomy}/assignments`, { termId, moduleCode: "resource", recordId: resourceId });
  return [
    ...under(`/console/resources/${resourceId}`, ["", "/edit", "/history", "/snapshots"]),
    `/console/resources/overload/${executionId}`,
    ...under(`/console/tags/${termId}`, ["", "/edit", "/history"]),
    `/console/tags/${category}`,
  ];
}

/**
 * Decisions in the browser: from their options to the accuracy of their predictions.
 */

import { assert, assertEquals } from "@std/assert";
import type { Json } from "../support/world.ts";
import { journey } from "./support/console.ts";
import type { Page } from "./support/browser.ts";
import { choose } from "./support/menu.ts";
import { callAs, settle } from "./support/person.ts";

const API = "/api/v2/decision/decisions";
const PAGE = "/console/decisions";
const FLAT = {
  question: "Which flat do we take?",
  options: { items: ["By the river", "Near work", "Neither"] },
};

/** Types into the control of a label within the group of fields that has a name. */
async function typeIn(page: Page, group: string, label: string, text: string): Promise<void> {
  const control = `[...document.querySelectorAll("fieldset")]
    .find((set) => set.firstElementChild?.innerText === ${JSON.stringify(group)})
    ?.querySelectorAll("label") ?? []`;
  const find = `[...${control}].find((label) =>
    label.innerText.replace(/\\s*\\(optional\\)/, "").trim() === ${
    JSON.stringify(label)
  })?.control`;
  await page.until(`${find} != null`);
  await page.evaluate(`${find}.click(); ${find}.focus()`);
  if (text !== "") await page.call("Input.insertText", { text });
}

journey("A decision is recorded, analysed, predicted and calibrated", async (console) => {
  const page = await settle(console);
  await page.visit(PAGE);
  await page.click("More");
  await page.heading("New: Decision");
  await page.type("Question", FLAT.question);
  for (const option of FLAT.options.items) {
    await page.type("Options", option);
    await page.press("Enter");
  }
  await page.click("Save");
  await page.heading(FLAT.question);
  const { items: [decision] } = await callAs(page, "GET", API);
  assertEquals([decision.question, decision.options], [FLAT.question, FLAT.options]);
  const [own, api] = [PAGE, API].map((path) => `${path}/${decision.decisionId}`);

  await page.click("Weigh the options");
  await page.heading("New: Analysis");
  await typeIn(page, "Criterion 1", "Name", "Light");
  await typeIn(page, "Criterion 1", "Weight", "2");
  await page.until(`Object.entries(localStorage).some(([name, text]) =>
    name.endsWith("${own}/analyses/new") && text.includes("Light") && /weight\\W+2/.test(text))`);
  await page.visit(`${own}/analyses/new`);
  await page.until(`document.querySelector("[name=weight]")?.value === "2"`);
  await typeIn(page, "Criterion 1", "By the river", "9");
  await typeIn(page, "Criterion 1", "Near work", "5");
  await page.click("Add a criterion");
  await typeIn(page, "Criterion 2", "Name", "Rent");
  await typeIn(page, "Criterion 2", "Weight", "1");
  await typeIn(page, "Criterion 2", "By the river", "4");
  await page.click("Save");
  // A score is missing: nothing is sent, and nothing is lost.
  await page.until(`document.querySelector(".summary").innerText !== ""`);
  await typeIn(page, "Criterion 2", "Near work", "7");
  await page.click("Save");
  await page.heading("Analysis");
  const ranking = await page.text();
  assert(
    ranking.includes("If the weight of Light changed from 2 to 0.75,"),
    ranking,
  );
  assertEquals(
    await page.evaluate(`[...document.querySelectorAll("tbody tr")].map((row) =>
      [...row.cells].map((cell) => cell.innerText))`),
    [["1. By the river", "7.333", "9", "4"], ["2. Near work", "5.667", "5", "7"]],
  );
  await page.click("Edit");
  await page.heading("Edit: Analysis");
  await typeIn(page, "Criterion 2", "Weight", "0");
  await page.click("Save");
  await page.heading("Analysis");
  const { items: [analysis] } = await callAs(page, "GET", `${api}/analyses`);
  assertEquals([analysis.revision, analysis.criteria[1].weight], [2, 10]);

  await page.visit(`${own}`);
  await page.click("Choose By the river");
  await page.until(`document.querySelector(".chosen strong")?.innerText === "✓ Chosen"`);
  await choose(page, `More for ${FLAT.question}`, "Add a counterfactual");
  await page.heading("New: Counterfactual");
  await page.focus("Near work");
  await page.evaluate("document.activeElement.click()");
  await page.type("How it might have gone", "An hour more a day.");
  await page.type("Confidence", "0.5");
  await page.click("Save");
  await page.heading("Counterfactual");
  await page.visit(`${own}`);
  await page.until(`document.querySelector(".two > details") !== null`);
  await readOnce(page, "An hour more a day.");

  await page.visit(`${own}/predictions/new`);
  await page.heading("New: Prediction");
  await page.type("Statement", "We still like it after a year.");
  await page.type("Probability", "0.75");
  await page.set("dueAt", "2026-06-01T09:00");
  await page.click("Save");
  await page.heading("Prediction");
  await page.click("Record its outcome");
  await page.heading("New: Outcome");
  await page.focus("Yes");
  await page.evaluate("document.activeElement.click()");
  await page.type("What happened", "We stayed.");
  await page.set("observedAt", "2026-06-02T09:00");
  await page.click("Save");
  await page.heading("Outcome");
  const { items: [outcome] } = await callAs(page, "GET", `${api}/outcomes`);
  assertEquals([outcome.occurred, outcome.predictionRevision], [true, 1]);
  await page.click("Prediction");
  await page.heading("Prediction");
  assert(!(await page.text()).includes("Edit"), "what has an outcome is not changed any more");
  await page.visit(PAGE);
  await choose(page, "More for Decisions", "Calibration");
  await page.heading("Calibration");
  const calibration = await page.text();
  assert(calibration.includes("0.063") && calibration.includes("Brier score"), calibration);
  await page.click("As a table");
  assertEquals(
    await page.evaluate(`[...document.querySelectorAll("td")].map((cell) => cell.innerText)`),
    ["75%", "100%", "1"],
  );
});

journey("A simulation is requested, computed and shown", async (console) => {
  const page = await settle(console);
  const { decisionId } = await callAs(page, "POST", API, FLAT);
  await page.visit(`${PAGE}/${decisionId}`);
  await choose(page, `More for ${FLAT.question}`, "Simulate the options");
  await page.heading("New: Simulation");
  const factors = [
    ["By the river", "Normal", { "Mean": "10", "Standard deviation": "2" }],
    ["Near work", "Triangular", { "Minimum": "0", "Mode": "5", "Maximum": "20" }],
  ] as const;
  for (const [index, [option, distribution, parameters]] of factors.entries()) {
    if (index > 0) await page.click("Add a factor");
    const group = `Factor ${index + 1}`;
    await typeIn(page, group, option, "");
    await typeIn(page, group, "Name", "Years");
    await typeIn(page, group, "Weight", "1");
    await typeIn(page, group, distribution, "");
    for (const [name, value] of Object.entries(parameters)) {
      await typeIn(page, group, name, value);
    }
  }
  // While too many are waiting, it stays here, and is sent by itself.
  await page.evaluate(`{
    const error = { code: "HTTP_429", message: "Too many requests." };
    globalThis.present = fetch;
    globalThis.fetch = (path, request) => request?.method === "POST"
      ? Promise.resolve(Response.json({ error }, { status: 429 }))
      : present(path, request);
  }`);
  await page.click("Save");
  await page.until(`document.body.innerText.includes("It will be sent")`);
  await page.evaluate("globalThis.fetch = present");
  await page.heading("Simulation");
  const { items: [made] } = await callAs(page, "GET", `${API}/${decisionId}/simulations`);
  assertEquals([made.runs, made.seed, made.options[0].factors[0].standardDeviation], [
    10_000,
    1,
    2,
  ]);
  await page.until(`document.querySelector("main figure svg") !== null`);
  assertEquals(
    await page.evaluate(`[...document.querySelectorAll("main figure svg")].map((svg) =>
      [svg.getAttribute("aria-label"), svg.querySelectorAll("polyline").length])`),
    [["Range of results", 4]],
  );
  const [{ option, probabilityBest }] = made.results.toSorted((a: Json, b: Json) =>
    b.probabilityBest - a.probabilityBest
  );
  const sentence = `${option} is best in ${Math.round(probabilityBest * 100)} of 100 runs.`;
  await page.visit(`${PAGE}/${decisionId}`);
  await page.until(`document.body.innerText.includes(${JSON.stringify(sentence)})`);
  await page.click("As a table");
  assert(!/\d[.,]\d{4}/.test((await page.text()).replaceAll(/\d,\d{3}(?!\d)/g, "")));
});

/** Folded parts are read when they are opened: again after a failure, otherwise once. */
async function readOnce(page: Page, words: string): Promise<void> {
  await page.evaluate(`{
    const real = fetch;
    globalThis.asked = [];
    globalThis.fetch = (path, request) => !path.includes("/counterfactuals?")
      ? real(path, request)
      : new Promise((resolve, reject) => asked.push({
        answer: () => resolve(real(path, request)),
        fail: () => reject(new TypeError()),
      }));
  }`);
  const toggle = async (isOpen: boolean) =>
    await page.evaluate(`new Promise((resolve) => {
      const details = document.querySelector(".two > details");
      details.addEventListener("toggle", () => resolve(), { once: true });
      details.open = ${isOpen};
    })`);
  await toggle(true);
  await page.evaluate("asked.pop().fail()");
  await page.until(`document.querySelector("#status").innerText.includes("connection")`);
  for (const isOpen of [false, true, false, true]) await toggle(isOpen);
  assertEquals(await page.evaluate("asked.length"), 1);
  await page.evaluate("asked.pop().answer()");
  await page.until(`document.querySelector(".two > details").innerText.includes("${words}")`);
}

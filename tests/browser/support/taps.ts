/**
 * Counts taps and fields: one for each press of a button, link, choice or Enter, and one for each
 * field that is typed into or file chooser that is used.
 */

import { assert } from "@std/assert";
import type { Page } from "./browser.ts";

/**
 * Runs in the page and keeps the taps in the tab's storage, so that they survive the page.
 * Presses of the console itself, in answer to a tap, are not counted.
 */
const WATCH = `(() => {
  const pressed = "a, button, summary, input:is([type=radio], [type=checkbox], [type=button]), " +
    "[role=option], [role=menuitem], [role=radio], [role=tab], [role=switch]";
  const typed = "select, textarea, [contenteditable], " +
    "input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=file])";
  const used = new WeakSet();
  let isInTap = false;
  let isEnter = false;
  const nameOf = (element) =>
    element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText;
  const count = (how, element) => {
    const taps = JSON.parse(sessionStorage.getItem("test:taps") ?? "[]");
    const tap = how + " " + nameOf(element).trim();
    sessionStorage.setItem("test:taps", JSON.stringify([...taps, tap]));
    isInTap = true;
    setTimeout(end);
  };
  const end = () => {
    isInTap = false;
  };
  // The last stop of an event, which a busy browser reaches long before a timer.
  for (const type of ["keydown", "click", "input", "change"]) addEventListener(type, end);
  // On the document, because Page.click stops a click that missed its target at the window.
  const listen = (type, listener) =>
    document.addEventListener(type, (event) => {
      if (event.target instanceof Element) listener(event.target, event);
    }, { capture: true });
  listen("keydown", (target, { key, repeat, isComposing }) => {
    if (key !== "Enter" || repeat || isComposing) return;
    isEnter = true;
    count("Enter in", target);
  });
  listen("keyup", () => isEnter = false);
  listen("click", (target) => {
    // A chooser that a button opened is counted with the button.
    if (target.matches("input[type=file]") && isInTap) used.add(target);
    const control = target.closest(pressed);
    if (control !== null && !isInTap && !isEnter) count("press", control);
  });
  listen("input", (target) => {
    if (!target.matches(typed) || used.has(target) || isInTap) return;
    used.add(target);
    count("fill", target);
  });
  listen("change", (target) => {
    if (target.matches("input[type=file]") && !used.delete(target)) count("choose", target);
  });
})()`;

/** The taps and fields since `countTaps` or `restart`. */
export interface Taps {
  /** In their order, such as `press Save`. */
  list(): Promise<string[]>;
  restart(): Promise<void>;
  /** Names the taps if there are more. */
  assertAtMost(ceiling: number): Promise<void>;
}

/** Counts on this page and on those that its tab loads later. */
export async function countTaps(page: Page): Promise<Taps> {
  await page.call("Page.addScriptToEvaluateOnNewDocument", { source: WATCH });
  await page.evaluate(WATCH);
  const list = () => page.evaluate(`JSON.parse(sessionStorage.getItem("test:taps") ?? "[]")`);
  const restart = () => page.evaluate(`sessionStorage.removeItem("test:taps")`);
  const assertAtMost = async (ceiling: number) => {
    const taps = await list();
    assert(taps.length <= ceiling, `More than ${ceiling}: ${taps.join(", ")}`);
  };
  await restart();
  return { list, restart, assertAtMost };
}

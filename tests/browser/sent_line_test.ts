/** Lines typed faster than the service answers: each is sent once, in the order of Enter. */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import type { Page } from "./support/browser.ts";
import { type Console, journey } from "./support/console.ts";
import { goOffline, goOnline, withLatency } from "./support/latency.ts";
import { callAs, PASSWORD, settle } from "./support/person.ts";

const CAPTURES = "/api/v2/records/capture";
const BOX = `document.querySelector("textarea[name=originalContent]")`;
const LIST = `document.querySelector("main section .lines")`;
const TEXTS = `[...${LIST}.children].map((one) =>
  one.querySelector("a")?.innerText ?? one.innerText)`;

/**
 * Records the text of the box and the first line of the list when the event of Enter ends, the keys
 * and titles of the writes, and the maximum sent at a time. Faults are the next answers: a status,
 * "lost" for a write that is done but whose answer does not arrive, or "held" for one that is sent
 * after `release()`.
 */
const WATCH = `(() => {
  const send = globalThis.fetch;
  Object.assign(globalThis, { seen: [], keys: [], titles: [], faults: [], sending: 0, most: 0 });
  addEventListener("keydown", ({ key }) => {
    if (key === "Enter") seen.push([${BOX}.value, ${LIST}.firstElementChild?.innerText]);
  });
  globalThis.fetch = async (path, request) => {
    if (request?.method !== "POST" || path !== ${JSON.stringify(CAPTURES)}) {
      return send(path, request);
    }
    keys.push(request.headers["Idempotency-Key"]);
    titles.push(JSON.parse(request.body).title);
    const fault = faults.shift();
    if (fault === "held") await new Promise((resolve) => globalThis.release = resolve);
    const headers = { "Retry-After": fault === 429 ? "60" : "0" };
    if (typeof fault === "number") return new Response("{}", { status: fault, headers });
    most = Math.max(most, ++sending);
    const answer = await send(path, request).finally(() => sending--);
    if (fault === "lost") throw new TypeError("Failed to fetch");
    return answer;
  };
})()`;

const FILL = `for (const storage of [localStorage, sessionStorage]) {
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    try {
      storage.setItem("fill" + size, "x".repeat(size));
    } catch {
      // Less may fit.
    }
  }
}`;

/** True if the page warns before it is left. */
const WARNS = `(() => {
  const event = new Event("beforeunload", { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
})()`;

/** At the browser's own time: a capture's time must not be after the service's. */
async function open(console: Console): Promise<Page> {
  console.world.advance(Date.now() - DAY_MS - console.world.now().getTime());
  const page = await settle(console);
  console.world.advance(DAY_MS);
  await visit(page);
  return page;
}

async function visit(page: Page): Promise<void> {
  await page.visit("/");
  await page.heading("Today");
  await page.evaluate(WATCH);
  await page.focus("What is on your mind?");
}

async function enter(page: Page, text: string): Promise<void> {
  await page.call("Input.insertText", { text });
  await page.press("Enter");
}

/** Those that the service has; its clock does not move, so that they have no order. */
async function savedTitles(page: Page): Promise<string[]> {
  const { items } = await callAs(page, "GET", CAPTURES);
  return items.map(({ title }: { title: string }) => title).sort();
}

const areTexts = (texts: readonly string[]) =>
  `JSON.stringify(${TEXTS}) === ${JSON.stringify(JSON.stringify(texts))}`;

journey("Thoughts typed faster than they are sent keep their order", async (console) => {
  const page = await open(console);
  const thoughts: string[] = [];
  for (
    const [latency, texts] of [
      [0, ["Feed the cat", "Feed the dog"]],
      [200, ["Call the plumber", "Buy bread", "Write to Ana"]],
      [2_000, ["Slow one", "Slow two"]],
    ] as const
  ) {
    await withLatency(page, latency);
    for (const text of texts) await enter(page, text);
    thoughts.push(...texts);
    const shown = await page.evaluate(TEXTS);
    // Shorter delays may be over.
    const waiting = texts.toReversed().map((text) => `${text}\nSaving…`);
    if (latency > 200) assertEquals(shown.slice(0, texts.length), waiting);
    // A request that is already sent keeps its delay.
    if (latency > 200) await goOnline(page);
    await page.until(areTexts(thoughts.toReversed()));
  }
  assertEquals(
    await page.evaluate("seen"),
    thoughts.map((text) => ["", `${text}\nSaving…`]),
  );
  assertEquals(await page.evaluate("[most, titles]"), [1, thoughts]);
  assertEquals(await savedTitles(page), thoughts.toSorted());
  assertEquals(await page.evaluate(`document.activeElement === ${BOX}`), true);
  assertEquals(await page.evaluate("sessionStorage.length"), 0);

  // The storage has no room, so only the page has the words.
  await page.evaluate(FILL);
  await page.evaluate(`titles.length = 0, faults.push("held")`);
  for (const text of ["No room", "Still none"]) await enter(page, text);
  await page.until("globalThis.release !== undefined");
  assertEquals(await page.evaluate(WARNS), true);
  await page.evaluate("release()");
  await page.until(areTexts(["Still none", "No room", ...thoughts.toReversed()]));
  assertEquals(await page.evaluate(`[titles, ${WARNS}]`), [["No room", "Still none"], false]);
});

journey(
  "A line that cannot be sent waits, also over a reload, and is sent once",
  async (console) => {
    const page = await open(console);
    await goOffline(page);
    for (const text of ["In a tunnel", "Still in it"]) await enter(page, text);
    await page.until(areTexts(["Still in it\nNot sent yet", "In a tunnel\nNot sent yet"]));
    // The page comes, the write does not.
    await page.call("Network.setBlockedURLs", { urls: [`*${CAPTURES}`] });
    await goOnline(page);
    await visit(page);
    await page.until(areTexts(["Still in it\nNot sent yet", "In a tunnel\nNot sent yet"]));
    assertEquals(await page.evaluate(`${BOX}.value`), "");
    await page.call("Network.setBlockedURLs", { urls: [] });
    // An Enter tries again at once. The first answer is a failure, the second is lost.
    await page.evaluate(`faults.push(503, "lost")`);
    await enter(page, "After it");
    // So does a connection that returns.
    const texts = areTexts(["After it", "Still in it", "In a tunnel"]);
    await page.until(`dispatchEvent(new Event("online")) && ${texts}`);
    const sent = ["In a tunnel", "Still in it", "After it"];
    assertEquals(await savedTitles(page), sent.toSorted());
    assertEquals(await page.evaluate("faults"), []);
    // Each write is repeated under its key before the next one.
    const tries = await page.evaluate(`titles.map((title, index) => title + " " + keys[index])`);
    assert(tries.length >= 5);
    const once = [...new Set<string>(tries)];
    assertEquals(once.map((text) => text.replace(/ \S+$/, "")), sent);
    assertEquals(
      tries.toSorted((a: string, b: string) => once.indexOf(a) - once.indexOf(b)),
      tries,
    );

    // Nothing shortens the wait that the service asks for.
    await page.evaluate("titles.length = 0, faults.push(429)");
    for (const text of ["Too many", "One more"]) {
      await enter(page, text);
      await page.until(`${LIST}.firstElementChild.innerText === "${text}\\nNot sent yet"`);
      await page.evaluate(`dispatchEvent(new Event("online"))`);
    }
    assertEquals(await page.evaluate("titles"), ["Too many"]);
  },
);

journey("A refused line returns above newer text, and an ended session asks", async (console) => {
  const page = await open(console);
  console.world.advance(-DAY_MS / 2);
  await page.evaluate(`faults.push("held")`);
  for (const text of ["Too early", "Early, too"]) await enter(page, text);
  await page.call("Input.insertText", { text: "Newer text" });
  await page.evaluate(`${BOX}.setSelectionRange(2, 5)`);
  await page.until("globalThis.release !== undefined");
  await page.evaluate("release()");
  const value = "Too early\n\nEarly, too\n\nNewer text";
  await page.until(`${BOX}.value === ${JSON.stringify(value)}`);
  assertEquals(
    await page.evaluate(`[document.activeElement === ${BOX}, ${BOX}.value.slice(
      ${BOX}.selectionStart, ${BOX}.selectionEnd)]`),
    [true, "wer"],
  );
  const refusal = await page.evaluate(`document.querySelector("main .refusal").innerText`);
  assert(refusal.includes("future"), refusal);
  assertEquals(await page.evaluate(TEXTS), []);
  await page.until(`!Object.keys(sessionStorage).some((name) => name.startsWith("unsent"))`);
  console.world.advance(DAY_MS / 2);

  // One question for all lines, and the person types on where they were.
  await page.evaluate(`${BOX}.select()`);
  await console.world.raw("update sessions set revoked_at = now()");
  await page.evaluate(`delete globalThis.release, faults.push("held")`);
  await enter(page, "While signed out");
  await enter(page, "And another");
  await page.until("globalThis.release !== undefined");
  await page.evaluate("release()");
  await page.until(`document.querySelector("dialog [type=password]") !== null`);
  await page.type("Password", PASSWORD);
  await page.press("Enter");
  await page.until(areTexts(["And another", "While signed out"]));
  assertEquals(await page.evaluate(`document.querySelectorAll("dialog").length`), 0);
  assertEquals(await page.evaluate(`document.activeElement === ${BOX}`), true);
  assertEquals(await page.evaluate("titles.slice(-2)"), ["While signed out", "And another"]);
});

/** Sends a line as the pages do, and records its outcome. */
const SEND = `async (writes) => {
  const base = document.querySelector("script[type=module]").src;
  const { sendLine } = await import(new URL("core/browser_outbox.js", base));
  return new Promise((resolve) => {
    const became = { answers: null, words: null };
    const made = (answers) => {
      became.answers = answers;
      setTimeout(() => resolve(became));
      return document.createElement("li");
    };
    const refused = (error, words) => void (became.words = words);
    const line = { title: "A line", words: "As typed", page: "/", made, refused };
    sendLine({ ...line, list: ${LIST}, writes });
  });
}`;

journey("Two writes of one line have two keys, and the first stays", async (console) => {
  const page = await open(console);
  const HEALTH = "/api/v2/records/health";
  const measured = {
    metricType: "BLOOD_PRESSURE_SYSTOLIC",
    unit: "mmHg",
    quality: "SELF_REPORTED",
  };
  const pressure = (value: unknown) => ({
    method: "POST",
    path: HEALTH,
    body: {
      title: "Blood pressure",
      payload: { ...measured, value, measuredAt: console.world.now().toISOString() },
    },
    words: String(value),
  });
  const send = (writes: unknown) => page.evaluate(`(${SEND})(${JSON.stringify(writes)})`);
  const half = await send([pressure(120), pressure("eighty")]);
  assertEquals([half.answers.length, half.words], [1, "eighty"]);
  const { items } = await callAs(page, "GET", HEALTH);
  assertEquals(
    items.map(({ payload }: Record<string, typeof measured & { value: number }>) => payload?.value),
    [120],
  );

  // The path of the second has the identifier from the first answer.
  const PEOPLE = "/api/v2/relationship/people";
  const person = { personName: "Anna", relationshipType: "OTHER", importance: 3 };
  const phone = { kind: "PHONE", value: { value: "0170 1234567" }, privacy: "PRIVATE" };
  const path = [`${PEOPLE}/`, { answer: 0, member: "personId" }, "/details"];
  const both = await send([
    { method: "POST", path: PEOPLE, body: person },
    { method: "POST", path, body: phone },
  ]);
  assertEquals(both.words, null);
  const { personId } = both.answers[0];
  const details = await callAs(page, "GET", `${PEOPLE}/${personId}/details`);
  assertEquals(details.items.map(({ value }: typeof phone) => value.value), ["0170 1234567"]);
  assertEquals(await page.evaluate("Object.keys(localStorage)"), []);
});

/** Photographs and a year of values, added to the sample life for pictures of the console. */

import type { Page } from "../tests/browser/support/browser.ts";
import { callAs } from "../tests/browser/support/person.ts";
import { uploadAs } from "../tests/browser/support/pictures.ts";

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

/** Colours of the sky from the top to the horizon, of hills from far to near, and of the ground. */
interface Scene {
  readonly sky: readonly [string, string];
  readonly hills: readonly string[];
  readonly ground: string;
  readonly sun?: readonly [x: number, y: number, colour: string];
  readonly isPortrait?: boolean;
}

const SCENES: Readonly<Record<string, Scene>> = {
  lake: {
    sky: ["#8fb4cf", "#f3dcc0"],
    hills: ["#8fa3ad", "#6c8791", "#3f5f63"],
    ground: "#7fa0ac",
    sun: [0.68, 0.4, "#fff3d6"],
  },
  evening: {
    sky: ["#4a4b72", "#eda27c"],
    hills: ["#6d5a78", "#4b4563", "#2b2f46"],
    ground: "#8b6472",
    sun: [0.3, 0.5, "#ffd9a3"],
  },
  harbour: { sky: ["#b9c3c7", "#dcdedb"], hills: ["#a9b4b8", "#8d9aa0"], ground: "#98a5aa" },
  snow: { sky: ["#c9d7e4", "#f4f1ec"], hills: ["#b4c3cf", "#dfe7ec"], ground: "#f3f6f8" },
  someone: { sky: ["#d8c3a5", "#c49a78"], hills: [], ground: "#c49a78", isPortrait: true },
};

/** Draws in the page, so that no picture of anyone is needed. */
const DRAW = `async ({ sky, hills, ground, sun, isPortrait }) => {
  const [width, height] = isPortrait ? [640, 640] : [1280, 860];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  const gradient = (top, bottom, colours) => {
    const made = context.createLinearGradient(0, top, 0, bottom);
    colours.forEach((colour, index) => made.addColorStop(index / (colours.length - 1), colour));
    return made;
  };
  const circle = (x, y, radius, colour) => {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fill();
  };
  context.fillStyle = gradient(0, height * 0.7, sky);
  context.fillRect(0, 0, width, height);
  if (sun) circle(sun[0] * width, sun[1] * height, height * 0.06, sun[2]);
  hills.forEach((colour, index) => {
    const base = height * (0.5 + index * 0.07);
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 8) {
      const wave = Math.sin(x / (170 - 30 * index) + index * 2.1) + Math.sin(x / 61 + index) / 3;
      context.lineTo(x, base - wave * height * 0.06);
    }
    context.lineTo(width, height);
    context.fill();
  });
  if (!isPortrait) {
    context.fillStyle = gradient(height * 0.72, height, [ground, sky[0]]);
    context.fillRect(0, height * 0.72, width, height);
    context.fillStyle = "rgb(255 255 255 / 22%)";
    for (let y = height * 0.75, step = 0; y < height; y += 19, step++) {
      context.fillRect(width * (0.1 + (step * 37 % 50) / 100), y, width * 0.22, 2);
    }
  } else {
    circle(width / 2, height * 0.42, height * 0.2, "#e7c1a0");
    circle(width / 2, height * 0.34, height * 0.2, "#5a4334");
    circle(width / 2, height * 0.45, height * 0.17, "#e7c1a0");
    circle(width / 2, height * 1.02, height * 0.36, "#47616b");
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
  return (new Uint8Array(await blob.arrayBuffer())).toBase64();
}`;

/** Adds pictures, values and tasks, and draws the small pictures of all files. */
export async function enrichLife(page: Page): Promise<void> {
  const pictures = new Map<string, string>();
  for (const [name, scene] of Object.entries(SCENES)) {
    const text = await page.evaluate(`(${DRAW})(${JSON.stringify(scene)})`);
    const bytes = Uint8Array.fromBase64(text);
    pictures.set(name, await uploadAs(page, `${name}.jpg`, "image/jpeg", bytes));
  }
  const shown = (name: string, words = "") => `![${words}](attachment:${pictures.get(name)})`;
  const memories = [
    [
      "Three days at the lake",
      -64,
      `The water was still warm, though the first leaves already lay on the jetty.

${shown("lake", "The lake in the morning")}

Henning cooked for **all six** of us, and the phones stayed in a drawer.

- swam twice a day
- lost at cards, again

${shown("evening")}`,
    ],
    ["Fog over the harbour", -20, `Nothing to see but the lamps.\n\n${shown("harbour")}`],
    ["The first snow", -9, `Lena was out before breakfast.\n\n${shown("snow")}`],
  ] as const;
  for (const [title, days, originalContent] of memories) {
    const body = { title, memoryType: "EVENT", occurredAt: inDays(days), originalContent };
    await callAs(page, "POST", "/api/v2/memory/texts", body);
  }
  const { items } = await callAs(page, "GET", "/api/v2/relationship/people?limit=100");
  const { personId } = items.find((one: { personName: string }) => one.personName === "Henning");
  await callAs(page, "POST", `/api/v2/relationship/people/${personId}/details`, {
    kind: "OTHER",
    value: { property: "PHOTO", value: `attachment:${pictures.get("someone")}` },
    privacy: "PRIVATE",
  });
  await addValues(page);
  const tasks = [["Bring back the ladder", -3], ["Buy paint", 0.1], [
    "A cake for Lena",
    3,
  ]] as const;
  for (const [title, days] of tasks) {
    const payload = {
      actionType: "TASK",
      actionTitle: title,
      actionStatus: "PLANNED",
      successCriteria: "Done",
      targetDate: inDays(days),
    };
    await callAs(page, "POST", "/api/v2/records/action", { title, payload });
  }
  await page.visit("/console/files");
  await page.click("Make small pictures");
  const small = `[...document.querySelectorAll("main img")].filter(({ src, naturalWidth }) =>
    src.endsWith("/thumbnail") && naturalWidth > 0).length`;
  await page.until(`${small} >= ${pictures.size}`);
}

/** A weight each week with a gap, and a mood every other day. */
async function addValues(page: Page): Promise<void> {
  const add = (title: string, metricType: string, unit: string, value: number, days: number) =>
    callAs(page, "POST", "/api/v2/records/health", {
      title,
      payload: { metricType, value, unit, quality: "MEASURED", measuredAt: inDays(days) },
    });
  for (let index = 0; index < 55; index++) {
    const scatter = index * 7919 % 11 / 10;
    const weight = Math.round((76 + 2 * Math.sin(index / 9) + scatter) * 10) / 10;
    await add("Weight", "WEIGHT", "kg", weight, -6 * index - 1 - (index > 30 ? 40 : 0));
    await add("Mood", "MOOD", "points", 3 + index * 31 % 7, -2 * index - 0.1);
  }
}

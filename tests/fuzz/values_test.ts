import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { assertWritesNothing } from "../http/kernel.ts";
import { assertPublicAnswer } from "../support/public_response.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";

const world = sharedWorld();

/** A line, a multi-line text, tags and free JSON. */
interface Texts {
  readonly title: string;
  readonly summary: string;
  readonly line: string;
  readonly lines: string;
  readonly json: JsonValue;
}

function agentSession({ line, lines, json }: Texts): JsonObject {
  return {
    sessionType: "MENTOR",
    prompt: lines,
    provider: line,
    contextRefs: [[...line].slice(0, 30).join("")],
    approvalStatus: "APPROVED",
    executedActions: json,
  };
}

/** Reads by detail, list, revision and replay. */
async function readBack(caller: Caller, title: string, summary: string, payload: JsonObject) {
  const options = { key: ulid(), body: { title, summary, payload } };
  const created = await caller.call("POST", "/api/v2/records/ai-agent", options);
  assertEquals(created.status, 201, created.text);
  const path = `/api/v2/records/ai-agent/${created.body.data.recordId}`;
  const [detail, list, revisions, replay] = await Promise.all([
    caller.call("GET", path),
    caller.call("GET", "/api/v2/records/ai-agent?limit=1&sort=-updatedAt"),
    caller.call("GET", `${path}/revisions`),
    caller.call("POST", "/api/v2/records/ai-agent", options),
  ]);
  return [
    created.body.data,
    detail.body.data,
    replay.body.data,
    list.body.data.items[0],
    revisions.body.data.items[0],
  ].map((item: Json) => ({ title: item.title, summary: item.summary, payload: item.payload }));
}

/** Any code points except surrogates and NUL. */
function anyText(random: Random, length: number, controls: boolean): string {
  const odd = [
    ..."\ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}\ufeff\u202e\u200f\u200d\u0301",
    ..."e\u0301 \u00e9 👩‍👩‍👧 🏳️‍🌈 ﷺ عربى İ ﬁ Å".split(" "),
    ..."\u{e0001}\u2028\u2029\u00a0\u3000\"\\/'",
    ..."</script> %00 ${x}".split(" "),
  ];
  const control = ["\t", "\n", "\r", "\u0001", "\u001f", "\u007f", "\u0085"];
  const codePoint = () => {
    const value = random.integer(0xa0, 0x10ffff);
    return value >= 0xd800 && value <= 0xdfff ? "x" : String.fromCodePoint(value);
  };
  const pieces = Array.from({ length }, () => {
    if (controls && random.chance(0.1)) return random.pick(control);
    return random.chance(0.5) ? random.pick(odd) : codePoint();
  });
  return `a${pieces.join("")}z`;
}

Deno.test("POST record stores any text exactly as it was sent", async () => {
  const caller = await world().createCaller();
  const seed = 31;
  const random = seededRandom(seed);
  for (let run = 0; run < 30; run++) {
    world().advance(1);
    const text = (controls: boolean) => anyText(random, random.integer(1, 12), controls);
    const texts: Texts = {
      title: text(false),
      summary: text(true),
      line: text(false),
      lines: text(true),
      json: { [text(true)]: [text(true), { [text(false)]: text(true) }] },
    };
    const sent = { title: texts.title, summary: texts.summary, payload: agentSession(texts) };
    for (const read of await readBack(caller, sent.title, sent.summary, sent.payload)) {
      assertEquals(read, sent, `seed ${seed}, run ${run}`);
    }
  }
});

Deno.test("POST record reads numbers back as the doubles of their literals", async () => {
  const caller = await world().createCaller();
  const literals = [
    ..."1e308 1.7976931348623157e308 -1.7976931348623157e308".split(" "),
    ..."5e-324 -5e-324 2e-324 2.2250738585072014e-308 1e21 1e-7".split(" "),
    ..."0.1 0.30000000000000004 1e0 1.0 -0 0e999999 9007199254740993.0".split(" "),
    ..."123456789012345678901234567890e0 1E+2 100e-2 0.0".split(" "),
    "3.14159265358979323846264338327950288",
    `${0.1 + 0.2}`,
    "4.35",
    "1e-400",
  ];
  const random = seededRandom(32);
  for (let count = 0; count < 200; count++) {
    const number = (random.next() - 0.5) * 10 ** random.integer(-300, 300);
    literals.push(number.toExponential());
  }
  const payload = JSON.stringify(
    agentSession({ title: "", summary: "", line: "a", lines: "a", json: ["HERE"] }),
  ).replace('"HERE"', literals.join(","));
  const created = await caller.call("POST", "/api/v2/records/ai-agent", {
    key: ulid(),
    headers: { "Content-Type": "application/json" },
    raw: `{"title":"Numbers","payload":${payload}}`,
  });
  assertEquals(created.status, 201, created.text);
  const { recordId } = created.body.data;
  const read = await caller.call("GET", `/api/v2/records/ai-agent/${recordId}`);
  for (const [index, literal] of literals.entries()) {
    // JSON need not preserve negative zero.
    const expected = Number(literal) + 0;
    for (const { body } of [created, read]) {
      assertEquals(body.data.payload.executedActions[index] + 0, expected, literal);
    }
  }
});

Deno.test("POST record accepts a number field at the limits of its range", async () => {
  const caller = await world().createCaller();
  const health = (value: JsonValue): JsonObject => ({
    metricType: "WEIGHT",
    value,
    unit: "kg",
    measuredAt: world().now().toISOString(),
    quality: "MEASURED",
  });
  const post = (value: JsonValue) =>
    caller.call("POST", "/api/v2/records/health", {
      key: ulid(),
      body: { title: "A title", payload: health(value) },
    });
  const catalog = await caller.call("GET", "/api/v2/catalog");
  const module = catalog.body.data.modules.find(({ code }: Json) => code === "health");
  const { minimum, maximum } = module.fields.find(({ name }: Json) => name === "value");
  for (const value of [minimum, maximum, minimum + 5e-324, 0.1 + 0.2, maximum - 0.5, 1e-7]) {
    const response = await post(value);
    assertEquals([response.status, response.body.data?.payload.value], [201, value], response.text);
  }
  await assertWritesNothing(world(), async () => {
    for (const value of [minimum - 0.001, maximum + 0.001, 1e308, -1e308, "1", null, [], true]) {
      const response = await post(value);
      assertPublicAnswer(response, JSON.stringify(value));
      assertEquals([response.status, response.body.error.details.fields], [400, ["value"]]);
    }
  });
});

Deno.test("POST record counts title and summary in code points", async () => {
  const caller = await world().createCaller();
  const payload = { commitmentType: "OUTGOING", content: "a", completionStatus: "OPEN" };
  const post = (title: JsonValue, summary: JsonValue = ""): Promise<TestResponse> =>
    caller.call("POST", "/api/v2/records/commitment", {
      key: ulid(),
      body: { title, summary, payload },
    });
  // Combining marks and joiners count too.
  for (const character of ["x", "é", "漢", "🙂", "\u0301", "\u200d", "\u{10ffff}"]) {
    const title = character.repeat(199) + "z";
    const summary = character.repeat(1000);
    const response = await post(title, summary);
    assertEquals(response.status, 201, response.text);
    assertEquals([response.body.data.title, response.body.data.summary], [title, summary]);
    await assertWritesNothing(world(), async () => {
      for (
        const [wrong, rest, field] of [[title + "z", summary, "title"], [
          title,
          summary + "z",
          "summary",
        ]]
      ) {
        const refused = await post(wrong ?? "", rest);
        assertPublicAnswer(refused, character);
        assertEquals(refused.body.error.details, { fields: [field], rules: ["field.length"] });
      }
    });
  }
});

Deno.test("POST record rejects blank titles, control characters, and values of other types", async () => {
  const caller = await world().createCaller();
  const payload = { commitmentType: "OUTGOING", content: "a", completionStatus: "OPEN" };
  const blank = ["", " ", "\u00a0", "\u3000\u2003", "\ufeff", "\u2028"];
  const control = ["a\tb", "a\nb", "\u001b[31mred", "a\u007f", "a\u0085b", "\r"];
  const other: JsonValue[] = [null, 1, true, [], {}, ["a"]];
  await assertWritesNothing(world(), async () => {
    for (const title of [...blank, ...control, ...other]) {
      const response = await caller.call("POST", "/api/v2/records/commitment", {
        key: ulid(),
        body: { title, payload },
      });
      assertPublicAnswer(response, JSON.stringify(title));
      assertEquals([response.status, response.body.error.details?.fields], [400, ["title"]]);
    }
  });
  assert((await caller.call("GET", "/api/v2/records/commitment")).body.data.items.length === 0);
});

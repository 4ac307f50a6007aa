import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  byteaArray,
  identifier,
  type Query,
  type Sql,
  type SqlValue,
} from "../../../src/database/sql.ts";
import { type Composed, createTemplate } from "../../../src/database/statement.ts";
import { type Random, seededRandom } from "../../support/random.ts";

function watchedTemplate(answer: () => Promise<object[]> = () => Promise.resolve([])): {
  readonly sql: Sql;
  readonly sent: Composed[];
} {
  const sent: Composed[] = [];
  const sql = createTemplate(<Row>(statement: Composed) => {
    sent.push(statement);
    return answer() as Promise<Row[]>;
  }, () => {});
  return { sql, sent };
}

Deno.test("A statement numbers the parameters of all its parts in the order of its text", async () => {
  const { sql, sent } = watchedTemplate();
  const owner = sql`owner_id = ${"o"}`;
  const range = sql`and (${owner} or size > ${3}) and ${identifier(sql, "archived")} = ${true}`;
  await sql`select ${1}::int from t where ${owner} ${range} ${sql``} limit ${null}`;
  assertEquals(sent, [{
    text: `select $1::int from t where owner_id = $2 and (owner_id = $3 or size > $4) ` +
      `and "archived" = $5  limit $6`,
    parameters: [1, "o", "o", 3, true, null],
  }]);
});

Deno.test("A statement has its own text in each statement that contains it", async () => {
  const { sql, sent } = watchedTemplate();
  const part = sql`a = ${"a"}`;
  await sql`select ${0} where ${part}`;
  await sql`select where ${part} and ${part}`;
  assertEquals(sent.map(({ text }) => text), [
    "select $1 where a = $2",
    "select where a = $1 and a = $2",
  ]);
  assertEquals(sent.map(({ parameters }) => parameters), [[0, "a"], ["a", "a"]]);
});

Deno.test("A parameter never becomes part of a statement's text", async () => {
  const { sql, sent } = watchedTemplate();
  const values = ["'; drop table records; --", "$1", "${x}", new Uint8Array([0x27]), new Date(0)];
  for (const value of values) {
    await sql`select ${value}`;
    const [{ text, parameters } = { text: "", parameters: [] }] = sent.splice(0);
    assertEquals(text, "select $1");
    assertStrictEquals(parameters[0], value);
  }
});

Deno.test("A statement is sent when first awaited, and only once", async () => {
  const { sql, sent } = watchedTemplate(() => Promise.resolve([{ n: sent.length }]));
  const statement = sql`select 1`;
  await Promise.resolve();
  assertEquals(sent.length, 0);
  assertEquals(await statement, [{ n: 1 }]);
  assertEquals(await statement, [{ n: 1 }]);
  const [first, second] = await Promise.all([statement, statement.then((rows) => rows.length)]);
  assertEquals([first, second], [[{ n: 1 }], 1]);
  await statement.finally(() => {});
  await statement.catch(() => {});
  await statement.execute().execute();
  assertEquals(sent.length, 1);
});

Deno.test("execute() sends a statement before it is awaited", async () => {
  const { sql, sent } = watchedTemplate();
  const statement = sql`select ${1}`.execute();
  assertEquals(sent, [{ text: "select $1", parameters: [1] }]);
  await statement;
  assertEquals(sent.length, 1);
});

Deno.test("A part of a statement is never sent by itself", async () => {
  const { sql, sent } = watchedTemplate();
  const part = sql`select 'part'`;
  await sql`select * from (${part}) x`;
  await Promise.resolve();
  assertEquals(sent.map(({ text }) => text), ["select * from (select 'part') x"]);
});

Deno.test("A failure reaches all who await the statement, and nothing is resent", async () => {
  const failure = new Error("refused by the server");
  const { sql, sent } = watchedTemplate(() => Promise.reject(failure));
  const statement = sql`select 1`;
  assertStrictEquals(await assertRejects(async () => await statement), failure);
  assertStrictEquals(await statement.catch((error) => error), failure);
  assertStrictEquals(await assertRejects(() => statement.finally(() => {})), failure);
  assertEquals(sent.length, 1);
});

Deno.test("An undefined or invalid date parameter is rejected when the statement is written", () => {
  const { sql, sent } = watchedTemplate();
  const message = "Cannot send a parameter that is undefined or not a date";
  for (const value of [undefined, new Date(NaN)]) {
    const write = () => sql`select ${value as unknown as SqlValue}`;
    assertThrows(write, TypeError, message);
    // A part is rejected when it is written.
    assertThrows(() => sql`select ${1} from (${write()}) x`, TypeError, message);
  }
  assertEquals(sent, []);
});

Deno.test("Nothing is written if the template may not be used", () => {
  let isOpen = true;
  const refuse = () => {
    if (!isOpen) throw new Error("ended");
  };
  const sql = createTemplate(() => Promise.resolve([]), refuse);
  sql`select 1`;
  isOpen = false;
  assertThrows(() => sql`select 1`, Error, "ended");
});

/** Texts with values or parts in between. */
interface Draft {
  readonly texts: readonly string[];
  readonly values: readonly (SqlValue | Draft)[];
}

const isDraft = (value: SqlValue | Draft): value is Draft =>
  typeof value === "object" && value !== null && "texts" in value;

function randomDraft(random: Random, depth: number): Draft {
  const values = Array.from(
    { length: random.integer(0, 5) },
    () => depth > 0 && random.chance(0.5) ? randomDraft(random, depth - 1) : randomValue(random),
  );
  // Texts like placeholders stay.
  const texts = [undefined, ...values].map(() => random.pick(["", " ", "a = ", "$1", "$", "'$2'"]));
  return { texts, values };
}

function randomValue(random: Random): SqlValue {
  return random.pick<SqlValue>([
    random.text(0, 5),
    random.integer(-9, 9),
    random.chance(0.5),
    null,
    new Date(random.integer(0, 1e12)),
    new Uint8Array(random.integer(0, 3)),
  ]);
}

function write(sql: Sql, { texts, values }: Draft): Query<object> {
  const strings = Object.assign([...texts], { raw: [...texts] });
  return sql(strings, ...values.map((value) => isDraft(value) ? write(sql, value) : value));
}

/** In reading order. */
function flatten({ texts, values }: Draft): { text: string }[] | (SqlValue | { text: string })[] {
  return texts.flatMap((text, index) => {
    const value = values[index];
    if (value === undefined) return [{ text }];
    return [{ text }, ...(isDraft(value) ? flatten(value) : [value])];
  });
}

/** The record that generic reads must show. */
function composed(draft: Draft): Composed {
  const parameters: SqlValue[] = [];
  const parts = flatten(draft).map((part) => {
    if (part !== null && typeof part === "object" && "text" in part) return part.text;
    parameters.push(part);
    return `$${parameters.length}`;
  });
  return { text: parts.join(""), parameters };
}

Deno.test("Random nested statements match their drafts' text and parameters", async () => {
  const random = seededRandom(6);
  const { sql, sent } = watchedTemplate();
  for (let round = 0; round < 2_000; round++) {
    const draft = randomDraft(random, 4);
    await write(sql, draft);
    assertEquals(sent.splice(0), [composed(draft)], `round ${round}`);
  }
});

Deno.test("byteaArray() writes the literal of an array of bytes", () => {
  assertEquals(byteaArray([]), "{}");
  assertEquals(byteaArray(["00ff"]), String.raw`{"\\x00ff"}`);
  assertEquals(byteaArray(["", "ab", "ab"]), String.raw`{"\\x","\\xab","\\xab"}`);
});

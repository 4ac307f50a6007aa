import { assertEquals, assertThrows } from "@std/assert";
import { identifier, type Query, type Sql } from "../../../src/database/sql.ts";

/** Records written texts. */
function recorder(): { readonly sql: Sql; readonly texts: string[] } {
  const texts: string[] = [];
  const sql: Sql = <Row extends object>(strings: TemplateStringsArray) => {
    texts.push(strings.join("?"));
    return Promise.resolve([]) as unknown as Query<Row>;
  };
  return { sql, texts };
}

Deno.test("identifier() writes a plain name in quotation marks", () => {
  const { sql, texts } = recorder();
  identifier(sql, "record_revisions");
  identifier(sql, "sha256");
  assertEquals(texts, ['"record_revisions"', '"sha256"']);
});

Deno.test("identifier() rejects whatever could be more than a name", () => {
  const { sql, texts } = recorder();
  for (
    const name of ["", "1a", "Records", 'a"', "a b", "a;b", "public.a", "a\n", "é", "a".repeat(64)]
  ) {
    assertThrows(() => identifier(sql, name), TypeError, "Cannot use this as an identifier", name);
  }
  assertEquals(texts, []);
});

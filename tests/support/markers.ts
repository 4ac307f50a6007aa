/**
 * Unique texts that are sent to the service, and searches for them in all that it returns or
 * stores.
 */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { TestResponse, World } from "./world.ts";

const FORM = /zq7mark(\d{6})x/gi;

/** A known zone that is stated for nothing else. */
const ZONE = "Etc/GMT-11";

let made = 0;

export class Markers {
  readonly #purposes = new Map<number, string>();
  #zonePurpose: string | null = null;

  /** A unique word of letters and digits. */
  make(purpose: string): string {
    made++;
    this.#purposes.set(made, purpose);
    return `Zq7Mark${String(made).padStart(6, "0")}x`;
  }

  /** A zone to state in times. */
  zone(purpose: string): string {
    this.#zonePurpose = purpose;
    return ZONE;
  }

  /** Purposes of the markers found, plain, as hexadecimal or as base64. */
  in(text: string): string[] {
    // Most texts need no decoding, which takes long for a whole log.
    if (!MAY_HOLD.test(text)) return [];
    const found = new Set<string>();
    for (const form of [text, ...hexadecimalIn(text), ...base64In(text)]) {
      if (this.#zonePurpose !== null && form.includes(ZONE)) found.add(this.#zonePurpose);
      for (const [, number] of form.matchAll(FORM)) {
        const purpose = this.#purposes.get(Number(number));
        if (purpose !== undefined) found.add(purpose);
      }
    }
    return [...found].sort();
  }

  /** Searches body and headers. */
  inResponse(response: TestResponse): string[] {
    return this.in(`${response.text}\n${JSON.stringify([...response.headers])}`);
  }

  /** A failure without any marker. */
  assertTellsNothing(response: TestResponse, about: string): void {
    const failed = response.status >= 400;
    assertEquals([failed, this.inResponse(response)], [true, []], `${about}: ${response.text}`);
  }

  /**
   * Checks log lines, idempotency envelopes and audit entries.
   *
   * @returns the markers by column.
   */
  async assertLedgersTellNothing(world: World): Promise<Record<string, string[]>> {
    assertEquals(this.in(JSON.stringify(world.log)), [], "in the log");
    const columns = await this.inDatabase(world);
    for (const column of Object.keys(columns)) {
      const isTold = column.startsWith("audit_entries") || column.endsWith(".envelope");
      assertEquals(isTold ? columns[column] : [], [], column);
    }
    return columns;
  }

  /** Returns the markers found by column, without empty ones. */
  async inDatabase(world: World): Promise<Record<string, string[]>> {
    const tables = await world.rows(`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`);
    const found: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await world.rows(`
        select row_to_json(${name}) as row from ${name} where ${name}::text ~* '${ANY_FORM}'`);
      for (const column of Object.keys(rows[0]?.row ?? {})) {
        const markers = this.in(rows.map(({ row }) => JSON.stringify(row[column])).join("\n"));
        if (markers.length > 0) found[`${name}.${column}`] = markers;
      }
    }
    return found;
  }
}

/** Matches a marker in any form and case, in PostgreSQL too. */
const ANY_FORM = [
  "zq7mark",
  ZONE,
  "[57]a[57]137[46]d[46]1[57]2[46]b",
  ...[0, 1, 2].flatMap((start) =>
    ["Zq7Mark", "zq7mark", "ZQ7MARK"].map((word) => {
      const encoded = Buffer.from(" ".repeat(start) + word).toString("base64");
      // Returns the characters that the word alone determines.
      return encoded.slice(Math.ceil(start * 8 / 6), Math.floor((start + word.length) * 8 / 6));
    })
  ),
].join("|");
const MAY_HOLD = new RegExp(ANY_FORM, "i");

function hexadecimalIn(text: string): string[] {
  return (text.match(/(?:[0-9a-f]{2}){12,}/gi) ?? [])
    .map((digits) => Buffer.from(digits, "hex").toString("latin1"));
}

/** Decodes a text at each offset within a group of four characters. */
function base64In(text: string): string[] {
  return (text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64").toString("latin1"))
  );
}

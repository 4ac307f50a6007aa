/** A tool of an assistant: its description, its arguments, and what it answers. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import { type PagePosition, SignedCursors } from "../http/signed_page.ts";
import { type JsonSchema, listOf, nullable, objectOf, TEXT } from "../validate/json_schema.ts";
import {
  type InferObject,
  integer,
  type ObjectSchema,
  optional,
  string,
} from "../validate/schema.ts";
import type { LentScope } from "./lent.ts";

/** The dependencies of reading tools. */
export interface ToolServices {
  readonly database: Database;
  readonly catalog: Catalog;
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

/** One call of a tool. */
export interface ToolContext {
  readonly tool: string;
  readonly lent: LentScope;
  readonly now: Date;
  readonly requestId: string;
  /** The arguments as they were sent. */
  readonly sent: JsonObject;
  /** Writes the event of the call in the transaction of what the tool writes. */
  readonly insertEvent: (sql: Sql) => Query<object>;
}

/** A tool's answer, and the number of records or revisions in it. */
export interface ToolAnswer {
  readonly content: object;
  readonly records: number;
  /** Whether the tool has written the event of the call itself. */
  readonly hasEvent?: boolean;
}

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: JsonSchema;
  readonly proposes: boolean;
  /** The module that the arguments name; null if they name none, or several. */
  readonly moduleOf: (args: never) => string | null;
  readonly run: (args: never, context: ToolContext) => Promise<ToolAnswer>;
}

interface TypedTool<Input extends ObjectSchema> extends Omit<Tool, "input" | "moduleOf" | "run"> {
  readonly input: Input;
  readonly moduleOf: (args: InferObject<Input>) => string | null;
  readonly run: (args: InferObject<Input>, context: ToolContext) => Promise<ToolAnswer>;
}

/** Types a tool. */
export function tool<Input extends ObjectSchema>(typed: TypedTool<Input>): Tool {
  return typed;
}

/** Arguments that break the schema of their tool, or parameters that break that of their method. */
export class InvalidParams extends Error {
  override readonly name = "InvalidParams";
  readonly fields: readonly string[];
  readonly rules: readonly string[];

  constructor(fields: readonly string[], rules: readonly string[] = []) {
    super();
    this.fields = fields;
    this.rules = rules;
  }
}

/** Items of a page: the default and the maximum. */
export const PAGE_ITEMS = 20;

/** The arguments of a page. */
export const PAGE_ARGUMENTS = {
  limit: optional(integer(1, PAGE_ITEMS)),
  cursor: optional(string({ maximum: 1024 })),
};

/** The code of a module: any text, since the schemas are equal for all accounts. */
export const MODULE_CODE = string({ maximum: 100 });

/** The output of a page. */
export function pageOutput(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(TEXT) });
}

/** The cursors of a call: for this assistant, this tool and these arguments, but with any limit. */
export function cursorsOf({ serverSecret }: ToolServices, context: ToolContext): SignedCursors {
  const { limit: _, cursor: __, ...args } = context.sent;
  const { lent: { owner, assistantId }, now } = context;
  const binding = { list: `mcp.${context.tool}`, owner, assistantId, arguments: args };
  return new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
}

/** @throws InvalidParams for a cursor that was made for anything else. */
export function readCursor(
  cursors: SignedCursors,
  cursor: string | undefined,
): PagePosition | null {
  if (cursor === undefined) return null;
  const place = cursors.find(cursor);
  if (place === null) throw new InvalidParams(["cursor"], ["cursor.unknown"]);
  return place;
}

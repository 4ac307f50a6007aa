/** Tools of assistants: description, arguments and answer. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, string } from "../validate/schema.ts";
import type { LentScope } from "./lent.ts";

export interface ToolServices {
  readonly database: Database;
  readonly catalog: Catalog;
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

/** The context of one call. */
export interface ToolContext {
  readonly tool: string;
  readonly lent: LentScope;
  readonly now: Date;
  readonly requestId: string;
  /** The unchecked arguments. */
  readonly sent: JsonObject;
  /** Inserts the event of the call, in the tool's own transaction. */
  readonly insertEvent: (sql: Sql) => Query<object>;
}

export interface ToolAnswer {
  readonly content: object;
  /** Number of records or revisions in the answer. */
  readonly records: number;
  /** True if the tool has inserted the event of the call. */
  readonly hasEvent?: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: JsonSchema;
  readonly proposes: boolean;
  /** Returns the only module that the arguments name, or null. */
  readonly moduleOf: (args: never) => string | null;
  readonly run: (args: never, context: ToolContext) => Promise<ToolAnswer>;
}

interface TypedTool<Input extends ObjectSchema> extends Omit<Tool, "input" | "moduleOf" | "run"> {
  readonly input: Input;
  readonly moduleOf: (args: InferObject<Input>) => string | null;
  readonly run: (args: InferObject<Input>, context: ToolContext) => Promise<ToolAnswer>;
}

/** Infers the types of the arguments. */
export function tool<Input extends ObjectSchema>(typed: TypedTool<Input>): Tool {
  return typed;
}

/** Arguments that do not match the schema of their tool, or parameters of their method. */
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

/** Any text, because schemas must not depend on the account. */
export const MODULE_CODE = string({ maximum: 100 });

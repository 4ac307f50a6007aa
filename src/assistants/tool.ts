/** A tool of an assistant: its description, its arguments, and what it answers. */

import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { type InferObject, type ObjectSchema, string } from "../validate/schema.ts";
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

/** The code of a module: any text, since the schemas are equal for all accounts. */
export const MODULE_CODE = string({ maximum: 100 });

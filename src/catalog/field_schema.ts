import type { Schema } from "../validate/schema.ts";
import { describeField } from "./describe_field.ts";
import { checkField } from "./field_types.ts";
import type { CatalogModule } from "./module.ts";

type Declaring = Pick<CatalogModule, "code" | "fields">;

/**
 * The schema of a text, textarea, select or datetime field. A point in time stays as sent.
 *
 * @throws {Error} If the module has no such field.
 */
export function textField(module: Declaring, name: string): Schema<string> {
  return fieldSchema(module, name, ["text", "textarea", "select", "datetime"]);
}

/** @throws {Error} If the module has no such field. */
export function numberField(module: Declaring, name: string): Schema<number> {
  return fieldSchema(module, name, ["number"]);
}

function fieldSchema<T>(
  module: Declaring,
  name: string,
  edits: readonly string[],
): Schema<T> {
  const field = module.fields.find((declared) => declared.name === name);
  if (field === undefined || !edits.includes(field.edit)) {
    throw new Error(`The module "${module.code}" has no such field "${name}"`);
  }
  return {
    check(value, sentAs, violations) {
      const violation = checkField(field, value);
      return violation === null ? value as T : violations.add(violation, sentAs);
    },
    json: describeField(field),
  };
}

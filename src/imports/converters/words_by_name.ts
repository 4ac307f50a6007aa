import { isJsonObject } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import type { Schema } from "../../validate/schema.ts";

/**
 * A member of a mapping that gives names of the file a word each. Clients draw a choice for each
 * name.
 *
 * @param rule Violated by another word.
 */
export function wordsByName<const Word extends string>(
  words: readonly Word[],
  rule: string,
): Schema<Readonly<Record<string, Word>>> {
  const isWord = (value: unknown): value is Word => words.some((word) => word === value);
  return {
    check(value, field, violations) {
      if (!isJsonObject(value)) return violations.add("field.type", field);
      const entries = Object.entries(value);
      if (!entries.every(([, word]) => isWord(word))) return violations.add(rule, field);
      return value as Readonly<Record<string, Word>>;
    },
    json: { type: "object", additionalProperties: { type: "string", enum: words } },
  };
}

/** @throws ServiceError `PAYLOAD_INVALID` for a group that the file does not have. */
export function checkGroups(groups: Iterable<string>, known: readonly string[]): void {
  if ([...groups].every((name) => known.includes(name))) return;
  throw payloadInvalid(["mapping.group"], ["groups"]);
}

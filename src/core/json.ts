/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object with any keys. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether the value is an object in JSON's sense: neither null nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

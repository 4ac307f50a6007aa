import type { JsonObject } from "../core/json.ts";
import type { JsonSchema } from "../validate/json_schema.ts";

export class Components {
  readonly #schemas = new Map<string, { readonly source: string; readonly written: JsonObject }>();

  /**
   * Writes a schema, as a reference if it has a name.
   *
   * @throws {Error} If two different schemas have the same name.
   */
  write(schema: JsonSchema): JsonObject {
    const { component, reference, ...rest } = schema;
    if (reference !== undefined) return referenceTo(reference);
    if (component === undefined) return this.#writeInline(rest);
    const source = JSON.stringify(rest);
    const known = this.#schemas.get(component);
    if (known === undefined) {
      this.#schemas.set(component, { source, written: this.#writeInline(rest) });
    } else if (known.source !== source) {
      throw new Error(`Two different schemas have the name "${component}"`);
    }
    return referenceTo(component);
  }

  schemas(): JsonObject {
    const named = [...this.#schemas].sort(([left], [right]) => left < right ? -1 : 1);
    return Object.fromEntries(named.map(([name, { written }]) => [name, written]));
  }

  #writeInline(
    { items, properties, additionalProperties, anyOf, ...plain }: JsonSchema,
  ): JsonObject {
    return {
      ...toJson(plain),
      ...(items && { items: this.write(items) }),
      ...(properties && { properties: this.#writeMembers(properties) }),
      ...(anyOf && { anyOf: anyOf.map((each) => this.write(each)) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: typeof additionalProperties === "boolean"
          ? additionalProperties
          : this.write(additionalProperties),
      }),
    };
  }

  #writeMembers(members: Readonly<Record<string, JsonSchema>>): JsonObject {
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, this.write(member)]),
    );
  }
}

function referenceTo(component: string): JsonObject {
  return { $ref: `#/components/schemas/${component}` };
}

/** Only for a schema without nested schemas. */
function toJson(schema: JsonSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema));
}

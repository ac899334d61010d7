/** A JSON Schema (2020-12) as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

import { isRecord, stringifyExactJson } from 'specmill/mock';

import type { GenerationConfig } from '../../generated/generation/types.js';
import {
  type DataSchema,
  ORDERING,
  readJsonSchema,
  readUpperCaseSchema,
  type Schema,
  type SchemaNode,
} from './data-schema.js';
import { refuseMember } from './refusal.js';

export interface TextForm {
  readonly mimeType: string;
  readonly schema?: DataSchema;
  /** JSON pointer of the schema in the body. */
  readonly pointer: string;
}

const CONFIG = '/generationConfig';

/**
 * Reads which form the text must have.
 *
 * @throws HttpError if the schema cannot be used.
 */
export function readTextForm(config: GenerationConfig): TextForm {
  const {
    responseMimeType: mimeType = 'text/plain',
    responseSchema,
    responseJsonSchema,
    _responseJsonSchema,
    responseFormat,
  } = config;
  const base = { mimeType, pointer: `${CONFIG}/responseSchema` };
  if (responseSchema !== undefined) return { ...base, schema: readUpperCaseSchema(responseSchema, base.pointer) };
  for (const [name, schema] of Object.entries({ responseJsonSchema, _responseJsonSchema })) {
    const pointer = `${CONFIG}/${name}`;
    if (schema !== undefined) return { mimeType, pointer, schema: readJsonSchema(schema, pointer) };
  }
  const text = responseFormat?.text;
  if (text?.schema === undefined) return { ...base, mimeType: text?.mimeType ?? mimeType };
  const pointer = `${CONFIG}/responseFormat/text/schema`;
  return { mimeType: text.mimeType ?? 'application/json', pointer, schema: readJsonSchema(text.schema, pointer) };
}

/** Writes the text of a structured response: JSON, or one value of an enum. `undefined` for plain text. */
export function writeStructuredResponse(
  form: TextForm,
  prompt: string,
  plain: string,
  seed: number,
): string | undefined {
  const { mimeType, schema, pointer } = form;
  if (mimeType === 'text/x.enum') return pickEnumValue(form, prompt, seed);
  if (schema !== undefined) return stringifyExactJson(makeData(schema, seed, pointer));
  return mimeType === 'application/json' ? JSON.stringify({ response: plain }) : undefined;
}

/** The value that the prompt names, else one chosen by the seed. */
function pickEnumValue({ schema, pointer }: TextForm, prompt: string, seed: number): string {
  const values = schema === undefined ? [] : enumOf(schema.schema);
  if (values.length === 0)
    throw refuseMember(
      pointer,
      'The schema of the response',
      'must have an enum, because responseMimeType is text/x.enum',
    );
  const named = values.find((value) => prompt.toLowerCase().includes(value.toLowerCase()));
  return named ?? values[seed % values.length] ?? '';
}

function enumOf(schema: Schema): string[] {
  return typeof schema === 'boolean' ? [] : (schema.enum ?? []).filter((value) => value !== null).map(String);
}

/**
 * Makes data that satisfies a schema, the same for the same seed, with members in the order of the schema.
 *
 * @param pointer - JSON pointer of the schema in the body.
 * @throws HttpError if nothing satisfies it.
 */
export function makeData(data: DataSchema, seed: number, pointer: string): unknown {
  const made = data.handle.sample(seed);
  if (!made.ok) throw refuseMember(pointer, 'The schema of the response', `must accept something: ${made.reason}`);
  return order(made.value, data.schema, data);
}

function order(value: unknown, schema: Schema, data: DataSchema): unknown {
  const shapes = shapesOf(schema, data, 0);
  if (Array.isArray(value)) return value.map((item: unknown, index) => order(item, itemSchema(shapes, index), data));
  if (!isRecord(value)) return value;
  const wanted = shapes.flatMap((shape) => [
    ...((shape[ORDERING] as string[] | undefined) ?? []),
    ...Object.keys(shape.properties ?? {}),
  ]);
  const names = [...new Set([...wanted.filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)])];
  return Object.fromEntries(names.map((name) => [name, order(value[name], memberSchema(shapes, name), data)]));
}

/** The schema and the parts of it that may describe the same value. */
function shapesOf(schema: Schema, data: DataSchema, depth: number): readonly SchemaNode[] {
  if (typeof schema === 'boolean' || depth > 10) return [];
  if (schema.$ref !== undefined)
    return shapesOf(data.definitions[schema.$ref.slice('#/$defs/'.length)] ?? true, data, depth + 1);
  return [
    schema,
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => shapesOf(part, data, depth + 1)),
  ];
}

function itemSchema(shapes: readonly SchemaNode[], index: number): Schema {
  return (
    shapes.map(({ prefixItems, items }) => prefixItems?.[index] ?? items).find((item) => item !== undefined) ?? true
  );
}

function memberSchema(shapes: readonly SchemaNode[], name: string): Schema {
  const own = shapes.map(({ properties }) =>
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined,
  );
  return own.find((member) => member !== undefined) ?? true;
}

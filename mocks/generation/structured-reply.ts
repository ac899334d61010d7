import type { GenerationConfig } from '../../generated/generation/types.js';
import { type DataSchema, type Schema, readJsonSchema, readUpperCaseSchema } from './data-schema.js';
import { makeData } from './make-data.js';
import { refuseMember } from './refusal.js';

/** The form of the text of an answer. */
export interface TextForm {
  readonly mimeType: string;
  readonly schema?: DataSchema;
  /** Where the schema stands in the body. */
  readonly pointer: string;
}

const CONFIG = '/generationConfig';

/**
 * Reads which form the text is to have.
 *
 * @throws HttpError where the schema cannot be used.
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
  if (responseSchema !== undefined) return { ...base, schema: readUpperCaseSchema(responseSchema) };
  for (const [name, schema] of Object.entries({ responseJsonSchema, _responseJsonSchema })) {
    const pointer = `${CONFIG}/${name}`;
    if (schema !== undefined) return { mimeType, pointer, schema: readJsonSchema(schema, pointer) };
  }
  const text = responseFormat?.text;
  if (text?.schema === undefined) return { ...base, mimeType: text?.mimeType ?? mimeType };
  const pointer = `${CONFIG}/responseFormat/text/schema`;
  return { mimeType: text.mimeType ?? 'application/json', pointer, schema: readJsonSchema(text.schema, pointer) };
}

/** The text of an answer that is data: JSON, or one value of an enum. Nothing for plain text. */
export function writeStructuredReply(form: TextForm, prompt: string, plain: string, seed: number): string | undefined {
  const { mimeType, schema, pointer } = form;
  if (mimeType === 'text/x.enum') return pickEnumValue(form, prompt, seed);
  if (schema !== undefined) return JSON.stringify(makeData(schema, seed, pointer));
  return mimeType === 'application/json' ? JSON.stringify({ reply: plain }) : undefined;
}

/** The value that the prompt names, else one by the seed. */
function pickEnumValue({ schema, pointer }: TextForm, prompt: string, seed: number): string {
  const values = schema === undefined ? [] : enumOf(schema.schema);
  if (values.length === 0)
    throw refuseMember(
      pointer,
      'The schema of the answer',
      'must have an enum, because responseMimeType is text/x.enum',
    );
  const named = values.find((value) => prompt.toLowerCase().includes(value.toLowerCase()));
  return named ?? values[seed % values.length] ?? '';
}

function enumOf(schema: Schema): string[] {
  return typeof schema === 'boolean' ? [] : (schema.enum ?? []).filter((value) => value !== null).map(String);
}

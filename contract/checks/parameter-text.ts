import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { Direction } from '../../schema/variants.js';

/** The values that a header or parameter text can stand for. */
function readings(text: string): unknown[] {
  const number = text.trim() === '' ? NaN : Number(text);
  const items = text.split(',').map((item) => item.trim());
  const numbers = items.map(Number);
  return [
    text,
    ...(Number.isNaN(number) ? [] : [number]),
    ...(/^(?:true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : []),
    ...(text === 'null' || text === '' ? [null] : []),
    items,
    ...(numbers.some((item) => Number.isNaN(item)) ? [] : [numbers]),
  ];
}

/** Whether the schema accepts the text in any of its readings. */
export function acceptsText(
  text: string,
  schema: Schema,
  context: { readonly api: Api; readonly direction: Direction },
): boolean {
  const validate = compileValidator(context.api, schema, { direction: context.direction });
  return readings(text).some((value) => validate(value).length === 0);
}

import type { Api, Parameter } from '../../../model/api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { generateValue } from '../../../schema/generate-value.js';
import { withoutExamples } from '../../plan/without-examples.js';
import { scalarText } from '../../../http/request/write-request.js';

/** Small numbers are likely to be ids of existing items. */
export function isSmall(value: unknown): boolean {
  return /^\d{1,6}$/.test(scalarText(value));
}

const UNLIKELY_NUMBER = 987_654_321;

/** An id that no item is likely to have. */
export function unlikelyId({ schema }: Pick<Parameter, 'schema'>, api: Api): unknown {
  const validate = compileValidator(api, schema, { direction: 'request' });
  const candidates: unknown[] = [UNLIKELY_NUMBER, String(UNLIKELY_NUMBER), 'specmill-987654321'];
  const fitting = candidates.find((one) => validate(one).length === 0);
  const made = generateValue(api, withoutExamples(schema), { direction: 'request', seed: UNLIKELY_NUMBER });
  return fitting ?? (made.ok ? made.value : UNLIKELY_NUMBER);
}

/** Numbers from here on are far away from those that servers count up. */
const FAR = 1_000_000;
/** A text of this length that a caller makes up is hardly the id of an existing item. */
const LONG = 8;
const LEADING_NUMBER = /^[-+]?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?)/i;
const RANDOM_TEXT = /^(?=.*[a-z])[\w-]{16,}$/i;
// Separators, wildcards and control characters may turn one id into another, or into many.
const RISKY = /[\p{Cc}/\\*%?#;,]/u;

/**
 * Whether no item is likely to have a value as its id, however a server reads it: `true`, `"1"`, `null` and `1abc` are 1
 * or 0 for many, and numbers may be cut to 32 bits.
 */
export function isFarAway(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false;
  const text = String(value).trim();
  const [number] = RANDOM_TEXT.test(text) ? [] : (LEADING_NUMBER.exec(text) ?? []);
  if (number !== undefined) return Number(number) >= FAR && Number(number) % 2 ** 32 >= FAR;
  return text.length >= LONG && !RISKY.test(text);
}

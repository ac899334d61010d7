import type { Api, Parameter } from '../../../model/api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { generateValue } from '../../../schema/generate-value.js';
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
  const made = generateValue(api, schema, { direction: 'request', seed: UNLIKELY_NUMBER });
  return fitting ?? (made.ok ? made.value : UNLIKELY_NUMBER);
}

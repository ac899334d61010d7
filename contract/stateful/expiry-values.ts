import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { valueSites } from '../../schema/value-sites.js';
import { setAt } from '../../schema/value-path.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { CallBody } from '../types.js';

/** 1 January 2099, in seconds since 1970: later than any run. */
const FAR = 4_070_908_800;

/**
 * Removes generated expiry times (`x-expires`), which may be in the past and make the item expire at once.
 *
 * @param shown - the members of the item as read: the written member need not be marked as an expiry.
 */
export function withoutExpiry(
  body: CallBody,
  shown: ReadonlyMap<string, Schema>,
  { context: { api } }: ContractRun,
): CallBody {
  const { schema } = body.media;
  if (schema === undefined) return body;
  const options = { api, direction: 'request' } as const;
  const validate = compileValidator(api, schema, options);
  const value = valueSites(schema, body.value, options)
    .filter(
      ({ path, schemas }) =>
        (path.length > 0 && schemas.some((one) => isExpiry(one))) ||
        (path.length === 1 && isExpiry(shown.get(String(path[0])))),
    )
    .reduce<unknown>((made, { path }) => {
      const shorter = setAt(made, path, undefined);
      return validate(shorter).length === 0 ? shorter : made;
    }, body.value);
  return value === body.value ? body : { ...body, value };
}

/** Whether a member says when its item expires. */
export function isExpiry(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && schema['x-expires'] !== undefined;
}

/** Replaces a generated expiry by one far in the future, in the same notation. */
export function farExpiry(schema: Schema, made: unknown): unknown {
  const said = typeof schema === 'object' ? schema['x-expires'] : undefined;
  const isShort = isRecord(said) && said['unit'] === 'milliseconds';
  const moment = isShort ? FAR * 1_000 : FAR;
  if (typeof made === 'number') return moment;
  if (typeof made !== 'string') return undefined;
  return /^-?\d+$/.test(made) ? String(moment) : new Date(FAR * 1_000).toISOString().replace('.000', '');
}

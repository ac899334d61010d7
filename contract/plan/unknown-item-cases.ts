import type { Parameter } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import type { Call, Case } from '../types.js';
import { withoutExamples } from './without-examples.js';
import type { CallContext } from './build-request-values.js';

/** Numbers that probably no item has: above any counter, above 32 bits, and the largest exact number in JSON. */
const BEYOND = 1_000_000;
const LARGE = [2 ** 31, Number.MAX_SAFE_INTEGER];

/** Calls with one path parameter each that names a missing item. */
export function unknownItemCases(base: Call, context: CallContext): Case[] {
  if (!documentsAbsence(base)) return [];
  const inPath = [...base.parameters].filter(
    ([parameter]) =>
      parameter.in === 'path' &&
      context.pool.namesItem(base.operation, parameter) &&
      isShownElsewhere(base, parameter, context),
  );
  return inPath.flatMap(([parameter, value]) =>
    unknownIds(parameter, value, context).map((id): Case => ({
      phase: 'negative',
      call: context.pool.references.withOwnId({ ...base, parameters: new Map([...base.parameters, [parameter, id]]) }),
      expectation: {
        kind: 'unknown item',
        parameter: parameter.name,
        ...(isOptional(base, parameter) ? { isLenient: true } : {}),
      },
    })),
  );
}

/** Whether an operation shows the items of a parameter. To delete a key that nothing shows may be no error. */
function isShownElsewhere({ operation }: Call, parameter: Parameter, { pool }: CallContext): boolean {
  const [resource] =
    pool.slotsOf(operation).find(([, slot]) => slot.in === 'parameter' && slot.parameter === parameter) ?? [];
  if (resource === undefined || operation.method !== 'delete') return true;
  const { list, read, replace, patch, views } = resource;
  return [list, read, replace, patch, ...views].some((one) => one !== undefined);
}

/** Whether an operation documents missing items, or errors of any kind. Otherwise a server may respond differently. */
function documentsAbsence({ operation: { responses } }: Call): boolean {
  return responses.some(({ status }) => [...ABSENT, 'default'].includes(status.toLowerCase()));
}

const ABSENT = ['404', '410', '4xx'];

/** Whether a server may show an empty list below an unknown item: no status of the spec says that it is missing. */
function isOptional({ operation: { method, path, responses } }: Call, { name }: Parameter): boolean {
  const isBelow = !path.endsWith(`{${name}}`);
  return method === 'get' && isBelow && !responses.some(({ status }) => ABSENT.includes(status.toLowerCase()));
}

function unknownIds({ schema }: Parameter, known: unknown, { api, pool }: CallContext): unknown[] {
  const validate = compileValidator(api, schema, { direction: 'request' });
  // A PUT with an unknown id may have created the item.
  const isUsable = (value: unknown): boolean => validate(value).length === 0 && !pool.items.made.hasMade(value);
  const isCounted = /^\d{1,12}$/.test(String(known));
  const numbers = [...(isCounted ? [Number(known) + BEYOND] : []), ...LARGE];
  if (typeof known === 'number') return numbers.filter(isUsable);
  const made = generateValue(api, withoutExamples(schema), { direction: 'request', seed: 77_077 });
  const texts = isCounted ? numbers.map(String) : ['specmill-unknown', ...(made.ok ? [made.value] : [])].slice(-1);
  return [...texts, ...(isCounted ? [] : ['specmill-unknown-item'])].filter((id) => id !== known && isUsable(id));
}

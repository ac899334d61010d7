import { showJson } from '../../model/exact-json.js';
import type { SchemaObject } from '../../model/schema-types.js';
import type { FindingSource } from '../reproduction/reproduction.js';

/** The most values of a list that a finding names. */
const MOST_VALUES = 12;

/** Says what is special about the request of a finding; `undefined` for a valid one without a boundary value. */
export function describeRequest({ expectation, call }: FindingSource): string | undefined {
  if (call.isOther === true) return 'the second identity sends it';
  switch (expectation?.kind) {
    case 'invalid':
      return `${expectation.pointer} ${expectation.message}`;
    case 'valid':
      return expectation.about;
    case 'unknown item':
      return `no item has the ${expectation.parameter}`;
    case 'unauthenticated':
      return expectation.isWrong === true ? 'the credential is wrong' : 'the credential is missing';
    case 'unsupported':
      return `the method ${call.method ?? ''} is not in the spec`;
    default:
      return undefined;
  }
}

const COMPARISONS: Readonly<Record<string, string>> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
};

/** Says what a rule allows: the values of a list, a bound, a type. */
export function describeAllowed(schema: SchemaObject | undefined, keyword: string | undefined): string | undefined {
  if (schema === undefined || keyword === undefined || !Object.hasOwn(schema, keyword)) return undefined;
  const value: unknown = schema[keyword as 'const'];
  if (keyword === 'const') return showJson(value, '');
  if (keyword === 'enum' && Array.isArray(value)) {
    const shown = value.slice(0, MOST_VALUES).map((one) => showJson(one, ''));
    return [...shown, ...(value.length > MOST_VALUES ? [`… (${value.length} values)`] : [])].join(', ');
  }
  if (keyword === 'type') return [value].flat().map(String).join(' or ');
  if (typeof value === 'object' && value !== null && keyword !== 'required') return undefined;
  return `${COMPARISONS[keyword] ?? keyword} ${Array.isArray(value) ? value.join(', ') : showJson(value, '')}`;
}

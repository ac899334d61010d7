import type { Api } from '../model/api.js';
import { appendPointer, splitPointer } from '../model/document/pointer.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { type ValidationError, compileValidator } from './compile-validator.js';
import { applicableParts } from './facts/parts.js';
import { childrenOf, schemasAt } from './schema-places.js';
import { resolvePointer } from '../model/document/pointer.js';

/** A value and the schema that it was checked against. */
export interface CheckedValue {
  readonly api: Api;
  readonly schema: Schema;
  readonly value: unknown;
}

/** The conditions that a sentence can be about without becoming a riddle. */
const MOST_FACTS = 3;

/**
 * Why a rule holds for this value and would not hold for every one: the members that an `if` looks at, as they are.
 *
 * @returns ` where provider is "Simulator"`, or an empty text where the rule holds always.
 */
export function explainReason(error: ValidationError, { api, schema, value }: CheckedValue): string {
  const segments = splitPointer(error.pointer);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const place = segments.slice(0, depth).reduce(appendPointer, '');
    const inside = segments.slice(depth);
    const own = resolvePointer(value, place);
    for (const node of schemasAt(schema, place, api)) {
      if (node.if === undefined) continue;
      const holds = compileValidator(api, node.if, { direction: 'request' })(own).length === 0;
      const branch = holds ? node.then : node.else;
      if (branch === undefined || !restricts(branch, inside, error, api)) continue;
      const facts = factsOf(node.if, own, api);
      if (facts.length > 0 && facts.length <= MOST_FACTS) return ` where ${facts.join(' and ')}`;
    }
  }
  return '';
}

/** Whether it is this schema that says what an error is about. */
function restricts(schema: Schema, inside: readonly string[], error: ValidationError, api: Api): boolean {
  const last = inside.at(-1);
  const above = inside.slice(0, -1).reduce(appendPointer, '');
  if (error.keyword === 'false schema')
    return last !== undefined && schemasAt(schema, above, api).some((one) => childrenOf(one, last).includes(false));
  return schemasAt(schema, inside.reduce(appendPointer, ''), api).some((one) => says(one, error));
}

function says(schema: SchemaObject, { keyword, params }: ValidationError): boolean {
  if (keyword === 'required') return schema.required?.includes(String(params['missingProperty'])) === true;
  if (keyword === 'type') return String(schema.type) === String(params['type']);
  return (keyword === 'const' || keyword === 'not') && schema[keyword] !== undefined;
}

/** `provider is "Simulator"` for each member that a condition looks at. */
function factsOf(condition: Schema, value: unknown, api: Api): readonly string[] {
  return pathsOf(condition, '', api).map((path) => {
    const name = splitPointer(path).join('.');
    const found = resolvePointer(value, path);
    return found === undefined ? `there is no ${name}` : `${name} is ${JSON.stringify(found).slice(0, 60)}`;
  });
}

function pathsOf(condition: Schema, path: string, api: Api): readonly string[] {
  const members = applicableParts(condition, api).flatMap(({ properties = {} }) => Object.entries(properties));
  if (members.length === 0) return path === '' ? [] : [path];
  return [...new Set(members.flatMap(([name, child]) => pathsOf(child, appendPointer(path, name), api)))];
}

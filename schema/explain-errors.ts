import { getOrInsert } from '../model/maps.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { appendPointer, resolvePointer, splitPointer } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import { isValidValue, type ValidationError } from './compile-validator.js';
import { childrenOf, schemasAt } from './schema-places.js';
import type { Api } from '../model/api.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { applicableParts } from './facts/parts.js';

/** An error of a value, explained to its author. */
export interface ExplainedError {
  /** The place to look at: for example the forbidden member rather than its object. */
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;
}

const ALTERNATIVES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
const EXTRA: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);
/** The most names that a sentence lists. */
const MOST_NAMES = 16;

/**
 * Explains validation errors: what is allowed, what is there instead, what was probably meant, and which other member a
 * rule depends on. Omits errors that only follow from other errors.
 *
 * @example
 * explainErrors(validate(value), { api, schema, value });
 * // [{ pointer: '/mode', message: 'must be "production" or "development", not "dev"', keyword: 'enum' }]
 */
export function explainErrors(errors: readonly ValidationError[], checked: CheckedValue): ExplainedError[] {
  const shown = joinTypes(dropNames(dropTypes(dropEchoes(dropConstants(errors, checked.value)))));
  const explained = (shown.length > 0 ? shown : errors).map((error) => {
    const [rule, instead = ''] = explain(error, checked);
    const message = rule + explainReason(error, checked) + instead;
    return { pointer: pointerOf(error), message, keyword: error.keyword };
  });
  const seen = new Set<string>();
  return explained.filter(({ pointer, message }) => {
    const key = `${pointer} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Drops errors that only follow from others: those of a condition, and those of a value that has the wrong type anyway.
 */
export function dropEchoes(errors: readonly ValidationError[]): readonly ValidationError[] {
  const shown = errors.filter(({ keyword }) => keyword !== 'if');
  const mistyped = new Set(shown.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer));
  const left = shown.filter(({ keyword, pointer }) => keyword !== 'not' || !mistyped.has(pointer));
  return left.length > 0 ? left : errors;
}

function pointerOf({ pointer, params }: ValidationError): string {
  const extra = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'];
  return typeof extra === 'string' ? appendPointer(pointer, extra) : pointer;
}

/** Drops errors of a constant that is an alternative to objects, where the value is an object. */
function dropConstants(errors: readonly ValidationError[], root: unknown): readonly ValidationError[] {
  const alternatives = new Set(errors.filter(({ keyword }) => ALTERNATIVES.has(keyword)).map(({ pointer }) => pointer));
  return errors.filter(
    ({ keyword, pointer, params }) =>
      keyword !== 'const' ||
      !alternatives.has(pointer) ||
      isRecord(params['allowedValue']) ||
      !isRecord(resolvePointer(root, pointer)),
  );
}

/** Drops errors of `type` beside an `enum` or `const`, which imply the type. */
function dropTypes(errors: readonly ValidationError[]): readonly ValidationError[] {
  const chosen = new Set(
    errors.filter(({ keyword }) => keyword === 'enum' || keyword === 'const').map(({ pointer }) => pointer),
  );
  return errors.filter(({ keyword, pointer }) => keyword !== 'type' || !chosen.has(pointer));
}

/** Joins the error that a name is invalid with the error before it, which says why. */
function dropNames(errors: readonly ValidationError[]): readonly ValidationError[] {
  return errors.flatMap((error, index) => {
    const [before, next] = [errors[index - 1], errors[index + 1]];
    if (next?.keyword === 'propertyNames' && next.pointer === error.pointer) return [];
    if (error.keyword !== 'propertyNames' || before?.pointer !== error.pointer) return [error];
    return [{ ...error, message: `has an invalid name: it ${before.message}` }];
  });
}

/** Reports the closest alternative: one with wrong members rather than one of another type. */
function joinTypes(errors: readonly ValidationError[]): readonly ValidationError[] {
  const joined = new Set(errors.filter(({ keyword }) => ALTERNATIVES.has(keyword)).map(({ pointer }) => pointer));
  if (joined.size === 0) return errors;
  const types = new Map<string, Set<unknown>>();
  const isInside = new Set<string>();
  for (const { pointer, keyword, params } of errors) {
    for (const above of ancestorsOf(pointer)) isInside.add(above);
    if (keyword === 'type') {
      const known = getOrInsert(types, pointer, () => new Set());
      for (const type of [params['type']].flat()) known.add(type);
    } else if (!ALTERNATIVES.has(keyword)) isInside.add(pointer);
  }
  return errors.flatMap((error): ValidationError[] => {
    const { pointer, keyword } = error;
    const isPart = keyword === 'type' || ALTERNATIVES.has(keyword);
    if (!joined.has(pointer) || !isPart) return [error];
    if (isInside.has(pointer) || keyword === 'type') return [];
    const known = [...(types.get(pointer) ?? [])];
    return known.length === 0 ? [error] : [{ ...error, keyword: 'type', params: { type: known } }];
  });
}

function ancestorsOf(pointer: string): readonly string[] {
  const slashes = [...pointer.matchAll(/\//g)].map(({ index }) => index);
  return slashes.map((index) => pointer.slice(0, index));
}

/** A rule, and what the value is instead. */
type Explained = readonly [rule: string, instead?: string];

function explain(error: ValidationError, checked: CheckedValue): Explained {
  const { keyword, params, message, pointer } = error;
  const value = resolvePointer(checked.value, pointer);
  const instead = `, not ${show(value)}`;
  if (keyword === 'false schema') return ['must not be present'];
  if (keyword === 'type') return [`must be ${listOf([params['type']].flat().map(nameType), 'or')}`, instead];
  if (keyword === 'const') return [`must be ${show(params['allowedValue'])}`, instead];
  if (keyword === 'enum') return explainChoice(params['allowedValues'], value) ?? [message];
  if (EXTRA.has(keyword)) return [explainExtra(error, checked)];
  return typeof value === 'number' || typeof value === 'bigint' ? [message, instead] : [message];
}

function explainChoice(allowed: unknown, value: unknown): Explained | undefined {
  if (!Array.isArray(allowed) || allowed.length > MOST_NAMES) return undefined;
  const texts = allowed.filter((one): one is string => typeof one === 'string');
  const suggestion = typeof value === 'string' ? toAside(suggestName(value, texts, show)) : '';
  return [`must be ${listOf(allowed.map(show), 'or')}`, `, not ${show(value)}${suggestion}`];
}

function explainExtra({ pointer, params }: ValidationError, { api, schema }: CheckedValue): string {
  const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const known = schemasAt(schema, pointer, api).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([one, child]) => (child === false ? [] : [one])),
  );
  const names = [...new Set(known)];
  if (names.length === 0) return 'must not be present: no member is allowed';
  const suggestion = toAside(suggestName(name, names, show));
  if (suggestion !== '' || names.length > MOST_NAMES) return `is not a known member${suggestion}`;
  return `is not a known member: expected ${listOf(names, 'or')}`;
}

/** ` Did you mean x?` -> `; did you mean x?` */
function toAside(sentence: string): string {
  return sentence.replace(' Did', '; did');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

function nameType(type: unknown): string {
  return TYPE_NAMES[String(type)] ?? String(type);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isRecord(value)) return 'an object';
  const text = value === undefined ? 'nothing' : stringifyExactJson(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function listOf(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** A value and the schema that it was checked against. */
interface CheckedValue {
  readonly api: Api;
  readonly schema: Schema;
  readonly value: unknown;
}

/** The most conditions that one sentence mentions. */
const MOST_FACTS = 3;

/**
 * Explains why a rule applies to this value but not to all values, by the members that an `if` tests.
 *
 * @returns ` if provider is "Simulator"`, or an empty text if the rule always applies.
 */
function explainReason(error: ValidationError, { api, schema, value }: CheckedValue): string {
  const segments = splitPointer(error.pointer);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const place = segments.slice(0, depth).reduce(appendPointer, '');
    const inside = segments.slice(depth);
    const own = resolvePointer(value, place);
    for (const node of schemasAt(schema, place, api)) {
      if (node.if === undefined) continue;
      const holds = isValidValue(own, node.if, api);
      const branch = holds ? node.then : node.else;
      if (branch === undefined || !restricts(branch, inside, error, api)) continue;
      const facts = factsOf(node.if, own, api);
      if (facts.length > 0 && facts.length <= MOST_FACTS) return ` if ${facts.join(' and ')}`;
    }
  }
  return '';
}

/** Whether this schema has the rule that an error is about. */
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

/** `provider is "Simulator"` for each member that a condition tests. */
function factsOf(condition: Schema, value: unknown, api: Api): readonly string[] {
  return pathsOf(condition, '', api).map((path) => {
    const name = splitPointer(path).join('.');
    const found = resolvePointer(value, path);
    return found === undefined ? `there is no ${name}` : `${name} is ${stringifyExactJson(found).slice(0, 60)}`;
  });
}

function pathsOf(condition: Schema, path: string, api: Api): readonly string[] {
  const members = applicableParts(condition, api).flatMap(({ properties = {} }) => Object.entries(properties));
  if (members.length === 0) return path === '' ? [] : [path];
  return [...new Set(members.flatMap(([name, child]) => pathsOf(child, appendPointer(path, name), api)))];
}

import { appendPointer, isRecord, type Violation } from 'specmill/mock';

import { refuse, refuseMember } from './refusal.js';

/** Returns the rule that the value of a keyword violates; `undefined` if it violates none. */
type CheckKeyword = (value: unknown) => string | undefined;

const TYPE_NAMES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

const must =
  (what: string, isRight: (value: unknown) => boolean): CheckKeyword =>
  (value) =>
    isRight(value) ? undefined : `must be ${what}`;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isSchema = (value: unknown): boolean => isRecord(value) || typeof value === 'boolean';
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem) && new Set(value).size === value.length;

/** Whether a value is a type. Clients use both spellings of type names, but only the lower-case one in lists. */
function isType(value: unknown): boolean {
  if (typeof value === 'string') return TYPE_NAMES.has(value.toLowerCase());
  return isListOf(value, (item) => TYPE_NAMES.has(item)) && (value as readonly unknown[]).length > 0;
}

const TEXT = must('a string', isText);
const NUMBER = must('a number', isNumber);
const COUNT = must('a whole number that is not negative', (value) => Number.isInteger(value) && Number(value) >= 0);
const SCHEMA = must('a schema', isSchema);
const SCHEMAS = must('a list of schemas', Array.isArray);
const CHOICES = must('a list of schemas with at least one', (value) => Array.isArray(value) && value.length > 0);
const SCHEMA_MAP = must('an object of schemas', isRecord);
const NAMES = must('a list of different names', (value) => isListOf(value, isText));

/** The keywords that the service supports. Others have no effect, whatever their value. */
const KEYWORDS: Readonly<Record<string, CheckKeyword>> = {
  type: must(`one of ${[...TYPE_NAMES].join(', ')}, or a list of them`, isType),
  enum: must('a list', Array.isArray),
  ...{ $id: TEXT, $ref: TEXT, $anchor: TEXT, format: TEXT, title: TEXT, description: TEXT },
  ...{ minItems: COUNT, maxItems: COUNT, minimum: NUMBER, maximum: NUMBER },
  ...{ required: NAMES, propertyOrdering: NAMES },
  ...{ items: SCHEMA, additionalProperties: SCHEMA },
  ...{ prefixItems: SCHEMAS, anyOf: CHOICES, oneOf: CHOICES },
  ...{ properties: SCHEMA_MAP, $defs: SCHEMA_MAP },
};

const INSIDE: readonly string[] = ['items', 'additionalProperties'];
const INSIDE_VALUES: readonly string[] = ['prefixItems', 'anyOf', 'oneOf', 'properties', '$defs'];
const MOST_VIOLATIONS = 20;

/** Maximum number of objects: one for each subschema, and one for each map of members. */
const MOST_OBJECTS = 2_000;
/** Maximum number of list items, most of which are values of enums. */
const MOST_ITEMS = 20_000;

/**
 * Checks that a schema is small enough to make a value of it quickly.
 *
 * @throws HttpError 400
 */
export function checkSize(schema: unknown, pointer: string): void {
  let objects = 0;
  let items = 0;
  const open: unknown[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) items += next.length;
    else objects += 1;
    if (objects > MOST_OBJECTS || items > MOST_ITEMS)
      throw refuseMember(
        pointer,
        'A schema of the request',
        `must NOT have more than ${MOST_OBJECTS} objects or ${MOST_ITEMS} items`,
      );
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) open.push(member);
  }
}

/**
 * Checks that a value is a JSON Schema, as far as the service supports that.
 *
 * @param pointer - its place in the body.
 * @throws HttpError 400
 */
export function checkJsonSchema(root: unknown, pointer: string): void {
  const violations: Violation[] = [];
  const open: { readonly value: unknown; readonly at: string }[] = [{ value: root, at: pointer }];
  for (let next = open.pop(); next !== undefined && violations.length < MOST_VIOLATIONS; next = open.pop()) {
    const { value, at } = next;
    const message = SCHEMA(value);
    if (message !== undefined) violations.push({ in: 'body', pointer: at, message });
    if (!isRecord(value)) continue;
    const wrong = findWrongKeywords(value, at);
    violations.push(...wrong);
    if (wrong.length === 0) open.push(...schemasIn(value, at));
  }
  if (violations.length > 0) throw refuse('The JSON Schema of the request is not valid.', { violations });
}

function findWrongKeywords(schema: Readonly<Record<string, unknown>>, at: string): Violation[] {
  return Object.entries(KEYWORDS).flatMap(([keyword, check]): Violation[] => {
    const message = Object.hasOwn(schema, keyword) ? check(schema[keyword]) : undefined;
    return message === undefined ? [] : [{ in: 'body', pointer: `${at}/${keyword}`, message }];
  });
}

function schemasIn(
  schema: Readonly<Record<string, unknown>>,
  at: string,
): readonly { readonly value: unknown; readonly at: string }[] {
  const single = INSIDE.flatMap((keyword) =>
    Object.hasOwn(schema, keyword) ? [{ value: schema[keyword], at: `${at}/${keyword}` }] : [],
  );
  const several = INSIDE_VALUES.flatMap((keyword) =>
    Object.entries(Object.hasOwn(schema, keyword) ? (schema[keyword] as object) : {}).map(([name, value]) => ({
      value: value as unknown,
      at: appendPointer(`${at}/${keyword}`, name),
    })),
  );
  return [...single, ...several];
}

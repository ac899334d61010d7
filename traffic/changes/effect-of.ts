import type { ChangeKind } from '../../diff/index.js';

/**
 * When a message uses a changed place. `carries`: it has a value there. `lacks`: it has the object around the place, or is
 * the message of it, but no value there. `fails`: it has a value there that the old spec allows and the new one does not.
 */
export type Effect = 'carries' | 'lacks' | 'fails';

/** Kinds that a request uses by what it lacks. Those that add something do so only if it is required. */
const LACKING: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'parameter-added',
  'parameter-became-required',
  'body-added',
  'body-became-required',
  'member-added',
  'member-became-required',
  'read-only-removed',
  'default-changed',
]);

/** Kinds of changed schemas that no validator sees. */
const UNCHECKED: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'member-removed',
  'read-only-added',
  'extensible-enum-value-removed',
  'discriminator-added',
  'discriminator-changed',
  'encoding-changed',
  'deprecated',
  'parameter-removed',
  'parameter-moved',
  'parameter-style-changed',
]);

/** Returns when a message of one direction uses the place of a change. */
export function effectOf(
  kind: ChangeKind,
  direction: 'request' | 'response',
  { isRequired, isSchema, isSafe }: { isRequired: boolean; isSchema: boolean; isSafe: boolean },
): Effect {
  if (direction === 'response') return 'carries';
  if (LACKING.has(kind)) return isRequired || !/-added$|-removed$/.test(kind) ? 'lacks' : 'carries';
  return isSchema && !isSafe && !UNCHECKED.has(kind) ? 'fails' : 'carries';
}

/** The keywords whose errors belong to a kind of change. Kinds that are not listed take any error at the place. */
const KEYWORDS: readonly (readonly [kinds: RegExp, keywords: readonly string[]])[] = [
  [/^(?:type|nullable)-/, ['type', 'anyOf', 'oneOf', 'enum', 'const']],
  [/^format-/, ['format', 'type']],
  [/^(?:enum|const)-/, ['enum', 'const', 'anyOf', 'oneOf']],
  [/^range-/, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']],
  [/^multiple-of-/, ['multipleOf']],
  [/^length-/, ['minLength', 'maxLength']],
  [/^pattern-/, ['pattern']],
  [/^item-count-/, ['minItems', 'maxItems']],
  [/^contains-count-/, ['contains', 'minContains', 'maxContains']],
  [/^unique-items-/, ['uniqueItems']],
  [/^dependent-members-/, ['dependentRequired']],
  [/^member-count-/, ['minProperties', 'maxProperties']],
  [/^members-closed$/, ['additionalProperties', 'unevaluatedProperties']],
];

export function keywordsOf(kind: ChangeKind): readonly string[] | undefined {
  return KEYWORDS.find(([kinds]) => kinds.test(kind))?.[1];
}

/** Steps into a schema that take a name or an index after them. */
const NAMED_STEPS: ReadonlySet<string> = new Set([
  ...['content', 'properties', 'patternProperties', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', 'dependentSchemas'],
]);

const SINGLE_STEPS: ReadonlySet<string> = new Set([
  ...['schema', 'itemSchema', 'items', 'additionalProperties', 'if', 'then', 'else'],
]);

/** Changes of these kinds concern the value, not the part of its schema that their place names. */
const OF_THE_VALUE = /^(?:members|alternative|choice|condition|discriminator|dependent-members|contains)/;
const INNER: ReadonlySet<string> = new Set([
  ...['anyOf', 'oneOf', 'allOf', 'dependentSchemas', 'if', 'then', 'else'],
  ...['additionalProperties', 'patternProperties'],
]);

/** The steps of a place as far as they lead to a schema: without a keyword such as `enum` at the end. */
export function schemaSteps(kind: ChangeKind, steps: readonly string[]): readonly string[] {
  let end = 0;
  let last = 0;
  for (let index = 0; index < steps.length;) {
    const step = steps[index] ?? '';
    const width = NAMED_STEPS.has(step) ? 2 : SINGLE_STEPS.has(step) ? 1 : 0;
    if (width === 0 || index + width > steps.length) break;
    [last, end] = [index, index + width];
    index = end;
  }
  const final = steps[last] ?? '';
  return steps.slice(0, OF_THE_VALUE.test(kind) && INNER.has(final) ? last : end);
}

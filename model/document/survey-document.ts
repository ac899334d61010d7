import { MAX_NESTING } from './parse-document.js';

/** Facts about a document that its readers need. */
export interface DocumentSurvey {
  /** The references to other documents, without fragments. */
  readonly outside: ReadonlySet<string>;
  /** The references inside of the document, as written. */
  readonly inside: ReadonlySet<string>;
  /** Whether a schema in it may have an `$id`, an anchor or its own dialect. */
  readonly hasResources: boolean;
  /** How many members its objects have, repetitions by YAML aliases counted. */
  readonly members: number;
  /** Why the document is refused. */
  readonly refusal?: {
    readonly code: 'document-too-deep' | 'document-too-large' | 'document-not-unicode';
    readonly message: string;
  };
}

/**
 * Maximum number of objects and lists, counting every repetition by a YAML alias. GitHub's REST description has 90,000.
 */
const MAX_SIZE = 4_000_000;

/**
 * Walks a document once, without recursion: 20 ms for 13 MB. Visits the object found last first, because it is still in
 * the processor's cache; a breadth-first walk takes twice as long.
 *
 * @param hasEscapes - whether its text has escapes; only they can bring a lone surrogate into a document.
 */
export function surveyDocument(root: unknown, hasEscapes: boolean): DocumentSurvey {
  const found: FoundReferences = { outside: new Set(), inside: new Set() };
  let hasResources = false;
  let size = 0;
  let members = 0;
  const open: object[] = [];
  const depths: number[] = [];
  const add = (value: unknown, depth: number): void => {
    if (!isObject(value)) return;
    open.push(value);
    depths.push(depth);
  };
  add(root, 0);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const depth = depths.pop() ?? 0;
    size += 1;
    const refusal = hasEscapes && !isUnicode(value) ? HALF_CHARACTER : refuse(depth, size);
    if (refusal !== undefined) return { ...found, hasResources, members, refusal };
    if (Array.isArray(value)) {
      for (const item of value) add(item, depth + 1);
      continue;
    }
    for (const key in value) {
      members += 1;
      const member = (value as Record<string, unknown>)[key];
      if (typeof member !== 'string') {
        add(member, depth + 1);
        if (key === 'security') addSchemes(found, member);
        else if (key === 'discriminator') addMapping(found, member);
      } else if (REFERENCES.has(key)) addReference(found, member);
      else hasResources ||= RESOURCE_WORDS.has(key);
    }
  }
  return { ...found, hasResources, members };
}

const HALF_CHARACTER = {
  code: 'document-not-unicode',
  message: 'A string in the document contains a lone surrogate (half of a character), which UTF-8 cannot encode.',
} as const;

const HALF = /\p{Surrogate}/u;

/** Whether the names and texts in an object or list are valid Unicode. */
function isUnicode(value: object): boolean {
  return Object.entries(value).every(
    ([key, member]) => !HALF.test(key) && !(typeof member === 'string' && HALF.test(member)),
  );
}

const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const RESOURCE_WORDS: ReadonlySet<string> = new Set(['$id', '$self', '$schema', '$anchor', '$dynamicAnchor']);

interface FoundReferences {
  readonly outside: Set<string>;
  readonly inside: Set<string>;
}

function addReference({ outside, inside }: FoundReferences, reference: string): void {
  if (reference.startsWith('#')) inside.add(reference);
  else outside.add(reference.split('#', 1)[0] ?? '');
}

/** Adds schemes that security requirements name by URI (OpenAPI 3.2). */
function addSchemes(found: FoundReferences, security: unknown): void {
  if (!Array.isArray(security)) return;
  for (const alternative of security) {
    if (!isObject(alternative)) continue;
    for (const name of Object.keys(alternative)) if (name.includes('#/')) addReference(found, name);
  }
}

/** Adds mapping values that are references; others are names of components. */
function addMapping(found: FoundReferences, discriminator: unknown): void {
  const mapping = isObject(discriminator) && 'mapping' in discriminator ? discriminator.mapping : undefined;
  if (!isObject(mapping)) return;
  for (const target of Object.values(mapping)) {
    if (typeof target === 'string' && /#\/|\.(?:ya?ml|json)$/i.test(target)) addReference(found, target);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refuse(depth: number, size: number): DocumentSurvey['refusal'] {
  if (depth > MAX_NESTING)
    return { code: 'document-too-deep', message: `The document is nested deeper than ${MAX_NESTING} levels.` };
  if (size > MAX_SIZE)
    return { code: 'document-too-large', message: `The document has more than ${MAX_SIZE} objects, aliases counted.` };
  return undefined;
}

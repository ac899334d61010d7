import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { KNOWN_EXTENSIONS } from '../../model/known-extensions.js';
import type { SpecLocation } from '../location.js';
import { describeChange, quote, showValues } from '../phrases.js';
import type { RawChange } from '../raw-change.js';
import { canonicalJson, isSameValue } from './canonical-json.js';
import { type Part, isAnnotation } from './schema-location.js';
import type { Parts } from './schema-location.js';
import type { Scope } from './scope.js';

/** Compares what schemas say of a value beside which values are allowed. */
export function compareAnnotations(old: Parts, next: Parts, scope: Scope): void {
  const { old: oldSide, new: newSide } = scope.sides;
  const oldAnnotations = readAnnotations(old, (ref) => oldSide.sites.target(ref));
  const annotations = readAnnotations(next, (ref) => newSide.sites.target(ref));
  if (oldAnnotations.size === 0 && annotations.size === 0) return;
  for (const keyword of new Set([...oldAnnotations.keys(), ...annotations.keys()])) {
    const [was, is] = [oldAnnotations.get(keyword), annotations.get(keyword)];
    if (was !== undefined && is !== undefined && isSameValue(was.value, is.value)) continue;
    if (keyword === EXTENSIBLE_ENUM) {
      for (const change of compareExtensibleEnums({ was, is, title: next[0].location.title }))
        scope.report({ ...change, old: was?.location ?? old[0].location, new: is?.location ?? next[0].location });
      continue;
    }
    const change = describeAnnotation(keyword, { was, is, title: next[0].location.title });
    if (change !== undefined)
      scope.report({ ...change, old: was?.location ?? old[0].location, new: is?.location ?? next[0].location });
  }
}

/** Values of an enum that may get more of them (Zalando's guidelines, rule 112). */
const EXTENSIBLE_ENUM = 'x-extensible-enum';

function compareExtensibleEnums({ was, is, title }: AnnotationChange): Pick<RawChange, 'kind' | 'message'>[] {
  const [old, next] = [was, is].map((found) => (Array.isArray(found?.value) ? found.value.map(canonicalJson) : []));
  const added = (next ?? []).filter((value) => !(old ?? []).includes(value)).map(fromJson);
  const removed = (old ?? []).filter((value) => !(next ?? []).includes(value)).map(fromJson);
  const changes: Pick<RawChange, 'kind' | 'message'>[] = [];
  if (added.length > 0)
    changes.push({ kind: 'extensible-enum-value-added', message: `${title} may also be ${showValues(added)} now` });
  if (removed.length > 0 && next?.length !== 0)
    changes.push({
      kind: 'extensible-enum-value-removed',
      message: `${title} must not be ${showValues(removed)} any more`,
    });
  return changes;
}

function fromJson(text: string): unknown {
  return JSON.parse(text);
}

interface AnnotationChange {
  readonly was: Annotation | undefined;
  readonly is: Annotation | undefined;
  readonly title: string;
}

/** `undefined` for `readOnly` and `writeOnly`, which have a meaning only at members. */
function describeAnnotation(
  keyword: string,
  { was, is, title }: AnnotationChange,
): Pick<RawChange, 'kind' | 'message'> | undefined {
  switch (keyword) {
    case 'default':
      return { kind: 'default-changed', message: `The default of ${title} ${describeChange(was?.value, is?.value)}` };
    case 'deprecated':
      if ((was?.value === true) === (is?.value === true)) return undefined;
      return is?.value === true
        ? { kind: 'deprecated', message: `${title} is deprecated now` }
        : { kind: 'undeprecated', message: `${title} is not deprecated any more` };
    case 'title':
    case 'description':
      return { kind: 'description-changed', message: `${title} has another ${keyword}` };
    case 'examples':
      return { kind: 'examples-changed', message: `${title} has other examples` };
    case 'readOnly':
    case 'writeOnly':
      return undefined;
    default: {
      const words = was === undefined ? 'is new' : 'has changed';
      return {
        kind: KNOWN_EXTENSIONS.has(keyword) ? 'helper-changed' : 'extension-changed',
        message: `${quote(keyword)} of ${title} ${is === undefined ? 'is gone' : words}`,
      };
    }
  }
}

/** A keyword that does not constrain values, and its location. */
export interface Annotation {
  readonly value: unknown;
  readonly location: SpecLocation;
}

/** Resolves a reference. */
export type FollowRef = (ref: string) => Part | undefined;

interface ObjectPart {
  readonly schema: SchemaObject;
  readonly location: SpecLocation;
}

/**
 * Everything that is said of a value beside which values are allowed, by keyword: in the schemas that hold for it, in what
 * they refer to, in the parts of their `allOf`. The first of each keyword counts.
 */
function readAnnotations(parts: readonly Part[], follow: FollowRef): ReadonlyMap<string, Annotation> {
  const found = new Map<string, Annotation>();
  for (const { schema, location } of inPlace(parts, follow)) {
    for (const key in schema)
      if (isAnnotation(key) && !found.has(key))
        found.set(key, { value: schema[key as keyof SchemaObject], location: location.child(key) });
  }
  return found;
}

/** Whether a value is marked, in any of the schemas that hold for it. */
export function isMarked(parts: readonly Part[], mark: 'readOnly' | 'writeOnly', follow: FollowRef): boolean {
  return inPlace(parts, follow).some(({ schema }) => schema[mark] === true);
}

/** The schemas, what they refer to and the parts of their `allOf`, the outermost first. */
function inPlace(parts: readonly Part[], follow: FollowRef): ObjectPart[] {
  const found: ObjectPart[] = [];
  const seen = new Set<Schema>();
  const open: (Part | undefined)[] = parts.toReversed();
  while (open.length > 0) {
    const part = open.pop();
    if (part === undefined || typeof part.schema === 'boolean' || seen.has(part.schema)) continue;
    const { schema, location } = part;
    seen.add(schema);
    found.push({ schema, location });
    for (let index = (schema.allOf?.length ?? 0) - 1; index >= 0; index -= 1)
      open.push({ schema: schema.allOf?.[index] ?? true, location: location.silentChild('allOf', index) });
    if (schema.$ref !== undefined) open.push(follow(schema.$ref));
  }
  return found;
}

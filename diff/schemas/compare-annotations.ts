import { isAnnotation } from '../../model/schema-keywords.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { type ChangeWords, describeChange, describeDeprecation, describeExtension, showValues } from '../phrases.js';
import { canonicalJson, isSameValue } from './canonical-json.js';
import type { LocatedSchema, LocatedSchemas, SiteMap } from './schema-location.js';
import type { ComparisonScope } from './scope.js';

/** Compares the annotations of a value: keywords that do not restrict it. */
export function compareAnnotations(old: LocatedSchemas, next: LocatedSchemas, scope: ComparisonScope): void {
  const oldAnnotations = readAnnotations(old, scope.sides.old.sites);
  const annotations = readAnnotations(next, scope.sides.new.sites);
  if (oldAnnotations.size === 0 && annotations.size === 0) return;
  for (const keyword of new Set([...oldAnnotations.keys(), ...annotations.keys()])) {
    const [was, is] = [oldAnnotations.get(keyword), annotations.get(keyword)];
    if (was !== undefined && is !== undefined && isSameValue(was.value, is.value)) continue;
    const [{ location: oldOwner }] = old;
    const [{ location: owner }] = next;
    for (const change of describeAnnotation(keyword, { was: was?.value, is: is?.value, title: owner.title }))
      scope.report({ ...change, old: was?.location ?? oldOwner, new: is?.location ?? owner });
  }
}

interface AnnotationChange {
  readonly was: unknown;
  readonly is: unknown;
  readonly title: string;
}

/**
 * Describes the change of an annotation. Returns nothing for `readOnly` and `writeOnly`, which are meaningful only at
 * members.
 */
function describeAnnotation(keyword: string, change: AnnotationChange): readonly ChangeWords[] {
  const { was, is, title } = change;
  switch (keyword) {
    case 'default':
      return [{ kind: 'default-changed', message: `The default of ${title} ${describeChange(was, is)}` }];
    case 'deprecated':
      return (was === true) === (is === true) ? [] : [describeDeprecation(title, is === true)];
    case 'title':
    case 'description':
      return [{ kind: 'description-changed', message: `${title} has another ${keyword}` }];
    case 'examples':
      return [{ kind: 'examples-changed', message: `${title} has other examples` }];
    case 'readOnly':
    case 'writeOnly':
      return [];
    // Values of an enum that may be extended later (Zalando's guidelines, rule 112).
    case 'x-extensible-enum':
      return describeExtensibleEnums(change);
    default:
      return [describeExtension(keyword, change)];
  }
}

function describeExtensibleEnums({ was, is, title }: AnnotationChange): readonly ChangeWords[] {
  const [old, next] = [valuesByText(was), valuesByText(is)];
  const added = [...next].filter(([text]) => !old.has(text)).map(([, value]) => value);
  const removed = [...old].filter(([text]) => !next.has(text)).map(([, value]) => value);
  const words: ChangeWords[] = [];
  if (added.length > 0)
    words.push({ kind: 'extensible-enum-value-added', message: `${title} may also be ${showValues(added)} now` });
  if (removed.length > 0 && next.size > 0) {
    const message = `${title} must not be ${showValues(removed)} any more`;
    words.push({ kind: 'extensible-enum-value-removed', message });
  }
  return words;
}

function valuesByText(values: unknown): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(values) ? values.map((value: unknown) => [canonicalJson(value), value]) : []);
}

/** A keyword that does not constrain values, and its location. */
interface Annotation {
  readonly value: unknown;
  readonly location: SpecLocation;
}

/**
 * The annotations of a value by keyword: from its schemas, the targets of their references and the parts of their
 * `allOf`, the outermost first. The first of each keyword wins.
 */
function readAnnotations(parts: LocatedSchemas, sites: SiteMap): ReadonlyMap<string, Annotation> {
  const found = new Map<string, Annotation>();
  const seen = new Set<Schema>();
  const open: (LocatedSchema | undefined)[] = parts.toReversed();
  while (open.length > 0) {
    const part = open.pop();
    if (part === undefined || typeof part.schema === 'boolean' || seen.has(part.schema)) continue;
    const { schema, location } = part;
    seen.add(schema);
    for (const key in schema)
      if (isAnnotation(key) && !found.has(key))
        found.set(key, { value: schema[key as keyof SchemaObject], location: location.child(key) });
    const { $ref, allOf = [] } = schema;
    const inner = allOf.map((child, index) => ({ schema: child, location: location.silentChild('allOf', index) }));
    open.push(...inner.toReversed());
    if ($ref !== undefined) open.push(sites.target($ref));
  }
  return found;
}

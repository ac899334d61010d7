import { getOrInsert } from '../maps.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import type { Place } from '../document/place.js';
import { appendPointer, resolvePointer, splitPointer, toPointer } from '../document/pointer.js';
import { type RawRecord, isRecord } from '../document/records.js';
import type { DocumentSet } from '../document/source-document.js';
import type { RefResolver } from './ref-resolver.js';

/** The names of members that schemas of one value describe; `undefined` if any name is meant. */
export type MemberNames = ReadonlySet<string> | undefined;

/** Keywords whose schemas apply to the same value: one, a list, or a map by the name of a member. */
const IN_PLACE: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else']);
const IN_PLACE_LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const IN_PLACE_MAP: ReadonlySet<string> = new Set(['dependentSchemas', 'dependencies']);

/** Larger families are not searched. */
const MOST_SCHEMAS = 2_000;

/**
 * Raw schemas that apply to the same values: branches, targets of references, the schema around a branch, and schemas
 * that refer to it from a branch (the children of a base). Used to tell typing errors, so it is generous.
 */
export class SchemaFamilies {
  readonly #documents: DocumentSet;
  readonly #resolver: RefResolver;
  readonly #references: { readonly place: Place; readonly reference: string }[] = [];
  /** The branches that are references, by their target; found when first needed. */
  #referrers: Map<string, SourceLocation[]> | undefined;

  constructor(documents: DocumentSet, resolver: RefResolver) {
    this.#documents = documents;
    this.#resolver = resolver;
  }

  /** Notes a reference, which makes its schema part of a family if it is a branch or has keywords beside it. */
  noteReference(place: Place, reference: string, hasSiblings: boolean): void {
    if (hasSiblings || isBranch(place)) this.#references.push({ place, reference });
  }

  /** The members that the family of the schema at a place describes: at least those that are wanted, or all. */
  namesAt(start: SourceLocation, wanted: readonly string[]): MemberNames {
    const names = new Set<string>();
    const places = new Map([[keyOf(start), start]]);
    for (const place of this.#walk(places)) {
      const raw = this.#valueAt(place);
      if (!isRecord(raw)) continue;
      if (isOpen(raw, wanted) || places.size > MOST_SCHEMAS) return undefined;
      for (const name of ownNames(raw)) names.add(name);
      if (wanted.every((name) => names.has(name))) return names;
      const next = this.#neighbours(raw, place);
      if (next === undefined) return undefined;
      for (const one of next) places.set(keyOf(one), places.get(keyOf(one)) ?? one);
    }
    return names.size === 0 ? undefined : names;
  }

  /** Yields the places of a growing family, and those that refer to them only when no other is left. */
  *#walk(places: Map<string, SourceLocation>): Iterable<SourceLocation> {
    let walked = 0;
    const asked = new Set<string>();
    // A map also yields what is added during the loop.
    for (const place of places.values()) {
      yield place;
      walked += 1;
      if (walked < places.size) continue;
      this.#referrers ??= this.#findReferrers();
      for (const key of [...places.keys()]) {
        if (asked.has(key)) continue;
        asked.add(key);
        for (const one of this.#referrers.get(key) ?? []) places.set(keyOf(one), places.get(keyOf(one)) ?? one);
      }
    }
  }

  /** `undefined` if a reference has no target. */
  #neighbours(raw: RawRecord, { file, pointer }: SourceLocation): SourceLocation[] | undefined {
    const found = branchesOf(raw).map((steps) => ({ file, pointer: pointer + toPointer(steps) }));
    const above = aboveInPlace(pointer);
    if (above !== undefined) found.push({ file, pointer: above });
    const reference = raw['$ref'];
    if (typeof reference !== 'string') return found;
    const target = this.#resolve(reference, { file, pointer });
    return target === undefined ? undefined : [...found, target];
  }

  #resolve(reference: string, { file, pointer }: SourceLocation): SourceLocation | undefined {
    const hasResources = this.#documents.documents.get(file)?.hasResources === true;
    const base = hasResources ? this.#resolver.baseAt({ file, pointer }) : { file, resourcePointer: '' };
    return this.#resolver.resolve(reference, base);
  }

  #valueAt({ file, pointer }: SourceLocation): unknown {
    return resolvePointer(this.#documents.documents.get(file)?.root, pointer);
  }

  #findReferrers(): Map<string, SourceLocation[]> {
    const found = new Map<string, SourceLocation[]>();
    for (const { place, reference } of this.#references) {
      const source = place.source;
      const target = this.#resolve(reference, source);
      if (target !== undefined) getOrInsert(found, keyOf(target), () => []).push(source);
    }
    return found;
  }
}

/** Whether a place is a branch of the schema above it. */
function isBranch(place: Place): boolean {
  const [step, above] = [place.step, place.above?.step];
  return IN_PLACE.has(String(step)) || IN_PLACE_LIST.has(String(above)) || IN_PLACE_MAP.has(String(above));
}

function keyOf({ file, pointer }: SourceLocation): string {
  return `${file}#${pointer}`;
}

/** Whether a schema says that its value has other members, by name or at all. */
function isOpen(raw: RawRecord, wanted: readonly string[]): boolean {
  if (['additionalProperties', 'unevaluatedProperties'].some((key) => raw[key] === true || isRecord(raw[key])))
    return true;
  const patterns = isRecord(raw['patternProperties']) ? Object.keys(raw['patternProperties']) : [];
  return patterns.length > 0 && wanted.length > 0;
}

function ownNames(raw: RawRecord): string[] {
  const properties = isRecord(raw['properties']) ? Object.keys(raw['properties']) : [];
  const { discriminator } = raw;
  const tag = isRecord(discriminator) ? discriminator['propertyName'] : discriminator;
  return typeof tag === 'string' ? [...properties, tag] : properties;
}

function branchesOf(raw: RawRecord): (readonly (string | number)[])[] {
  return Object.entries(raw).flatMap(([key, value]): (readonly (string | number)[])[] => {
    if (IN_PLACE.has(key)) return [[key]];
    if (IN_PLACE_LIST.has(key) && Array.isArray(value)) return value.map((_, index) => [key, index]);
    return IN_PLACE_MAP.has(key) && isRecord(value) ? Object.keys(value).map((name) => [key, name]) : [];
  });
}

/** The pointer of the schema that a schema is a branch of. */
function aboveInPlace(pointer: string): string | undefined {
  const steps = splitPointer(pointer);
  const [key, inner] = [steps.at(-2), steps.at(-1)];
  if (inner !== undefined && IN_PLACE.has(inner)) return rejoin(steps.slice(0, -1));
  if (key === undefined) return undefined;
  return IN_PLACE_LIST.has(key) || IN_PLACE_MAP.has(key) ? rejoin(steps.slice(0, -2)) : undefined;
}

function rejoin(steps: readonly string[]): string {
  return steps.reduce(appendPointer, '');
}

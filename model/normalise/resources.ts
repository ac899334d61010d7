import { isUrl } from '../document/address.js';
import type { SourceDocument } from '../document/source-document.js';
import { Place } from '../document/place.js';
import { type RawRecord, isRecord } from '../document/records.js';
import { declaredDialect } from './schema-dialects.js';

/** A place in one of the documents, with its value. */
export interface Located {
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;
}

/** The place of a reference: the file, and the embedded resource (a schema with an `$id`) inside it. */
export interface RefBase {
  readonly file: string;
  /** Absolute URI of the resource; that of the file unless an `$id` sets another. */
  readonly uri?: string | undefined;
  /** Pointer of the resource's root in the file. */
  readonly resourcePointer: string;
  /** The nearest `$schema`. */
  readonly schemaUri?: string | undefined;
}

/** The base inside a value: a new one if it has an `$id` (draft-04: `id`) that is more than a fragment. */
export function enterResource(base: RefBase, value: unknown, pointer: string): RefBase {
  if (!isRecord(value)) return base;
  const schemaUri = typeof value['$schema'] === 'string' ? value['$schema'] : base.schemaUri;
  const id = pointer === '' ? (selfOf(value) ?? resourceId(value, schemaUri)) : resourceId(value, schemaUri);
  const uri = id === undefined || id.startsWith('#') ? undefined : absoluteUri(id, base);
  if (uri !== undefined) return { file: base.file, uri, resourcePointer: pointer, schemaUri };
  return schemaUri === base.schemaUri ? base : { ...base, schemaUri };
}

/** The URI that an OpenAPI document gives itself (OpenAPI 3.2, "Establishing the Base URI"). */
function selfOf(root: RawRecord): string | undefined {
  return typeof root['$self'] === 'string' && root['openapi'] !== undefined ? root['$self'] : undefined;
}

/** `$id`, or `id` if the nearest `$schema` is draft-04. Up to draft-07, keywords beside a `$ref` are ignored. */
function resourceId(value: RawRecord, schemaUri: string | undefined): string | undefined {
  const dialect = schemaUri === undefined ? undefined : declaredDialect({ $schema: schemaUri });
  if (dialect?.refSiblings === false && typeof value['$ref'] === 'string') return undefined;
  const id = dialect?.name === 'draft-04' ? value['id'] : value['$id'];
  return typeof id === 'string' ? id : undefined;
}

/** Resolves an address against the `$id` in scope. */
export function absoluteUri(address: string, base: RefBase): string | undefined {
  try {
    return new URL(address, base.uri ?? (isUrl(base.file) ? base.file : 'specmill:/')).href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

/** Keywords whose values are data: a member `$id` in them is not a keyword. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples']);

/** The dynamic anchors of a resource, by name; `$recursiveAnchor: true` has the name {@link RECURSIVE}. */
export type DynamicAnchors = ReadonlyMap<string, Located>;

/** The anchors before any schema with a dynamic anchor is entered. */
export const NO_ANCHORS: DynamicAnchors = new Map();

/** The dynamic anchors inside an entered resource; those of the resource entered first win. */
export function enterAnchors(outer: DynamicAnchors, own: DynamicAnchors): DynamicAnchors {
  if ([...own.keys()].every((name) => outer.has(name))) return outer;
  return new Map([...own, ...outer]);
}

/** Returns the same text for scopes in which the given names have the same targets. */
export function scopeKey(anchors: DynamicAnchors, names: ReadonlySet<string>): string {
  const parts = [...names].toSorted().flatMap((name) => {
    const located = anchors.get(name);
    return located === undefined ? [] : [`${name}=${located.file}#${located.pointer}`];
  });
  return parts.join(' ');
}

/** No `$dynamicAnchor` can have this name. */
export const RECURSIVE = '';

/** The `$schema` of the entry document, which also applies to documents that set none. */
export function dialectOf(root: unknown): string | undefined {
  return isRecord(root) && typeof root['$schema'] === 'string' ? root['$schema'] : undefined;
}

/** The schemas of all documents that have an `$id` or an anchor. */
export class Resources {
  readonly #byUri = new Map<string, Located>();
  readonly #anchors = new Map<string, Map<string, Located>>();
  readonly #byAnchor = new Map<string, Located[]>();

  constructor(documents: Iterable<SourceDocument>, schemaUri: string | undefined) {
    for (const { path, root } of documents)
      this.#collect({ file: path, resourcePointer: '', schemaUri }, new Place(path, ''), root);
  }

  /** Finds a schema by its absolute URI, whose fragment may be an anchor. */
  find(uri: string): Located | undefined {
    return this.#byUri.get(uri);
  }

  anchorsOf({ file, resourcePointer }: RefBase): DynamicAnchors {
    return this.#anchors.get(`${file}#${resourcePointer}`) ?? new Map<string, Located>();
  }

  /** The schemas that have this dynamic anchor. */
  withAnchor(name: string): readonly Located[] {
    return this.#byAnchor.get(name) ?? [];
  }

  #collect(base: RefBase, place: Place, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const inner = isRecord(value) ? enterResource(base, value, place.pointer) : base;
    if (isRecord(value)) this.#collectNames(inner, place, value);
    for (const [key, child] of Object.entries(value))
      if (!DATA.has(key)) this.#collect(inner, new Place(place.file, place, key), child);
  }

  #collectNames(inner: RefBase, place: Place, value: RawRecord): void {
    const located = { ...place.source, value };
    if (inner.uri !== undefined && inner.resourcePointer === place.pointer) this.#byUri.set(inner.uri, located);
    const dynamic = value['$dynamicAnchor'];
    const id = resourceId(value, inner.schemaUri);
    const old = id?.startsWith('#') === true ? id.slice(1) : undefined;
    for (const name of [value['$anchor'], dynamic, old])
      if (typeof name === 'string') this.#byUri.set(`${inner.uri ?? inner.file}#${name}`, located);
    if (typeof dynamic === 'string') this.#addAnchor(dynamic, inner, located);
    if (value['$recursiveAnchor'] === true) this.#addAnchor(RECURSIVE, inner, located);
  }

  #addAnchor(name: string, { file, resourcePointer }: RefBase, located: Located): void {
    const key = `${file}#${resourcePointer}`;
    const own = this.#anchors.get(key) ?? new Map<string, Located>();
    this.#anchors.set(key, own.set(name, located));
    this.#byAnchor.set(name, [...this.withAnchor(name), located]);
  }
}

/** Keywords whose values are references. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/**
 * The remote addresses that references of a document resolve to because of an `$id` in scope, and those of unknown
 * dialects; without fragments.
 */
export function remoteAddresses({ path, root }: Pick<SourceDocument, 'path' | 'root'>): ReadonlySet<string> {
  const found = new Set<string>();
  const own = new Set<string>();
  const visit = (base: RefBase, place: Place, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const inner = isRecord(value) ? enterResource(base, value, place.pointer) : base;
    if (inner.uri !== undefined) own.add(inner.uri);
    if (isRecord(value)) for (const address of addressesOf(value, inner)) found.add(address);
    for (const [key, child] of Object.entries(value))
      if (!DATA.has(key)) visit(inner, new Place(path, place, key), child);
  };
  visit({ file: path, resourcePointer: '' }, new Place(path, ''), root);
  return new Set([...found].filter((address) => !own.has(address)));
}

function addressesOf(value: RawRecord, base: RefBase): readonly string[] {
  const references = REFERENCES.flatMap((key) => {
    const reference = value[key];
    return typeof reference === 'string' && !reference.startsWith('#') ? [reference.split('#', 1)[0] ?? ''] : [];
  });
  const absolute = base.uri === undefined ? [] : references.flatMap((reference) => absoluteUri(reference, base) ?? []);
  const dialect = value['$schema'];
  const unknown =
    typeof dialect === 'string' && declaredDialect(value) === undefined ? [dialect.replace(/#$/, '')] : [];
  return [...absolute, ...unknown].filter((address) => /^https?:/.test(address));
}

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

/** Where a reference stands: the file, and the embedded resource (a schema with an `$id`) inside it. */
export interface RefBase {
  readonly file: string;
  /** Absolute URI of the resource; the file itself where no `$id` says otherwise. */
  readonly uri?: string | undefined;
  /** Pointer of the resource's root in the file. */
  readonly resourcePointer: string;
  /** The nearest `$schema`. */
  readonly schemaUri?: string | undefined;
}

/** The base inside a value: a new one where it has an `$id` (draft-04: `id`) that is more than a fragment. */
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

/** `$id`, or `id` where the nearest `$schema` is that of draft-04. */
function resourceId(value: RawRecord, schemaUri: string | undefined): string | undefined {
  const id = value['$id'] ?? (isDraft04(schemaUri) ? value['id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

function isDraft04(schemaUri: string | undefined): boolean {
  return schemaUri !== undefined && declaredDialect({ $schema: schemaUri })?.name === 'draft-04';
}

/** Resolves an address against the `$id` that holds around it. */
export function absoluteUri(address: string, base: RefBase): string | undefined {
  try {
    return new URL(address, base.uri ?? 'specmill:/').href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

/** Keywords whose values are data: what looks like an `$id` in them is none. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples']);

/** The schemas of all documents that are named by an `$id` or an anchor. */
export class Resources {
  readonly #byUri = new Map<string, Located>();
  readonly #dynamicAnchors = new Map<string, number>();
  #recursive = 0;

  constructor(documents: Iterable<SourceDocument>) {
    for (const { path, root } of documents)
      this.#collect({ file: path, resourcePointer: '' }, new Place(path, ''), root);
  }

  /** The schema with an absolute URI; an anchor is the fragment of one. */
  find(uri: string): Located | undefined {
    return this.#byUri.get(uri);
  }

  /** How many schemas have this `$dynamicAnchor`. */
  dynamicAnchors(name: string): number {
    return this.#dynamicAnchors.get(name) ?? 0;
  }

  /** How many schemas have `$recursiveAnchor: true`. */
  get recursive(): number {
    return this.#recursive;
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
    if (typeof dynamic === 'string') this.#dynamicAnchors.set(dynamic, this.dynamicAnchors(dynamic) + 1);
    if (value['$recursiveAnchor'] === true) this.#recursive += 1;
  }
}

import { type DocumentSet, resolveFile } from '../document/document-set.js';
import { appendPointer, fragmentToPointer, splitPointer, stepInto } from '../document/pointer.js';
import { type RawRecord, isRecord } from '../document/records.js';

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
}

/** Resolves references: JSON pointers, other files, `$id`s and anchors. */
export class RefResolver {
  readonly #documents: DocumentSet;
  readonly #filesWithIds = new Map<string, boolean>();
  #identified: ReadonlyMap<string, Located> | undefined;

  constructor(documents: DocumentSet) {
    this.#documents = documents;
  }

  /** The place that a reference names, or `undefined`. Steps through `$ref`s that stand in the way of a pointer. */
  resolve(reference: string, base: RefBase): Located | undefined {
    const hash = reference.indexOf('#');
    const fragment = hash === -1 ? '' : fragmentToPointer(reference.slice(hash + 1));
    const address = hash === -1 ? reference : reference.slice(0, hash);
    const isPointer = fragment === '' || fragment.startsWith('/');
    if (address === '')
      return isPointer ? this.#follow(base.file, base.resourcePointer + fragment, 0) : this.#anchor(base, fragment);
    const uri = absoluteUri(address, base);
    const resource = uri === undefined ? undefined : this.#resources().get(uri);
    if (resource !== undefined) {
      if (!isPointer) return this.#resources().get(`${uri}#${fragment}`);
      return this.#follow(resource.file, resource.pointer + fragment, 0);
    }
    const file = safeResolveFile(base.file, address);
    if (file === undefined || !this.#documents.documents.has(file)) return undefined;
    return isPointer ? this.#follow(file, fragment, 0) : this.#anchor({ file, resourcePointer: '' }, fragment);
  }

  /** The resource that a place belongs to: the nearest schema above it (or itself) with an `$id`. */
  baseAt(file: string, pointer: string): RefBase {
    if (!this.#mayHaveIds(file)) return { file, resourcePointer: '' };
    const root = this.#documents.documents.get(file)?.root;
    let base: RefBase = enterResource({ file, resourcePointer: '' }, root, '');
    let value = root;
    let here = '';
    for (const segment of splitPointer(pointer)) {
      value = stepInto(value, segment);
      here = appendPointer(here, segment);
      base = enterResource(base, value, here);
    }
    return base;
  }

  /** Most documents have no `$id` at all, and the walk for one is not needed at every schema. */
  #mayHaveIds(file: string): boolean {
    const known = this.#filesWithIds.get(file);
    if (known !== undefined) return known;
    const found = /\$id\b|\$schema\b/.test(this.#documents.documents.get(file)?.text ?? '');
    this.#filesWithIds.set(file, found);
    return found;
  }

  #anchor(base: RefBase, name: string): Located | undefined {
    return this.#resources().get(`${base.uri ?? base.file}#${name}`);
  }

  #follow(file: string, pointer: string, depth: number): Located | undefined {
    let value = this.#documents.documents.get(file)?.root;
    let here = '';
    for (const segment of splitPointer(pointer)) {
      const next = stepInto(value, segment);
      if (next === undefined) {
        const target =
          depth < 50 && isRecord(value) && typeof value['$ref'] === 'string'
            ? this.resolve(value['$ref'], this.baseAt(file, here))
            : undefined;
        if (target === undefined) return undefined;
        return this.#follow(target.file, target.pointer + pointer.slice(here.length), depth + 1);
      }
      value = next;
      here = appendPointer(here, segment);
    }
    return value === undefined ? undefined : { file, pointer, value };
  }

  /** Schemas that are named by an `$id` or an anchor, by URI. Made when a reference first needs it. */
  #resources(): ReadonlyMap<string, Located> {
    if (this.#identified !== undefined) return this.#identified;
    const found = new Map<string, Located>();
    for (const { path, root } of this.#documents.documents.values())
      collectResources({ file: path, resourcePointer: '' }, { pointer: '', value: root }, found);
    this.#identified = found;
    return found;
  }
}

/** The base inside a value: a new one where it has an `$id` (draft-04: `id`) that is more than a fragment. */
export function enterResource(base: RefBase, value: unknown, pointer: string): RefBase {
  const id = isRecord(value) ? resourceId(value) : undefined;
  if (id === undefined || id.startsWith('#')) return base;
  const uri = absoluteUri(id, base);
  return uri === undefined ? base : { file: base.file, uri, resourcePointer: pointer };
}

function resourceId(value: RawRecord): string | undefined {
  const id = value['$id'] ?? (typeof value['$schema'] === 'string' ? value['id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

function absoluteUri(address: string, base: RefBase): string | undefined {
  try {
    return new URL(address, base.uri ?? 'specmill:/').href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

function safeResolveFile(from: string, address: string): string | undefined {
  try {
    return resolveFile(from, address);
  } catch {
    return undefined;
  }
}

function collectResources(
  base: RefBase,
  at: { readonly pointer: string; readonly value: unknown },
  found: Map<string, Located>,
  depth = 0,
): void {
  const { pointer, value } = at;
  if (typeof value !== 'object' || value === null || depth > 400) return;
  const inner = enterResource(base, value, pointer);
  const located = { file: base.file, pointer, value };
  if (inner !== base && inner.uri !== undefined) found.set(inner.uri, located);
  if (isRecord(value)) {
    const id = value['$id'];
    const names = [
      value['$anchor'],
      value['$dynamicAnchor'],
      typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined,
    ];
    for (const name of names) if (typeof name === 'string') found.set(`${inner.uri ?? inner.file}#${name}`, located);
  }
  for (const [key, child] of Object.entries(value))
    collectResources(inner, { pointer: appendPointer(pointer, key), value: child }, found, depth + 1);
}

import { getOrInsert } from '../maps.js';
import { type DocumentSet, type SourceDocument, resolveFile } from '../document/source-document.js';
import { appendPointer, fragmentToPointer, splitPointer, stepInto } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import {
  type DynamicAnchors,
  type Located,
  RECURSIVE,
  type RefBase,
  Resources,
  absoluteUri,
  dialectOf,
  enterResource,
} from './resources.js';

/** Why a reference has no target. */
export interface RefProblem {
  readonly code: 'ref-refused' | 'ref-unresolved';
  readonly message: string;
}

const MAX_STEPS = 50;

/** Resolves references: JSON pointers, other files, `$id`s and anchors. */
export class RefResolver {
  readonly #documents: DocumentSet;
  /** Caches references into the same file: they are the most common, and most targets are referenced many times. */
  readonly #local = new Map<string, Map<string, Located | undefined>>();
  /** The dialect of documents that do not set one. */
  readonly #schemaUri: string | undefined;
  readonly #asWritten = new Set<string>();
  #resources: Resources | undefined;
  /** How many nested references are being followed; bounded, because they can form a circle. */
  #steps = 0;

  constructor(documents: DocumentSet) {
    this.#documents = documents;
    this.#schemaUri = dialectOf(documents.entry.root);
  }

  /** Returns the place that a reference names, or `undefined`. Follows `$ref`s that a pointer passes through. */
  resolve(reference: string, base: RefBase): Located | undefined {
    if (base.resourcePointer !== '' || !reference.startsWith('#/')) return this.#resolveEither(reference, base);
    const known = getOrInsert(this.#local, base.file, () => new Map<string, Located | undefined>());
    if (!known.has(reference)) known.set(reference, this.#resolveEither(reference, base));
    return known.get(reference);
  }

  /**
   * Whether a reference has a target only if its percent signs are not read as escapes. Some frameworks write names such
   * as `Pick_Job.%22id%22_` as they are.
   */
  isReadAsWritten(reference: string): boolean {
    return this.#asWritten.has(reference);
  }

  /** Returns why a reference has no target. */
  explain(reference: string, base: RefBase): RefProblem {
    const [address] = splitReference(reference);
    const file = safeResolveFile(base.file, address);
    const remote = base.uri === undefined ? undefined : absoluteUri(address, base);
    const { refusals } = this.#documents;
    const whyRemote = remote === undefined || remote === file ? undefined : refusals.get(remote);
    const why = file === undefined ? undefined : refusals.get(file);
    if (whyRemote !== undefined)
      return {
        code: 'ref-refused',
        message: `The reference ${JSON.stringify(reference)} means ${remote} by the $id around it, which is refused: ${whyRemote}.`,
      };
    return why === undefined
      ? { code: 'ref-unresolved', message: `The reference ${JSON.stringify(reference)} has no target.` }
      : { code: 'ref-refused', message: `The reference ${JSON.stringify(reference)} is refused: ${why}.` };
  }

  /** The resource that a place belongs to: the nearest schema above it (or itself) with an `$id`. */
  baseAt({ file, pointer }: SourceLocation): RefBase {
    let value = this.documentAt(file)?.root;
    let here = '';
    let base: RefBase = enterResource({ file, resourcePointer: '', schemaUri: this.#schemaUri }, value, '');
    for (const segment of splitPointer(pointer)) {
      value = stepInto(value, segment);
      here = appendPointer(here, segment);
      base = enterResource(base, value, here);
    }
    return base;
  }

  documentAt(file: string): SourceDocument | undefined {
    return this.#documents.documents.get(file);
  }

  /** The dynamic anchors of a resource whose names occur several times. */
  anchorsOf(base: RefBase): DynamicAnchors {
    const own = this.#allResources().anchorsOf(base);
    return new Map([...own].filter(([name]) => this.#allResources().withAnchor(name).length > 1));
  }

  /** The target of a dynamic reference with these anchors in scope. */
  resolveDynamic(keyword: string, reference: string, base: RefBase, anchors: DynamicAnchors): Located | undefined {
    const target = this.resolve(reference, base);
    const name = target === undefined ? undefined : anchorNameOf(keyword, reference, target);
    return name === undefined ? target : (anchors.get(name) ?? target);
  }

  /**
   * The dynamic anchors that determine the meaning of a schema: those that its references use, directly or indirectly.
   */
  anchorsAskedBy(start: Located): ReadonlySet<string> {
    const names = new Set<string>();
    const seen = new Set<string>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = `${next.file}#${next.pointer}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.#visitReferences(next, (target, name) => {
        open.push(target);
        if (name === undefined || names.has(name)) return;
        names.add(name);
        open.push(...this.#allResources().withAnchor(name));
      });
    }
    return names;
  }

  #visitReferences(start: Located, visit: (target: Located, anchor: string | undefined) => void): void {
    const walk = (base: RefBase, value: unknown, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const inner = enterResource(base, value, pointer);
      for (const [key, child] of Object.entries(value)) {
        if (typeof child !== 'string') walk(inner, child, appendPointer(pointer, key));
        else if (key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef') {
          const target = this.resolve(child, inner);
          if (target !== undefined) visit(target, key === '$ref' ? undefined : anchorNameOf(key, child, target));
        }
      }
    };
    walk(this.baseAt(start), start.value, start.pointer);
  }

  #resolveEither(reference: string, base: RefBase): Located | undefined {
    const target = this.#resolveAny(reference, base);
    const hash = reference.indexOf('#');
    if (target !== undefined || hash === -1 || !reference.includes('%', hash)) return target;
    const asWritten = reference.slice(0, hash) + reference.slice(hash).replaceAll('%', '%25');
    const found = this.#resolveAny(asWritten, base);
    if (found !== undefined) this.#asWritten.add(reference);
    return found;
  }

  #resolveAny(reference: string, base: RefBase): Located | undefined {
    const [address, fragment] = splitReference(reference);
    const isPointer = fragment === '' || fragment.startsWith('/');
    if (address === '')
      return isPointer
        ? this.#follow({ file: base.file, pointer: base.resourcePointer + fragment })
        : this.#allResources().find(`${base.uri ?? base.file}#${fragment}`);
    const uri = absoluteUri(address, base.uri === undefined ? this.baseAt({ file: base.file, pointer: '' }) : base);
    const resource = uri === undefined ? undefined : this.#allResources().find(uri);
    if (resource !== undefined)
      return isPointer
        ? this.#follow({ file: resource.file, pointer: resource.pointer + fragment })
        : this.#allResources().find(`${uri}#${fragment}`);
    const remote = uri === undefined || base.uri === undefined || this.documentAt(uri) === undefined ? undefined : uri;
    const file = remote ?? safeResolveFile(base.file, address);
    if (file === undefined || this.documentAt(file) === undefined) return undefined;
    if (isPointer) return this.#follow({ file, pointer: fragment });
    return this.#allResources().find(`${this.baseAt({ file, pointer: '' }).uri ?? file}#${fragment}`);
  }

  #follow({ file, pointer }: SourceLocation): Located | undefined {
    let value = this.documentAt(file)?.root;
    let here = '';
    for (const segment of splitPointer(pointer)) {
      const next = stepInto(value, segment);
      if (next === undefined) {
        const reference = isRecord(value) ? value['$ref'] : undefined;
        return typeof reference === 'string'
          ? this.#followThrough(reference, { file, pointer: here }, pointer.slice(here.length))
          : undefined;
      }
      value = next;
      here = appendPointer(here, segment);
    }
    return value === undefined ? undefined : { file, pointer, value };
  }

  /** Continues with the `rest` of a pointer at the target of a reference on its path. */
  #followThrough(reference: string, place: SourceLocation, rest: string): Located | undefined {
    if (this.#steps >= MAX_STEPS) return undefined;
    this.#steps += 1;
    try {
      const target = this.resolve(reference, this.baseAt(place));
      return target === undefined ? undefined : this.#follow({ ...target, pointer: target.pointer + rest });
    } finally {
      this.#steps -= 1;
    }
  }

  /** Created when a reference first needs them, because most documents have none. */
  #allResources(): Resources {
    this.#resources ??= new Resources(this.#documents.documents.values(), this.#schemaUri);
    return this.#resources;
  }
}

/** The address and the fragment, unescaped, of a reference. */
function splitReference(reference: string): readonly [address: string, fragment: string] {
  const hash = reference.indexOf('#');
  return hash === -1 ? [reference, ''] : [reference.slice(0, hash), fragmentToPointer(reference.slice(hash + 1))];
}

function safeResolveFile(from: string, address: string): string | undefined {
  try {
    return resolveFile(from, address);
  } catch {
    return undefined;
  }
}

/** The name of the dynamic anchor of a dynamic reference; `undefined` if it behaves like a `$ref`. */
function anchorNameOf(keyword: string, reference: string, { value }: Located): string | undefined {
  if (!isRecord(value)) return undefined;
  if (keyword === '$recursiveRef') return value['$recursiveAnchor'] === true ? RECURSIVE : undefined;
  const [, fragment] = splitReference(reference);
  return fragment !== '' && value['$dynamicAnchor'] === fragment ? fragment : undefined;
}

/** The message about a reference that is read as it is written. */
export function describeAsWritten(reference: string): string {
  return `The percent signs of ${JSON.stringify(reference)} are read as they are, because the unescaped name has no target. Write % as %25.`;
}

import { type DocumentSet, type SourceDocument, resolveFile } from '../document/source-document.js';
import { appendPointer, fragmentToPointer, splitPointer, stepInto } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { type RefBase, type Located, Resources, absoluteUri, enterResource } from './resources.js';

/** Why a reference leads nowhere. */
export interface RefProblem {
  readonly code: 'ref-refused' | 'ref-unresolved';
  readonly message: string;
}

const MAX_STEPS = 50;

/** Resolves references: JSON pointers, other files, `$id`s and anchors. */
export class RefResolver {
  readonly #documents: DocumentSet;
  /** Most references are pointers into their own file, and most targets are referred to many times. */
  readonly #local = new Map<string, Map<string, Located | undefined>>();
  #resources: Resources | undefined;
  /** How many references are being followed for the sake of others: a circle of them has no end. */
  #steps = 0;

  constructor(documents: DocumentSet) {
    this.#documents = documents;
  }

  /** The place that a reference names, or `undefined`. Steps through `$ref`s that stand in the way of a pointer. */
  resolve(reference: string, base: RefBase): Located | undefined {
    if (base.resourcePointer !== '' || !reference.startsWith('#/')) return this.#resolveAny(reference, base);
    const known = this.#local.get(base.file) ?? new Map<string, Located | undefined>();
    this.#local.set(base.file, known);
    if (!known.has(reference)) known.set(reference, this.#resolveAny(reference, base));
    return known.get(reference);
  }

  /** Says why a reference leads nowhere. */
  explain(reference: string, base: RefBase): RefProblem {
    const file = safeResolveFile(base.file, splitReference(reference)[0]);
    const why = file === undefined ? undefined : this.#documents.refusals.get(file);
    return why === undefined
      ? { code: 'ref-unresolved', message: `The reference ${JSON.stringify(reference)} leads nowhere.` }
      : { code: 'ref-refused', message: `The reference ${JSON.stringify(reference)} is refused: ${why}.` };
  }

  /** The resource that a place belongs to: the nearest schema above it (or itself) with an `$id`. */
  baseAt({ file, pointer }: SourceLocation): RefBase {
    let value = this.documentAt(file)?.root;
    let here = '';
    let base: RefBase = enterResource({ file, resourcePointer: '' }, value, '');
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

  /** Whether a dynamic reference could mean, at run time, something else than its static target. */
  isAmbiguous(keyword: string, reference: string, base: RefBase): boolean {
    const target = this.resolve(reference, base)?.value;
    if (!isRecord(target)) return false;
    if (keyword === '$recursiveRef') return target['$recursiveAnchor'] === true && this.#allResources().recursive > 1;
    const [, fragment] = splitReference(reference);
    return target['$dynamicAnchor'] === fragment && this.#allResources().dynamicAnchors(fragment) > 1;
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
    const file = safeResolveFile(base.file, address);
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

  /** The `rest` of a pointer leads on from what a reference in its way means. */
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

  /** Made when a reference first needs them: most documents have none. */
  #allResources(): Resources {
    this.#resources ??= new Resources(this.#documents.documents.values());
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

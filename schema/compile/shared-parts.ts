import { createHash } from 'node:crypto';

import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { ANNOTATIONS, HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../../model/schema-keywords.js';
import { childSchemas } from '../../model/schema-survey.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { nameVariants } from '../variant-names.js';
import { namedView } from '../variants.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { showJson } from '../../model/exact-json.js';

/** Minimum size of a shared part, in characters of JSON; for a smaller one, a call saves hardly anything. */
const MIN_LENGTH = 150;

const caches = new WeakMap<Api, SharedParts>();

/** The parts that the named schemas of an API share. Collected once and used by every printer. */
export function sharedPartsOf(api: Api): SharedParts {
  return getOrInsert(caches, api, () => {
    const created = new SharedParts();
    const { request } = nameVariants(api);
    for (const name of api.schemas.keys()) {
      for (const view of new Set([name, request.get(name) ?? name])) created.note(namedView(view, api) ?? true, view);
    }
    return created;
  });
}

/** The name of the function that checks a view or a shared part. Schema names contain no underscore. */
export function checkName(view: string, tracks: boolean): string {
  return `${isSharedName(view) ? `shared_${view.slice(1)}` : `check${view}`}${tracks ? '_evaluated' : ''}`;
}

/** Whether a name is the name of a shared part. */
export function isSharedName(name: string): boolean {
  return name.startsWith('^');
}

/**
 * Finds parts that several schemas repeat exactly, except for annotations, so that each becomes one function: large
 * documents repeat themselves (more than half of GitHub's description does). A part that equals a named schema is
 * checked by the function of that schema.
 */
export class SharedParts {
  /** The shared parts by name: `^` and a hash of the content, so that names are stable. */
  readonly shared: Map<string, SchemaObject> = new Map();
  readonly #texts = new SchemaTexts();
  readonly #named = new Map<number, string>();
  readonly #counts = new Map<number, number>();
  readonly #hashes = new Map<number, string>();

  /** Records the parts of a view. All views must be recorded before the first is printed. */
  note(view: Schema, name?: string): void {
    if (name !== undefined && typeof view === 'object') {
      const id = this.#texts.idOf(view);
      if (!this.#named.has(id)) this.#named.set(id, name);
    }
    this.#count(view, name !== undefined);
  }

  /** Returns a number that is the same for equivalent schemas. */
  contentOf(schema: Schema): number {
    return this.#texts.idOf(schema);
  }

  /** The name of the view or shared part that is equivalent to a part of the view `within`. */
  nameOf(schema: SchemaObject, within: string | undefined): string | undefined {
    const id = this.#texts.idOf(schema);
    if (this.#texts.lengthOf(id) < MIN_LENGTH) return undefined;
    const named = this.#named.get(id);
    if (named !== undefined) return named === within ? undefined : named;
    if ((this.#counts.get(id) ?? 0) < 2) return undefined;
    const name = getOrInsert(this.#hashes, id, () => `^${hashOf(this.#texts.textOf(schema))}`);
    if (name === within) return undefined;
    if (!this.shared.has(name)) this.shared.set(name, schema);
    return name;
  }

  #count(schema: Schema, isNamed: boolean): void {
    if (typeof schema === 'boolean') return;
    const id = this.#texts.idOf(schema);
    const count = (this.#counts.get(id) ?? 0) + (isNamed ? 0 : 1);
    this.#counts.set(id, count);
    // The parts of a shared part are in the output only once.
    if (count <= 1) for (const child of childSchemas(schema)) this.#count(child, false);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Numbers schemas so that equivalent ones have the same number. Visits each schema once. */
class SchemaTexts {
  readonly #ids = new Map<string, number>();
  readonly #lengths: number[] = [];
  readonly #known = new WeakMap<object, number>();

  idOf(schema: Schema): number {
    if (typeof schema === 'boolean') return this.#intern(String(schema), 4);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    let length = 2;
    const parts = assertionsOf(schema).map(([key, value]) => {
      const text = this.#describe(key, value, (child) => {
        const id = this.idOf(child);
        length += this.lengthOf(id);
        return `#${id}`;
      });
      length += key.length + text.length;
      return `${key}:${text}`;
    });
    const id = this.#intern(parts.join(), length);
    this.#known.set(schema, id);
    return id;
  }

  /** The approximate size of a schema in characters of JSON. */
  lengthOf(id: number): number {
    return this.#lengths[id] ?? 0;
  }

  /** Returns a text that is the same for equivalent schemas. */
  textOf(schema: Schema): string {
    if (typeof schema === 'boolean') return String(schema);
    const parts = assertionsOf(schema).map(
      ([key, value]) => `${key}:${this.#describe(key, value, (child) => this.textOf(child))}`,
    );
    return `{${parts.join()}}`;
  }

  #describe(key: string, value: unknown, describeChild: (child: Schema) => string): string {
    if (HOLDS_SCHEMA.has(key)) return describeChild(value as Schema);
    if (HOLDS_SCHEMA_LIST.has(key)) return `[${(value as readonly Schema[]).map(describeChild).join()}]`;
    if (!HOLDS_SCHEMA_MAP.has(key)) return showJson(value, '');
    const entries = Object.entries(value as Readonly<Record<string, Schema>>);
    return `{${entries.map(([name, child]) => `${stringifyExactJson(name)}:${describeChild(child)}`).join()}}`;
  }

  #intern(text: string, length: number): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#lengths.length;
      this.#ids.set(text, id);
      this.#lengths.push(length);
    }
    return id;
  }
}

function assertionsOf(schema: SchemaObject): [string, unknown][] {
  return Object.entries(schema).filter(
    ([key]) => !ANNOTATIONS.has(key) && (!key.startsWith('x-') || key === 'x-enum-any-case') && key !== 'contentSchema',
  );
}

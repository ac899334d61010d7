import type { Api } from '../../model/api.js';
import { getOrInsert } from '../../model/maps.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { compileValidator } from '../compile-validator.js';
import { MinDepths } from './min-depth.js';
import type { Shape } from './shape.js';
import { originOf } from '../variant-names.js';
import { type Direction, namedView, schemaView } from '../variants.js';

/** Keywords beside a reference that do not restrict a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'title', 'deprecated']);

/** Data computed once for an API and a direction, and shared by all values. */
export class ValueCache {
  readonly direction: Direction;
  readonly minDepths: MinDepths;
  /** Shapes of schemas without choices. */
  readonly shapes: WeakMap<SchemaObject, Shape> = new WeakMap();
  readonly #api: Api;
  readonly #refs = new Map<string, SchemaObject>();
  readonly #soleNames = new WeakMap<SchemaObject, string | undefined>();

  constructor(api: Api, direction: Direction) {
    this.#api = api;
    this.direction = direction;
    this.minDepths = new MinDepths(this.resolve);
  }

  /** The target of a reference in a view. */
  readonly resolve = (name: string): Schema | undefined => namedView(name, this.#api);

  /** The view of a schema in this direction. */
  viewOf(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema;
    const ref = this.#plainRef(schema);
    if (ref !== schema) return this.viewOf(ref);
    return schemaView(schema, this.#api, this.direction);
  }

  /** The name in the document of the schema of a view. */
  documentName(name: string): string {
    return originOf(name, this.#api);
  }

  /** The error of a value, in one sentence; `undefined` if it is valid. */
  findProblem(schemas: readonly Schema[], value: unknown): string | undefined {
    for (const schema of schemas) {
      if (schema === true) continue;
      if (schema === false) return 'nothing is allowed here';
      const [first] = compileValidator(this.#api, this.#plainRef(schema), { direction: this.direction })(value);
      if (first !== undefined) return `${first.pointer === '' ? 'the value' : first.pointer} ${first.message}`;
    }
    return undefined;
  }

  /** The name of the schema that a schema references, if it does not restrict values otherwise. */
  soleName(schema: SchemaObject): string | undefined {
    return getOrInsert(this.#soleNames, schema, () => this.#findSoleName(schema));
  }

  #findSoleName(schema: SchemaObject): string | undefined {
    const [branch] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
    if (typeof branch === 'object' && isOnlyWrapped(schema)) return this.soleName(branch);
    const plain = this.#plainRef(schema);
    const isSole = plain.$ref !== undefined && this.#refs.get(plain.$ref) === plain;
    return isSole && plain.$ref !== undefined ? refName(plain.$ref) : undefined;
  }

  /** Returns the same object for every plain reference to a schema, so that caches keyed by object work. */
  #plainRef(schema: SchemaObject): SchemaObject {
    const { $ref } = schema;
    if ($ref === undefined || Object.keys(schema).some((key) => key !== '$ref' && !ANNOTATIONS.has(key))) return schema;
    let ref = this.#refs.get($ref);
    if (ref === undefined) {
      ref = { $ref };
      this.#refs.set($ref, ref);
    }
    return ref;
  }

  /** Whether a member exists only in responses, so that requests omit it. */
  isLeftOut(schema: Schema, seen: ReadonlySet<string> = new Set()): boolean {
    if (typeof schema === 'boolean') return !schema;
    if (this.direction === 'response') return false;
    if (schema.readOnly === true) return true;
    const name = schema.$ref === undefined ? undefined : refName(schema.$ref);
    if (name !== undefined && !seen.has(name) && this.isLeftOut(this.resolve(name) ?? true, new Set([...seen, name])))
      return true;
    return (schema.allOf ?? []).some((part) => this.isLeftOut(part, seen));
  }
}

/** Whether a schema only wraps one other schema. */
function isOnlyWrapped(schema: SchemaObject): boolean {
  const said = Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key));
  return (
    said.length === 1 && said.every(([key, value]) => WRAPPERS.has(key) && Array.isArray(value) && value.length === 1)
  );
}

const WRAPPERS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

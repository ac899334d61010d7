import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';

type Resolve = (name: string) => Schema | undefined;

const MAX_ROUNDS = 60;

/**
 * The depth of the shallowest value of a schema: 0 for a scalar, 1 for an object of scalars, Infinity if every value
 * would contain itself. Decides how to leave a recursion.
 */
export class MinDepths {
  readonly #resolve: Resolve;
  readonly #byName = new Map<string, number>();
  readonly #bySchema = new WeakMap<SchemaObject, number>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  of(schema: Schema): number {
    if (typeof schema === 'boolean') return schema ? 0 : Infinity;
    const known = this.#bySchema.get(schema);
    if (known !== undefined) return known;
    this.#settleNames(schema);
    const depth = this.#measure(schema);
    this.#bySchema.set(schema, depth);
    return depth;
  }

  /** Depths only ever decrease from Infinity, so the rounds over all names end when nothing changes. */
  #settleNames(schema: Schema): void {
    const open = requiredRefs(schema).filter((name) => !this.#byName.has(name));
    const found: string[] = [];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (this.#byName.has(name)) continue;
      this.#byName.set(name, Infinity);
      found.push(name);
      open.push(...requiredRefs(this.#resolve(name) ?? true));
    }
    found.reverse();
    for (let round = 0, hasChanged = found.length > 0; hasChanged && round < MAX_ROUNDS; round += 1) {
      hasChanged = false;
      for (const name of found) {
        const height = this.#measure(this.#resolve(name) ?? true);
        if (height !== this.#byName.get(name)) hasChanged = true;
        this.#byName.set(name, height);
      }
    }
  }

  #measure(schema: Schema): number {
    if (typeof schema === 'boolean') return schema ? 0 : Infinity;
    if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return 0;
    let height = this.#measureOwn(schema);
    if (schema.$ref !== undefined) height = Math.max(height, this.#byName.get(refName(schema.$ref)) ?? 0);
    for (const part of schema.allOf ?? []) height = Math.max(height, this.#measure(part));
    for (const branches of [schema.anyOf, schema.oneOf]) {
      if (branches !== undefined && branches.length > 0)
        height = Math.max(height, Math.min(...branches.map((branch) => this.#measure(branch))));
    }
    return height;
  }

  #measureOwn(schema: SchemaObject): number {
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (types === undefined ? !isObjectLike(schema) : types.some((type) => type !== 'object' && type !== 'array'))
      return 0;
    const minDepths: number[] = [];
    if (types === undefined || types.includes('object')) minDepths.push(this.#measureObject(schema));
    if (types?.includes('array') === true) minDepths.push(this.#measureArray(schema));
    return Math.min(...minDepths);
  }

  #measureObject({ required = [], properties = {} }: SchemaObject): number {
    return (
      1 +
      Math.max(
        0,
        ...required.map((name) => this.#measure(Object.hasOwn(properties, name) ? (properties[name] ?? true) : true)),
      )
    );
  }

  #measureArray({ minItems = 0, items = true, prefixItems = [] }: SchemaObject): number {
    if (minItems === 0) return 1;
    const required = [...prefixItems.slice(0, minItems), ...(minItems > prefixItems.length ? [items] : [])];
    return 1 + Math.max(...required.map((item) => this.#measure(item)));
  }
}

function isObjectLike({ required, properties }: SchemaObject): boolean {
  return required !== undefined && properties !== undefined;
}

/** The names that the depth of a schema may depend on. */
function requiredRefs(schema: Schema): string[] {
  const names: string[] = [];
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next.$ref !== undefined) names.push(refName(next.$ref));
    open.push(...(next.allOf ?? []), ...(next.anyOf ?? []), ...(next.oneOf ?? []), ...(next.prefixItems ?? []));
    if (next.items !== undefined && (next.minItems ?? 0) > 0) open.push(next.items);
    for (const name of next.required ?? []) {
      const property =
        next.properties !== undefined && Object.hasOwn(next.properties, name) ? next.properties[name] : undefined;
      if (property !== undefined) open.push(property);
    }
  }
  return names;
}

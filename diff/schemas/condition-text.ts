import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../../model/schema-keywords.js';
import type { Schema } from '../../model/schema-types.js';
import { isAnnotation } from './schema-location.js';
import type { FollowRef } from './annotations.js';
import { stableText } from './canonical-json.js';

/** How many references one condition may follow: it is compared as a text, and must stay one of a sensible length. */
const MAX_REFS = 200;

/** Lists whose order says nothing. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum', 'type']);

/** A schema as a text in which neither annotations nor the names of schemas nor an order that says nothing show. */
export function conditionText(condition: Schema, follow: FollowRef): string {
  return stableText(new ConditionWriter(follow).write(condition));
}

class ConditionWriter {
  readonly #follow: FollowRef;
  readonly #open: string[] = [];
  #left = MAX_REFS;

  constructor(follow: FollowRef) {
    this.#follow = follow;
  }

  write(schema: Schema): unknown {
    if (typeof schema === 'boolean') return schema;
    const entries = Object.entries(schema).filter(([key]) => !isAnnotation(key));
    return Object.fromEntries(entries.map(([key, value]) => [key, this.#writeKeyword(key, value)]));
  }

  #writeKeyword(key: string, value: unknown): unknown {
    if (key === '$ref') return this.#writeRef(String(value));
    if (HOLDS_SCHEMA.has(key)) return this.write(value as Schema);
    if (HOLDS_SCHEMA_LIST.has(key)) return (value as readonly Schema[]).map((child) => this.write(child));
    if (SETS.has(key) && Array.isArray(value)) return value.map(stableText).sort();
    if (!HOLDS_SCHEMA_MAP.has(key)) return value;
    const entries = Object.entries(value as Readonly<Record<string, Schema>>);
    return Object.fromEntries(entries.map(([name, child]) => [name, this.write(child)]));
  }

  /** A schema that contains itself is named by how far up it stands. */
  #writeRef(ref: string): unknown {
    const height = this.#open.lastIndexOf(ref);
    if (height !== -1) return this.#open.length - height;
    if (this.#left === 0) return ref;
    this.#left -= 1;
    this.#open.push(ref);
    const written = this.write(this.#follow(ref)?.schema ?? true);
    this.#open.pop();
    return written;
  }
}

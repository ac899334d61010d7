import { createHash } from 'node:crypto';

import { refName, refTo } from '../../model/schema-types.js';
import type { AjvSchema } from '../../schema/ajv-schema.js';
import type { PreparedSchema, PreparedUnit } from '../../schema/to-ajv.js';
import { SchemaTexts, mapSchemas } from './schema-texts.js';

/** Below this many characters of JSON a call is hardly shorter than what it would save. */
const MIN_LENGTH = 150;

/** Whether a name is that of a part that several schemas share. */
export function isSharedName(name: string): boolean {
  return name.startsWith('^');
}

/**
 * Finds the parts that stand in several schemas, word by word, and makes each a check of its own: large documents repeat
 * themselves (more than half of GitHub's description does). A part that is a whole named schema becomes a call of its
 * check.
 */
export class UnitSharing {
  /** The shared parts by name: `^` and a hash, which stays the same while the part does. */
  readonly shared: Map<string, PreparedUnit> = new Map();
  readonly #texts = new SchemaTexts();
  readonly #named = new Map<number, string>();
  readonly #counts = new Map<number, number>();

  /** Takes note of what stands in a unit. All units must be noted before the first is rewritten. */
  note(unit: PreparedUnit, name?: string): void {
    if (unit.tracks) return;
    if (name !== undefined) {
      const id = this.#texts.idOf(unit.schema);
      if (!this.#named.has(id)) this.#named.set(id, name);
    }
    this.#count(unit.schema, name !== undefined);
  }

  /** The unit with calls in the place of shared parts. */
  rewrite(unit: PreparedUnit, name?: string): PreparedUnit {
    // Where evaluated members are accounted for, parts must be seen through.
    if (unit.tracks) return unit;
    const rewriter = new Rewriter((schema) => this.#callOf(schema, unit.ownProperties, name));
    const schema = rewriter.rewrite(unit.schema);
    return { ...unit, schema, refs: rewriter.refs };
  }

  #count(schema: AjvSchema, isNamed: boolean): void {
    if (typeof schema === 'boolean') return;
    const id = this.#texts.idOf(schema);
    const count = (this.#counts.get(id) ?? 0) + (isNamed ? 0 : 1);
    this.#counts.set(id, count);
    // What is inside a part that is shared stands in the output once.
    if (count <= 1) mapSchemas(schema, (child) => (this.#count(child, false), child));
  }

  /** The name of the check that a part is replaced by. */
  #callOf(schema: AjvSchema, ownProperties: boolean, within: string | undefined): string | undefined {
    const id = this.#texts.idOf(schema);
    if (this.#texts.lengthOf(id) < MIN_LENGTH) return undefined;
    const named = this.#named.get(id);
    if (named !== undefined) return named === within ? undefined : named;
    if ((this.#counts.get(id) ?? 0) < 2) return undefined;
    const name = `^${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 12)}`;
    if (name === within) return undefined;
    const known = this.shared.get(name);
    if (known === undefined || (ownProperties && !known.ownProperties)) {
      const part: PreparedUnit = {
        schema,
        refs: new Set(),
        tracks: false,
        ownProperties,
        locals: new Map<string, PreparedSchema>(),
      };
      this.shared.set(name, part);
      this.shared.set(name, this.rewrite(part, name));
    }
    return name;
  }
}

class Rewriter {
  readonly refs = new Set<string>();
  readonly #callOf: (schema: AjvSchema) => string | undefined;

  constructor(callOf: (schema: AjvSchema) => string | undefined) {
    this.#callOf = callOf;
  }

  rewrite(schema: AjvSchema): AjvSchema {
    if (typeof schema === 'boolean') return schema;
    const call = this.#callOf(schema);
    const out = call === undefined ? mapSchemas(schema, (child) => this.rewrite(child)) : { $ref: refTo(call) };
    if (typeof out['$ref'] === 'string') this.refs.add(refName(out['$ref']));
    return out;
  }
}

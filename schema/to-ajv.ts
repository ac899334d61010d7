import type { Api } from '../model/api.js';
import type { DiagnosticCode } from '../model/diagnostics/codes.js';
import { appendPointer } from '../model/document/pointer.js';
import { type Schema, type SchemaObject, refName, refTo } from '../model/schema-types.js';
import {
  type AjvDraft,
  type AjvSchema,
  append,
  convertBinary,
  convertDiscriminator,
  flattenAlternatives,
  hasPrototypeNames,
  isBinary,
} from './ajv-schema.js';
import { FORMATS, UNCHECKED_FORMATS } from './formats.js';
import { closesInPlaceCycle } from './in-place-cycles.js';
import { compilePattern } from './patterns.js';
import { rewriteCondition, rewriteContains, rewritePatterns } from './unevaluated.js';
import { namedView } from './variants.js';

/** A schema that is ready to be compiled. */
export interface PreparedSchema {
  readonly schema: AjvSchema;
  /** The names of the views that it calls, and of its {@link PreparedUnit.locals}. */
  readonly refs: ReadonlySet<string>;
  /** Whether ajv must keep account of what was evaluated. */
  readonly tracks: boolean;
  /** Whether a member is named like one of `Object.prototype`, so that mere reading does not tell if it is there. */
  readonly ownProperties: boolean;
}

/** A view, ready to be compiled, and the parts of it that must be functions of their own. */
export interface PreparedUnit extends PreparedSchema {
  /** By names that no schema can have (`~1`): recursive schemas that are seen through. */
  readonly locals: ReadonlyMap<string, PreparedSchema>;
}

export interface PrepareOptions {
  readonly api: Api;
  /** The name of the view, if it has one. */
  readonly name?: string;
  /** Told of what cannot be compiled exactly, with a JSON pointer into the schema. */
  readonly report: (code: DiagnosticCode, pointer: string, message: string) => void;
}

/**
 * Brings a view ({@link requestView}, {@link responseView}) into the form that our ajv compiles: annotations are left
 * out, refs that must be seen through (`unevaluated…`) are taken in, what ajv would get wrong is said in another way,
 * and what it cannot do is reported. What comes out always compiles.
 */
export function prepareSchema(view: Schema, options: PrepareOptions): PreparedUnit {
  const localNames = new Map<SchemaObject, string>();
  const prepare = (schema: Schema, root: boolean): PreparedSchema => {
    const preparer = new Preparer(options, localNames);
    const converted = preparer.convert(schema, { tracked: false, root });
    return { schema: converted, refs: preparer.refs, tracks: preparer.tracks, ownProperties: preparer.ownProperties };
  };
  const main = prepare(view, true);
  const locals = new Map<string, PreparedSchema>();
  // The map grows while it is walked.
  for (const [schema, name] of localNames) locals.set(name, prepare(schema, false));
  return { ...main, locals };
}

interface Position {
  /** An `unevaluated…` keyword looks at this schema. */
  readonly tracked: boolean;
  /** The schema looks at the same value as the root does. */
  readonly root: boolean;
}

const CHILD: Position = { tracked: false, root: false };
const COPIED = [
  'type',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'required',
  'dependentRequired',
] as const;
const CHILD_KEYS = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;

class Preparer {
  readonly refs = new Set<string>();
  tracks = false;
  ownProperties = false;
  readonly #options: PrepareOptions;
  readonly #path: (string | number)[] = [];
  /** Refs that are being taken in. */
  readonly #open = new Set<string>();
  readonly #localNames: Map<SchemaObject, string>;

  constructor(options: PrepareOptions, localNames: Map<SchemaObject, string>) {
    this.#options = options;
    this.#localNames = localNames;
  }

  convert(schema: Schema, position: Position): AjvSchema {
    if (typeof schema === 'boolean') return schema;
    const out: AjvDraft = {};
    const tracked =
      position.tracked || schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
    const here = { ...position, tracked };
    // Inside a schema that is taken in, another one that sees through refs may take in the same again, without end.
    if (tracked && !position.tracked && this.#open.size > 0) return this.#callLocal(schema);
    if (tracked) this.tracks = true;
    for (const key of COPIED) if (schema[key] !== undefined) out[key] = schema[key];
    if (isBinary(schema)) convertBinary(out);
    if (hasPrototypeNames(schema)) this.ownProperties = true;
    this.#convertValues(schema, out);
    this.#convertStrings(schema, out);
    this.#convertMembers(schema, out);
    for (const key of CHILD_KEYS) if (schema[key] !== undefined) out[key] = this.#at(schema[key], CHILD, key);
    if (schema.prefixItems !== undefined) out['prefixItems'] = this.#list(schema.prefixItems, CHILD, 'prefixItems');
    this.#convertInPlace(schema, out, here);
    if (schema.$ref !== undefined) this.#convertRef(schema.$ref, out, here);
    if (tracked) this.#fixTracking(schema, out, position);
    // Also where nothing is tracked: ajv's account is for all of a function, or for nothing.
    rewritePatterns(out);
    return out;
  }

  #convertInPlace(schema: SchemaObject, out: AjvDraft, position: Position): void {
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
      const parts = schema[key];
      // An empty list says nothing, and ajv refuses it.
      if (parts !== undefined && parts.length > 0) append(out, key, this.#list(parts, position, key));
      if (key === 'anyOf' && out[key] !== undefined && schema.discriminator === undefined)
        out[key] = flattenAlternatives(out[key] as AjvSchema[]);
    }
    for (const key of ['if', 'then', 'else'] as const)
      if (schema[key] !== undefined) out[key] = this.#at(schema[key], position, key);
    if (schema.not !== undefined) out['not'] = this.#at(schema.not, { ...position, tracked: false }, 'not');
    if (schema.dependentSchemas !== undefined)
      out['dependentSchemas'] = this.#map(schema.dependentSchemas, position, 'dependentSchemas');
    if (schema.discriminator !== undefined) convertDiscriminator(schema, schema.discriminator, out);
  }

  #convertValues(schema: SchemaObject, out: AjvDraft): void {
    if (Object.hasOwn(schema, 'const')) out['const'] = schema.const;
    if (schema.enum === undefined) return;
    if (schema.enum.length === 0) append(out, 'allOf', [false]);
    else out[schema['x-enum-any-case'] === true ? 'enumAnyCase' : 'enum'] = schema.enum;
  }

  #convertStrings(schema: SchemaObject, out: AjvDraft): void {
    if (schema.pattern !== undefined && this.#checkPattern(schema.pattern, 'pattern')) out['pattern'] = schema.pattern;
    if (schema.format === undefined) return;
    if (FORMATS.has(schema.format)) out['format'] = schema.format;
    else if (!UNCHECKED_FORMATS.has(schema.format))
      this.#report(
        'format-unknown',
        'format',
        `The format ${JSON.stringify(schema.format)} is not known and not checked.`,
      );
  }

  #convertMembers(schema: SchemaObject, out: AjvDraft): void {
    const patterns = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) =>
      this.#checkPattern(pattern, 'patternProperties', pattern),
    );
    const converted = patterns.map(([pattern, child]): [string, AjvSchema] => [
      pattern,
      this.#at(child, CHILD, 'patternProperties', pattern),
    ]);
    if (schema.properties !== undefined) {
      const { ['__proto__']: proto, ...rest } = this.#map(schema.properties, CHILD, 'properties');
      out['properties'] = rest;
      // Ajv leaves a member of this name out; as a pattern it is like any other.
      if (Object.hasOwn(schema.properties, '__proto__')) converted.push(['^__proto__$', proto ?? true]);
    }
    if (converted.length > 0) out['patternProperties'] = Object.fromEntries(converted);
  }

  #convertRef(ref: string, out: AjvDraft, position: Position): void {
    const name = refName(ref);
    const target = namedView(name, this.#options.api);
    if (
      target === undefined ||
      this.#open.has(name) ||
      (position.root && closesInPlaceCycle(name, this.#options.name, this.#options.api))
    ) {
      const reason = target === undefined ? 'leads nowhere' : 'leads back to the same value for ever';
      this.#report(
        'schema-not-compiled',
        '$ref',
        `The reference to ${JSON.stringify(name)} ${reason}; it is not checked.`,
      );
    } else if (position.tracked) {
      this.#open.add(name);
      append(out, 'allOf', [this.#at(target, position, '$ref')]);
      this.#open.delete(name);
    } else {
      this.refs.add(name);
      out['$ref'] = ref;
    }
  }

  #callLocal(schema: SchemaObject): AjvSchema {
    const name = this.#localNames.get(schema) ?? `~${this.#localNames.size + 1}`;
    this.#localNames.set(schema, name);
    this.refs.add(name);
    return { $ref: refTo(name) };
  }

  #fixTracking(schema: SchemaObject, out: AjvDraft, position: Position): void {
    rewriteCondition(out);
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, '__proto__')) {
      this.#report(
        'keyword-inexact',
        'properties',
        'A member named "__proto__" never counts as evaluated here, so "unevaluatedProperties" refuses it.',
      );
    }
    if (schema.contains === undefined) return;
    if (!rewriteContains(out) || position.tracked) {
      this.#report(
        'keyword-inexact',
        'contains',
        'Items that match "contains" all count as evaluated here, so "unevaluatedItems" lets some more pass.',
      );
    }
  }

  #checkPattern(pattern: string, ...keys: readonly string[]): boolean {
    const compiled = compilePattern(pattern);
    if (compiled === undefined)
      this.#report(
        'pattern-invalid',
        keys,
        `The pattern ${JSON.stringify(pattern)} is no regular expression and not checked.`,
      );
    else if (!compiled.unicode)
      this.#report(
        'pattern-not-unicode',
        keys,
        `The pattern ${JSON.stringify(pattern)} is valid only without the u flag.`,
      );
    return compiled !== undefined;
  }

  #at(schema: Schema, position: Position, ...keys: readonly (string | number)[]): AjvSchema {
    this.#path.push(...keys);
    const converted = this.convert(schema, position);
    this.#path.length -= keys.length;
    return converted;
  }

  #list(schemas: readonly Schema[], position: Position, key: string): AjvSchema[] {
    return schemas.map((schema, index) => this.#at(schema, position, key, index));
  }

  #map(schemas: Readonly<Record<string, Schema>>, position: Position, key: string): Record<string, AjvSchema> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#at(schema, position, key, name)]),
    );
  }

  #report(code: DiagnosticCode, keys: string | readonly string[], message: string): void {
    const path = [...this.#path, ...(typeof keys === 'string' ? [keys] : keys)];
    this.#options.report(code, path.reduce<string>(appendPointer, ''), message);
  }
}

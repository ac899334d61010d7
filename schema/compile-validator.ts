import { type ErrorObject, type KeywordCxt, Name, _ } from 'ajv';

import type { Api } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from '../model/diagnostics/diagnostic.js';
import { type Schema, refName } from '../model/schema-types.js';
import { AjvEngine } from './ajv-engine.js';
import { KEYWORD_NAMES, pointerCode, refKeyword } from './ajv-keywords.js';
import { type PreparedSchema, prepareSchema } from './to-ajv.js';
import { type Direction, namedView, schemaView } from './variants.js';

/** What is wrong with a value, and where. The generated validators give the same. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value. */
  readonly pointer: string;
  readonly message: string;
  /** The keyword that failed. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CompileOptions {
  readonly direction: Direction;
  /** Where the schema stands, for what is reported. */
  readonly source?: SourceLocation;
  /** Told of what cannot be checked exactly. Schemas that are referred to are reported where they are compiled first. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** Finds what is wrong with a value; nothing where it is valid. */
export type Validate = (value: unknown) => ValidationError[];

type Find = (value: unknown, pointer: string) => ErrorObject[] | null;

/**
 * A validator of a schema of an API. Nothing is compiled before the first value comes, and each schema that it refers to
 * only when a value reaches it. Validators are kept for each API and schema.
 *
 * @example
 * const validate = compileValidator(api, { $ref: '#/$defs/Case' }, { direction: 'response' });
 * validate({ Name: 7 }); // [{ pointer: '/Name', message: 'must be string', keyword: 'type', params: { type: 'string' } }]
 */
export function compileValidator(api: Api, schema: Schema, options: CompileOptions): Validate {
  const validators = validatorsOf(api);
  return options.report === undefined ? validators.plain(schema, options) : validators.create(schema, options);
}

const caches = new WeakMap<Api, ApiValidators>();

function validatorsOf(api: Api): ApiValidators {
  const known = caches.get(api);
  if (known !== undefined) return known;
  const created = new ApiValidators(api);
  caches.set(api, created);
  return created;
}

/** The validators of one API. */
class ApiValidators {
  readonly #api: Api;
  readonly #named = new Map<string, Find>();
  /** By the schema object, so that one that nobody holds any more is forgotten. */
  readonly #anonymous: Readonly<Record<Direction, WeakMap<object, Find>>> = {
    request: new WeakMap(),
    response: new WeakMap(),
  };
  readonly #plain: Readonly<Record<Direction, WeakMap<object, Validate>>> = {
    request: new WeakMap(),
    response: new WeakMap(),
  };
  /** The functions that the schema being compiled can call beside the named ones. */
  #locals: ReadonlyMap<string, Find> = new Map();
  #report: CompileOptions['report'];
  readonly #engine = new AjvEngine({ source: false, keywords: [refKeyword((cxt, name) => this.#writeRef(cxt, name))] });

  constructor(api: Api) {
    this.#api = api;
  }

  /** One for each schema: some callers ask for it at each call of theirs. */
  plain(schema: Schema, options: CompileOptions): Validate {
    if (typeof schema !== 'object') return this.create(schema, options);
    const cache = this.#plain[options.direction];
    const known = cache.get(schema);
    if (known !== undefined) return known;
    const created = this.create(schema, options);
    cache.set(schema, created);
    return created;
  }

  create(schema: Schema, options: CompileOptions): Validate {
    return (value) => {
      const found = this.find(schema, options)(value, '');
      return found === null ? [] : found.map(toValidationError);
    };
  }

  find(schema: Schema, options: CompileOptions): Find {
    const cache = this.#anonymous[options.direction];
    const known = typeof schema === 'object' ? cache.get(schema) : undefined;
    if (known !== undefined) return known;
    this.#report = options.report;
    const view = schemaView(schema, this.#api, options.direction);
    const find = this.#findReferred(view) ?? this.#compile(view, options);
    if (typeof schema === 'object') cache.set(schema, find);
    return find;
  }

  /** A schema that only refers to a named one needs no validator of its own. */
  #findReferred(view: Schema): Find | undefined {
    if (typeof view === 'boolean' || view.$ref === undefined || Object.keys(view).length > 1) return undefined;
    const name = refName(view.$ref);
    return namedView(name, this.#api) === undefined ? undefined : this.#findNamed(name);
  }

  #findNamed(name: string): Find {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const source = this.#api.schemas.get(name)?.source;
    const find = this.#compile(namedView(name, this.#api) ?? true, {
      name,
      ...(source === undefined ? {} : { source }),
    });
    this.#named.set(name, find);
    return find;
  }

  #compile(view: Schema, { source, name }: Pick<CompileOptions, 'source'> & { readonly name?: string }): Find {
    const unit = prepareSchema(view, {
      api: this.#api,
      ...(name === undefined ? {} : { name }),
      report: (code, pointer, message) => {
        const place = {
          file: source?.file ?? this.#api.files[0]?.path ?? '',
          pointer: (source?.pointer ?? '') + pointer,
        };
        this.#report?.(createDiagnostic(code, place, message));
      },
    });
    const locals = new Map<string, Find>();
    for (const [local, prepared] of unit.locals)
      locals.set(
        local,
        lazily(() => this.#compilePrepared(prepared, locals)),
      );
    return this.#compilePrepared(unit, locals);
  }

  #compilePrepared(prepared: PreparedSchema, locals: ReadonlyMap<string, Find>): Find {
    this.#locals = locals;
    const validate = this.#engine.compile(prepared);
    return (value, pointer) => {
      // Ajv takes the place of the value as a second argument that its types do not show.
      const run = validate as unknown as (data: unknown, place: { instancePath: string }) => boolean;
      return run(value, { instancePath: pointer }) ? null : (validate.errors ?? null);
    };
  }

  #writeRef(cxt: KeywordCxt, name: string): void {
    const { gen, data } = cxt;
    const local = this.#locals.get(name);
    const find = gen.scopeValue(
      'validate',
      local === undefined ? { key: name, ref: lazily(() => this.#findNamed(name)) } : { ref: local },
    );
    const found = gen.const('found', _`${find}(${data}, ${pointerCode(cxt)})`);
    const [all, count] = [new Name('vErrors'), new Name('errors')];
    gen.if(_`${found} !== null`, () => {
      gen.assign(all, _`${all} === null ? ${found} : ${all}.concat(${found})`);
      gen.assign(count, _`${all}.length`);
    });
  }
}

function lazily(make: () => Find): Find {
  let find: Find | undefined;
  return (value, pointer) => {
    find ??= make();
    return find(value, pointer);
  };
}

function toValidationError({ instancePath, message, keyword, params }: ErrorObject): ValidationError {
  return { pointer: instancePath, message: message ?? keyword, keyword: KEYWORD_NAMES[keyword] ?? keyword, params };
}

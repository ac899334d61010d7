import { compileFunction } from 'node:vm';

import { getOrInsert } from '../model/maps.js';
import * as rt from '../runtime/checks.js';
import type { Check, Evaluated, Out, ValidationError } from '../runtime/checks.js';
import * as fmt from '../runtime/formats.js';
import type { Api } from '../model/api.js';
import type { Diagnostic, SourceLocation } from '../model/diagnostics/diagnostic.js';
import { type Schema, refName } from '../model/schema-types.js';
import { printCheck } from './compile/print-check.js';
import { ModuleScope } from './compile/module-scope.js';
import { type SharedParts, checkName, isSharedName, sharedPartsOf } from './compile/shared-parts.js';
import { createLinearPattern } from './linear-pattern.js';
import { findUncheckedIn } from './find-unchecked-schemas.js';
import { type Direction, namedView, schemaView } from './variants.js';

export type { ValidationError } from '../runtime/checks.js';

export interface CompileOptions {
  readonly direction: Direction;
  /** The place of the schema, for diagnostics. */
  readonly source?: SourceLocation;
  /**
   * Receives diagnostics for parts of the schema, and of schemas that it references, that cannot be checked exactly.
   */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** Finds the errors of a value: none if it is valid, at most 100. */
export type Validate = (value: unknown) => ValidationError[];

/**
 * Returns a validator of a schema of an API, which runs the same code that the generator writes to files. Compiles it
 * for the first value, and each referenced schema when a value reaches it. Caches validators by API and schema.
 *
 * @example
 * const validate = compileValidator(api, { $ref: '#/$defs/Case' }, { direction: 'response' });
 * validate({ Name: 7 }); // [{ pointer: '/Name', message: 'must be string', keyword: 'type', params: { type: 'string' } }]
 */
export function compileValidator(api: Api, schema: Schema, options: CompileOptions): Validate {
  const { report } = options;
  // The cache must not keep `report`, nor the mock behind it.
  const validate = validatorsOf(api).validator(schema, options.direction);
  if (report === undefined) return validate;
  let isReported = false;
  return (value) => {
    if (!isReported) for (const diagnostic of findUncheckedIn(api, schema, options)) report(diagnostic);
    isReported = true;
    return validate(value);
  };
}

/** Whether a value is valid. Default direction: request. */
export function isValidValue(value: unknown, schema: Schema, api: Api, direction: Direction = 'request'): boolean {
  return compileValidator(api, schema, { direction })(value).length === 0;
}

/**
 * Makes the validators of an API share functions for repeated parts of its schemas. Analyses all schemas, which pays
 * off if most of them get a validator, as for fixtures.
 */
export function shareParts(api: Api): void {
  validatorsOf(api).shared = sharedPartsOf(api);
}

const caches = new WeakMap<Api, ApiValidators>();

function validatorsOf(api: Api): ApiValidators {
  return getOrInsert(caches, api, () => new ApiValidators(api));
}

class ApiValidators {
  shared: SharedParts | undefined;
  readonly #api: Api;
  /** The first tells whether a value is invalid, the second finds the errors of one that is. */
  readonly #tests: CompiledChecks;
  readonly #finders: CompiledChecks;
  /** Keyed weakly by schema object, so that unused schemas are released. */
  readonly #known: Readonly<Record<Direction, WeakMap<object, Validate>>> = {
    request: new WeakMap(),
    response: new WeakMap(),
  };

  constructor(api: Api) {
    this.#api = api;
    const shared = (): SharedParts | undefined => this.shared;
    this.#tests = new CompiledChecks(api, 'test', shared);
    this.#finders = new CompiledChecks(api, 'process', shared);
  }

  validator(schema: Schema, direction: Direction): Validate {
    const cache = this.#known[direction];
    const known = typeof schema === 'object' ? cache.get(schema) : undefined;
    if (known !== undefined) return known;
    let test: Check | undefined;
    let find: Check | undefined;
    const validate: Validate = (value) => {
      const errors: ValidationError[] = [];
      test ??= this.#tests.of(schemaView(schema, this.#api, direction));
      if (!test(value)) return errors;
      find ??= this.#finders.of(schemaView(schema, this.#api, direction));
      find(value, '', errors);
      return errors;
    };
    if (typeof schema === 'object') cache.set(schema, validate);
    return validate;
  }
}

/** The checks of one kind of the schemas of an API, each compiled when it is needed. */
class CompiledChecks {
  readonly #api: Api;
  readonly #kind: 'test' | 'process';
  readonly #shared: () => SharedParts | undefined;
  readonly #named = new Map<string, Check>();
  /** The checks of schemas without a name, if parts are shared. */
  readonly #byContent = new Map<number, Check>();

  constructor(api: Api, kind: 'test' | 'process', shared: () => SharedParts | undefined) {
    this.#api = api;
    this.#kind = kind;
    this.#shared = shared;
  }

  /** Returns the check of a view. A schema that is only a reference has the check of its target. */
  of(view: Schema): Check {
    const isReference = typeof view === 'object' && view.$ref !== undefined && Object.keys(view).length === 1;
    const name = isReference && view.$ref !== undefined ? refName(view.$ref) : undefined;
    if (name !== undefined && namedView(name, this.#api) !== undefined) return this.#namedCheck(name, false);
    const content = this.#shared()?.contentOf(view);
    if (content === undefined) return this.#compile(view);
    return getOrInsert(this.#byContent, content, () => this.#compile(view));
  }

  #namedCheck(view: string, tracks: boolean): Check {
    const key = tracks ? `${view}_evaluated` : view;
    return getOrInsert(this.#named, key, () => {
      const schema = isSharedName(view) ? this.#shared()?.shared.get(view) : namedView(view, this.#api);
      return this.#compile(schema ?? true, { view, tracks });
    });
  }

  #compile(
    schema: Schema,
    { view, tracks = false }: { readonly view?: string; readonly tracks?: boolean } = {},
  ): Check {
    const scope = new ModuleScope(this.#kind);
    const code = printCheck(schema, {
      api: this.#api,
      scope,
      functionName: 'check',
      // A parenthesis makes V8 compile the function at once. Without it, V8 reads its code twice.
      head: 'return (function check',
      tracks,
      ...(view === undefined || isSharedName(view) ? {} : { view }),
      nameOf: checkName,
      sharedAs: (part) => this.#shared()?.nameOf(part, view),
    });
    const called = [...scope.calls];
    return evaluateCode(`${scope.printConstants()}${code});`, {
      rt,
      fmt,
      linear: createLinearPattern,
      ...Object.fromEntries(
        called.map(([name, call]) => [name, lazily(() => this.#namedCheck(call.view, call.tracks))]),
      ),
    });
  }
}

/** Runs code that this module has printed: every text of a document in it is a literal. */
function evaluateCode(code: string, values: Readonly<Record<string, unknown>>): Check {
  const create = compileFunction(`'use strict';\n${code}`, Object.keys(values));
  return create(...Object.values(values)) as Check;
}

function lazily(make: () => Check): Check {
  let check: Check | undefined;
  return (data: unknown, path?: string, out?: Out, evaluated?: Evaluated) => {
    check ??= make();
    return check(data, path, out, evaluated);
  };
}

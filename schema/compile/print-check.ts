import type { Api } from '../../model/api.js';
import { isAnnotation } from '../../model/schema-keywords.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { closesInPlaceCycle } from '../in-place-cycles.js';
import { namedView } from '../variants.js';
import { type CodeNode, PathCode, guard, printBody, usedVariables } from './code.js';
import { printKeywords } from './keywords.js';
import type { ModuleScope } from './module-scope.js';
import { type Printer, type Spot, failCode } from './print-keyword.js';
import { recursionOf } from './recursion.js';
import { isOtherType, declaredTypes } from './types.js';

export interface PrintOptions {
  readonly api: Api;
  readonly scope: ModuleScope;
  readonly functionName: string;
  /** The name of the view that is printed, if it has one. */
  readonly view?: string;
  /** Whether the function records what it evaluates. */
  readonly tracks?: boolean;
  /** The name of the function that checks a named schema or a shared part. */
  readonly nameOf: (view: string, tracks: boolean) => string;
  /** The name of the view or shared part that is equivalent to a subschema, if there is one. */
  readonly sharedAs?: (schema: SchemaObject) => string | undefined;
  /** The text before the parameters of the function, such as `export function checkCase`. */
  readonly head?: string;
}

/** Prints a function that checks a view, and the functions for its branches before it. */
export function printCheck(view: Schema, options: PrintOptions): string {
  return new FunctionPrinter(options).print(view);
}

/** Prints the functions of one view. */
class FunctionPrinter implements Printer {
  readonly api: Api;
  readonly scope: ModuleScope;
  readonly #options: PrintOptions;
  readonly #locals: string[] = [];
  /** The local functions of a schema: one that records what it evaluates, and one that does not. */
  readonly #localNames = new Map<Schema, string[]>();
  #localCount = 0;
  #variables = 0;

  constructor(options: PrintOptions) {
    this.#options = options;
    this.api = options.api;
    this.scope = options.scope;
  }

  print(view: Schema): string {
    const { functionName, head = `function ${functionName}`, tracks = false } = this.#options;
    const main = this.#printFunction(head, view, tracks);
    return [...this.#locals, main].join('\n');
  }

  /** Returns the name of a new variable. */
  variable(word: string): string {
    this.#variables += 1;
    return `${word}${this.#variables}`;
  }

  /** The code that checks a value. */
  schema(schema: Schema, spot: Spot): CodeNode[] {
    if (typeof schema === 'boolean') return schema ? [] : [guard(failCode(spot, 'failAlways'))];
    const shared = spot.evaluated === undefined && !spot.isRoot ? this.#options.sharedAs?.(schema) : undefined;
    if (shared !== undefined) return [guard(this.#callOf(shared, spot))];
    const looks = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
    if (!looks) return [...printKeywords(schema, spot, this)];
    // Only its own keywords count as evaluated, not those of the surrounding schema.
    const evaluated = this.variable('evaluated');
    const merge = spot.evaluated === undefined ? [] : [`rt.addEvaluated(${spot.evaluated}, ${evaluated});`];
    return [
      `const ${evaluated}${this.scope.isTyped ? ': rt.Evaluated' : ''} = new Set();`,
      ...printKeywords(schema, { ...spot, evaluated }, this),
      ...merge,
    ];
  }

  /** The code that checks a value against a named schema. */
  reference(ref: string, spot: Spot): CodeNode[] {
    const name = this.#target(ref, spot);
    return name === undefined ? [] : [guard(this.#callOf(name, spot))];
  }

  /** Returns the name of a function that checks a schema: an existing one for a named schema, or a new one. */
  functionFor(schema: Schema, spot: Spot): string {
    const tracks = spot.evaluated !== undefined;
    const name = this.#referredView(schema, spot);
    if (name !== undefined) return this.#nameOf(name, tracks);
    const known = this.#localNames.get(schema)?.[tracks ? 1 : 0];
    if (known !== undefined) return known;
    this.#localCount += 1;
    // Schema names contain no underscore.
    const local = `${this.#options.functionName}_${this.#localCount}`;
    const names = this.#localNames.get(schema) ?? [];
    names[tracks ? 1 : 0] = local;
    this.#localNames.set(schema, names);
    this.#locals.push(this.#printFunction(`function ${local}`, schema, tracks, spot.isRoot));
    return local;
  }

  /** Returns the name of the function whose call checks all of a schema; `undefined` if a call is not enough. */
  calledFor(schema: Schema, spot: Spot): string | undefined {
    const name = spot.evaluated === undefined ? this.#referredView(schema, spot) : undefined;
    return name === undefined || recursionOf(this.api).isRecursive(name) ? undefined : this.#nameOf(name, false);
  }

  /** Returns an expression that is true if a value is invalid for a schema. */
  failsCode(schema: Schema, spot: Spot): string {
    if (typeof schema === 'boolean') return String(!schema);
    const types = hasOnly(schema, 'type') ? declaredTypes(schema) : undefined;
    if (types !== undefined) return isOtherType(types, spot.data, this.scope);
    const name = this.#referredView(schema, spot);
    if (name !== undefined) return this.#callOf(name, spot, '');
    return `${this.functionFor(schema, spot)}(${spot.data})`;
  }

  #printFunction(head: string, schema: Schema, tracks: boolean, isRoot = true): string {
    const path = this.scope.addsErrors ? PathCode.root : PathCode.none;
    const spot = { data: 'data', path, isRoot, ...(tracks ? { evaluated: 'evaluated' } : {}) };
    const body = printBody(this.schema(schema, spot));
    return `${head}${printSignature(body, tracks, this.scope.isTyped)} {\n${body}}\n`;
  }

  /** Prints a call of the check of a view, which is true if the function must stop. */
  #callOf(view: string, { data, path, evaluated }: Spot, rest: string = path.rest): string {
    const name = this.#nameOf(view, evaluated !== undefined);
    const recursion = recursionOf(this.api);
    if (!recursion.isRecursive(view))
      return `${name}(${data}${evaluated === undefined ? rest : `${rest || ", '', undefined"}, ${evaluated}`})`;
    if (evaluated !== undefined)
      return `rt.descend((value, at, errors) => ${name}(value, at, errors, ${evaluated}), ${data}${rest})`;
    return `rt.${recursion.branches(view) ? 'descendOnce' : 'descend'}(${name}, ${data}${rest})`;
  }

  #nameOf(view: string, tracks: boolean): string {
    const name = this.#options.nameOf(view, tracks);
    this.scope.calls.set(name, { view, tracks });
    return name;
  }

  /** The view that a schema references, if it has no other keyword; also the shared part that it equals. */
  #referredView(schema: Schema, spot: Spot): string | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (schema.$ref !== undefined && hasOnly(schema, '$ref')) return this.#target(schema.$ref, spot);
    return spot.evaluated === undefined && !spot.isRoot ? this.#options.sharedAs?.(schema) : undefined;
  }

  /** The target view of a reference; `undefined` if following it would never end. */
  #target(ref: string, { isRoot }: Spot): string | undefined {
    const name = refName(ref);
    if (namedView(name, this.api) === undefined) return undefined;
    return isRoot && closesInPlaceCycle(name, this.#options.view, this.api) ? undefined : name;
  }
}

/**
 * Prints the parameters of a function, which are the same for all functions. In files, an underscore marks those that
 * the body does not use.
 */
function printSignature(body: string, tracks: boolean, isTyped: boolean): string {
  if (!isTyped) return `(data, path = '', out${tracks ? ', evaluated = new Set()' : ''})`;
  const used = usedVariables(body, ['data', 'path', 'out', 'evaluated']);
  const mark = (name: string): string => (used.has(name) ? name : `_${name}`);
  const printed = [
    `${mark('data')}: unknown`,
    `${mark('path')} = ''`,
    `${mark('out')}?: rt.Out`,
    ...(tracks ? [`${mark('evaluated')}: rt.Evaluated = new Set()`] : []),
  ];
  return `(${printed.join(', ')}): boolean`;
}

/** Whether a schema restricts values by one keyword only. */
function hasOnly(schema: SchemaObject, keyword: string): boolean {
  return Object.keys(schema).every((key) => key === keyword || isAnnotation(key));
}

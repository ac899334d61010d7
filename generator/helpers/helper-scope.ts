import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { NameAllocator } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { type CodecPrinter, printCodec } from '../client/print-codecs.js';
import { RuntimeImports } from '../client/runtime-imports.js';
import { printValue } from '../fixtures/print-value.js';
import { needsRequest } from '../request-values.js';
import {
  allOperations,
  clientFunctionNames,
  clientTypeName,
  contextTypeName,
  nameOperationTypes,
  type OperationTypeNames,
  schemaTypeNames,
} from '../type-names.js';
import type { Pagination } from './pagination.js';
import { printType } from '../types/print-type.js';
import type { TypeDirection } from '../types/type-scope.js';
import { convertsValues } from '../types/value-types.js';
import { type CheckedExtensions, reportExtension } from './check-extensions.js';

/** A function of `helpers.ts`. */
export interface HelperFunction {
  readonly name: string;
  readonly doc: string;
  /** Its line in the README of the output; none if another function has it. */
  readonly usage?: string;
  readonly typeParameters?: readonly string[];
  readonly parameters: readonly HelperParameter[];
  readonly returnType: string;
  /** The expression that it returns. */
  readonly code: string;
}

export interface HelperParameter {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
}

/** The options of the generator that helpers depend on. */
export interface HelperOptions {
  readonly apiName: string;
  /** The types of dates, 64-bit integers and ids. */
  readonly types?: ValueTypes | undefined;
  readonly emitters?: ReadonlySet<string>;
}

/** Names of parameters in the emitted functions, which imports must not use. */
const PARAMETERS = ['context', 'request', 'options', 'change', 'setup', 'data', 'value', 'now', 'name', 'operations'];

/** What all helpers of an API share: names, imports, and the problems of extensions that do not fit the API. */
export class HelperScope {
  readonly api: Api;
  readonly options: HelperOptions;
  readonly checked: CheckedExtensions;
  readonly imports: RuntimeImports;
  /** Names of functions, unique beside those of operations and of the client. */
  readonly names: NameAllocator;
  readonly problems: Diagnostic[] = [];
  /** The emitted file's namespace of all types of the API: `Types`, if no schema has that name. */
  readonly namespace: string;
  /** The emitted file's namespace of all codecs. */
  readonly codecNamespace: string;
  /** Types of named schemas that the emitted file uses. */
  readonly schemaTypes: Set<string> = new Set();
  /** The name of the API in type names. */
  readonly clientName: string;
  readonly contextParameter: HelperParameter;
  readonly #types: ReadonlyMap<Operation, OperationTypeNames>;

  constructor(api: Api, options: HelperOptions, checked: CheckedExtensions) {
    const { apiName } = options;
    this.api = api;
    this.options = options;
    this.checked = checked;
    this.clientName = clientTypeName(apiName);
    this.contextParameter = { name: 'context', type: contextTypeName(apiName) };
    this.#types = nameOperationTypes(api, apiName);
    this.names = new NameAllocator({
      taken: [...api.operations.map(({ name }) => name), ...clientFunctionNames(apiName)],
    });
    const schemas = schemaTypeNames(api);
    const namespaces = new NameAllocator({ taken: schemas });
    this.namespace = namespaces.take('Types');
    this.codecNamespace = namespaces.take('Codecs');
    const operations = allOperations(api).map(({ name }) => name);
    this.imports = new RuntimeImports([
      ...[...PARAMETERS, ...schemas, ...operations],
      ...[this.namespace, this.codecNamespace],
    ]);
  }

  /** Imports a name from the runtime and returns its local name. */
  use(name: string): string {
    return this.imports.use(name);
  }

  /** The value of an operation's extension, if it is valid. */
  extension({ extensions, source }: Operation, name: `x-${string}`): unknown {
    const value = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
    return this.checked.isGood(source.file, appendPointer(source.pointer, name)) ? value : undefined;
  }

  /** Reports an extension that does not fit the API. */
  report(extension: string, place: SourceLocation, { member, message }: HelperRefusal): void {
    this.problems.push(reportExtension(this.api, extension, { source: place, member, problem: message }));
  }

  /** Finds the operation that an extension names. */
  find(id: string, member: string): Operation {
    const found = this.api.operations.find((operation) => operation.id === id);
    return need(found, `the API has no operation ${JSON.stringify(id)}.`, member);
  }

  /** The parameter of a helper with the values of a call. */
  requestParameter(operation: Operation): HelperParameter {
    return { name: 'request', type: this.requestType(operation), isOptional: !needsRequest(operation) };
  }

  requestType(operation: Operation): string {
    return `${this.namespace}.${this.#typesOf(operation).request}`;
  }

  responseType(operation: Operation): string {
    return `${this.namespace}.${this.#typesOf(operation).response}`;
  }

  #typesOf(operation: Operation): OperationTypeNames {
    const types = this.#types.get(operation);
    if (types === undefined) throw new Error(`The operation ${operation.id} has no type names.`);
    return types;
  }

  /** Prints a function that calls an operation with a typed request and the options of the helper. */
  callOf(operation: Operation): string {
    return `(request: ${this.requestType(operation)}) => operations.${operation.name}(context, request, options)`;
  }

  /** Prints the call of a runtime function that repeats an operation by a plan. */
  printRepeated(runtime: string, { name }: Operation, plan: object, more: readonly string[] = []): string {
    const call = `(request, options) => operations.${name}(context, request, options)`;
    return `${this.use(runtime)}(${call}, ${addMembers(printValue(plan, ''), more)}, { request, options })`;
  }

  /** Prints the codecs of schemas; `undefined` if no value is converted. */
  get codecs(): CodecPrinter | undefined {
    const { api, options } = this;
    const { types } = options;
    return convertsValues(types)
      ? { api, types, use: (name) => this.use(name), named: (name) => `${this.codecNamespace}.${name}` }
      : undefined;
  }

  /** The codec of a schema, if its values are converted. */
  codecOf(schema: Schema): string | undefined {
    return this.codecs === undefined ? undefined : printCodec(schema, this.codecs);
  }

  /** The functions that read and write JSON with converted values, as members of a plan. */
  jsonFunctions({ read, write }: { readonly read?: Schema; readonly write?: Schema }): string[] {
    const isExact = this.codecs !== undefined && this.codecs.types.int64 !== 'number';
    const print = (member: string, schema: Schema | undefined, typed: string, exact: string): string[] => {
      const codec = schema === undefined ? undefined : this.codecOf(schema);
      return codec === undefined
        ? []
        : [`${member}: ${this.use(typed)}(${codec}${isExact ? `, ${this.use(exact)}` : ''})`];
    };
    return [
      ...print('parse', read, 'parseTyped', 'parseExactJson'),
      ...print('stringify', write, 'stringifyTyped', 'stringifyExactJson'),
    ];
  }

  /** Prints a schema as a type, whose names the emitted file imports. */
  typeOf(schema: Schema, direction: TypeDirection): string {
    return printType(schema, {
      ...{ api: this.api, direction, indent: '', types: this.options.types },
      used: this.schemaTypes,
    });
  }
}

/** A helper that an extension of an operation declares: a row of the table in `read-helpers.ts`. */
export interface OperationHelper<Value> {
  readonly extension: `x-${string}`;
  /** Whether operations can have the helper without the extension. */
  readonly isImplied?: boolean;
  /** The type of its last parameter, in the runtime. */
  readonly options: string;
  /** What it throws, for its comment. */
  readonly doc: string;
  /**
   * Plans the helper of an operation. `undefined`: it has none.
   *
   * @throws HelperRefusal if the extension does not fit the API.
   */
  readonly plan: (operation: Operation, value: Value, scope: HelperScope) => PlannedHelper | undefined;
}

export interface PlannedHelper {
  readonly name: string;
  /** How a list is read page by page. */
  readonly pages?: Pagination;
  /** What it does, in lower case, for its comment and the README. */
  readonly summary: string;
  /** The parameters between the context and the options. Default: the request of the operation. */
  readonly parameters?: readonly HelperParameter[];
  readonly returnType: string;
  readonly code: string;
}

/** Why the helper of an extension is left out. */
export class HelperRefusal extends Error {
  /** JSON pointer into the extension, to the member that is wrong. */
  readonly member: string;

  constructor(problem: string, member: string) {
    super(problem);
    this.member = member;
  }
}

/** Refuses the extension unless a condition holds. `problem` is the rest of a sentence about the extension. */
export function ensure(condition: boolean, problem: string, member = ''): asserts condition {
  if (!condition) throw new HelperRefusal(problem, member);
}

/** Returns a value that the helper needs, or refuses the extension. */
export function need<T>(value: T | undefined, problem: string, member = ''): T {
  ensure(value !== undefined, problem, member);
  return value;
}

/** JSON pointer to a member of an extension; to the extension if it leaves the member to its default. */
export function memberOf(value: object, key: string): string {
  return Object.hasOwn(value, key) ? appendPointer('', key) : '';
}

/** Adds members to the code of an object literal. */
export function addMembers(literal: string, members: readonly string[]): string {
  return members.length === 0 ? literal : `{ ...${literal}, ${members.join(', ')} }`;
}

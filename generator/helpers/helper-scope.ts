import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { childSchemas } from '../../model/schema-survey.js';
import { NameAllocator } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { type CodecPrinter, printCodec } from '../client/print-codecs.js';
import { RuntimeImports } from '../client/runtime-imports.js';
import {
  allOperations,
  clientTypeName,
  nameOperationTypes,
  type OperationTypeNames,
  schemaTypeNames,
} from '../type-names.js';
import { needsRequest } from '../request-values.js';
import { convertsValues } from '../types/value-types.js';
import { printType } from '../types/print-type.js';
import { type Direction, typeNameOf } from '../types/type-scope.js';
import { type CheckedExtensions, reportExtension } from './check-extensions.js';
import { HELPER_MODULES } from './helper-modules.js';

/** Names of parameters in the emitted functions, which imports must not use. */
const PARAMETERS = ['context', 'request', 'options', 'change', 'setup', 'data', 'value', 'now', 'name', 'operations'];

/** State that the readers of helpers share: the imports, and the problems of extensions that do not fit their API. */
export class HelperScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  readonly problems: Diagnostic[] = [];
  /** The emitted file's namespace of all types of the API: `Types`, if no schema has that name. */
  readonly namespace: string;
  /** The emitted file's namespace of all codecs. */
  readonly codecNamespace: string;
  /** Types of named schemas that the emitted file uses. */
  readonly schemaTypes: Set<string> = new Set();
  /** The name of the API in type names. */
  readonly clientName: string;
  readonly #types: ReadonlyMap<Operation, OperationTypeNames>;
  readonly checked: CheckedExtensions;
  /** The types of dates, 64-bit integers and ids. */
  readonly #valueTypes: ValueTypes | undefined;

  constructor(
    api: Api,
    { apiName, types }: { readonly apiName: string; readonly types?: ValueTypes | undefined },
    checked: CheckedExtensions,
  ) {
    this.api = api;
    this.clientName = clientTypeName(apiName);
    this.#types = nameOperationTypes(api, apiName);
    this.checked = checked;
    this.#valueTypes = types;
    const schemas = schemaTypeNames(api);
    const namespaces = new NameAllocator({ taken: schemas });
    this.namespace = namespaces.take('Types');
    this.codecNamespace = namespaces.take('Codecs');
    const operations = allOperations(api).map(({ name }) => name);
    this.imports = new RuntimeImports(
      [...PARAMETERS, ...schemas, ...operations, this.namespace, this.codecNamespace],
      HELPER_MODULES,
    );
  }

  /** The value of an operation's extension, if it is valid. */
  extension({ extensions, source }: Operation, name: `x-${string}`): unknown {
    const value = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
    if (value === undefined || !this.checked.isGood(source.file, appendPointer(source.pointer, name))) return undefined;
    return value;
  }

  /** Whether the extension at a place is valid. */
  isGood({ file, pointer }: SourceLocation): boolean {
    return this.checked.isGood(file, pointer);
  }

  /** The parameter of a helper with the values of a call. */
  requestParameter(operation: Operation): HelperParameter {
    const type = `${this.namespace}.${this.typesOf(operation).request}`;
    return { name: 'request', type, isOptional: !needsRequest(operation) };
  }

  typesOf(operation: Operation): OperationTypeNames {
    const types = this.#types.get(operation);
    if (types === undefined) throw new Error(`The operation ${operation.id} has no type names.`);
    return types;
  }

  /**
   * Reports a problem and returns `undefined`, so that the helper is omitted.
   *
   * @param member - JSON pointer into the extension, to the member that is wrong.
   */
  refuse({ source }: Operation, extension: string, problem: string, member = ''): undefined {
    const place = { file: source.file, pointer: appendPointer(source.pointer, extension) };
    this.problems.push(reportExtension(this.api, extension, { source: place, member, problem }));
    return undefined;
  }

  /** Finds the operation with an id that an extension names. */
  find(id: string): Operation | undefined {
    return this.api.operations.find((operation) => operation.id === id);
  }

  /** Prints the codecs of schemas; `undefined` if no value is converted. */
  get codecs(): CodecPrinter | undefined {
    const { api, imports } = this;
    const types = this.#valueTypes;
    return convertsValues(types)
      ? { api, types, use: (name) => imports.use(name), named: (name) => `${this.codecNamespace}.${name}` }
      : undefined;
  }

  /** The codec of a schema, if its values are converted. */
  codecOf(schema: Schema): string | undefined {
    return this.codecs === undefined ? undefined : printCodec(schema, this.codecs);
  }

  /** The functions that read and write JSON with converted values, as members of a plan. */
  jsonFunctions({ read, write }: { readonly read?: Schema; readonly write?: Schema }): string[] {
    const isExact = this.codecs !== undefined && this.codecs.types.int64 !== 'number';
    const print = (name: string, codec: string | undefined, exact: string): string[] => {
      if (codec === undefined) return [];
      return [`${this.imports.use(name)}(${codec}${isExact ? `, ${this.imports.use(exact)}` : ''})`];
    };
    const [reader] = read === undefined ? [] : print('parseTyped', this.codecOf(read), 'parseExactJson');
    const [writer] = write === undefined ? [] : print('stringifyTyped', this.codecOf(write), 'stringifyExactJson');
    return [
      ...(reader === undefined ? [] : [`parse: ${reader}`]),
      ...(writer === undefined ? [] : [`stringify: ${writer}`]),
    ];
  }

  /** Prints a schema as a type, whose names the emitted file imports. */
  typeOf(schema: Schema, direction: Direction): string {
    const open: Schema[] = [schema];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next === 'boolean') continue;
      if (next.$ref !== undefined)
        this.schemaTypes.add(typeNameOf(next.$ref, { api: this.api, direction, indent: '' }));
      open.push(...childSchemas(next));
    }
    const types = this.#valueTypes;
    return printType(schema, { api: this.api, direction, indent: '', types, used: this.schemaTypes });
  }
}

/** JSON pointer to a member of an extension; to the extension if it leaves the member to its default. */
export function memberOf(value: object, key: string): string {
  return Object.hasOwn(value, key) ? appendPointer('', key) : '';
}

/** Prints a function that calls an operation. */
export function printCall({ name }: Operation): string {
  return `(request, options) => operations.${name}(context, request, options)`;
}

/** Adds members to the code of an object literal. */
export function addMembers(literal: string, members: readonly string[]): string {
  return members.length === 0 ? literal : `{ ...${literal}, ${members.join(', ')} }`;
}

/** A function of the client that makes more than one call. */
export interface HelperFunction {
  /** Unique among the functions of the output. */
  readonly name: string;
  /** One line for the README and its comment. */
  readonly summary: string;
  /** The rest of its comment: what it throws, an example. */
  readonly doc: string;
  /** Parameters after the context. */
  readonly parameters: readonly HelperParameter[];
  readonly returnType: string;
  /** The expression that it returns. */
  readonly code: string;
}

interface HelperParameter {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
}

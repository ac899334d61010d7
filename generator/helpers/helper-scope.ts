import type { Api, Operation } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { childSchemas } from '../../model/normalise/input-names.js';
import { NameAllocator } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { RuntimeImports } from '../client/runtime-imports.js';
import { allOperations, clientTypeName, nameOperationTypes, type OperationTypeNames } from '../type-names.js';
import { printType } from '../types/print-type.js';
import { type Direction, typeNameOf } from '../types/type-scope.js';
import type { CheckedExtensions } from './check-extensions.js';
import { HELPER_MODULES } from './helper-modules.js';

/** Names of parameters in the emitted functions: nothing that is imported may have them. */
const PARAMETERS = ['context', 'request', 'options', 'change', 'setup', 'data', 'value', 'now', 'name', 'operations'];

/** What the readers of helpers share: they collect imports, and problems of extensions that do not fit their API. */
export class HelperScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  readonly problems: Diagnostic[] = [];
  /** The emitted file's name for all types of the API: `Types`, if no schema has that name. */
  readonly namespace: string;
  /** Types of named schemas that the emitted file uses. */
  readonly schemaTypes: Set<string> = new Set();
  /** The name of the API in type names. */
  readonly clientName: string;
  readonly #types: ReadonlyMap<Operation, OperationTypeNames>;
  readonly #checked: CheckedExtensions;

  constructor(api: Api, apiName: string, checked: CheckedExtensions) {
    this.api = api;
    this.clientName = clientTypeName(apiName);
    this.#types = nameOperationTypes(api, apiName);
    this.#checked = checked;
    const schemas = [...api.schemas.values()].flatMap(({ name, inputName }) => [name, inputName ?? name]);
    this.namespace = new NameAllocator({ taken: schemas }).take('Types');
    const operations = allOperations(api).map(({ name }) => name);
    this.imports = new RuntimeImports([...PARAMETERS, ...schemas, ...operations, this.namespace], HELPER_MODULES);
  }

  /** The value of an operation's extension, where it is good. */
  extension({ extensions, source }: Operation, name: `x-${string}`): unknown {
    const value = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
    if (value === undefined || !this.#checked.isGood(source.file, appendPointer(source.pointer, name)))
      return undefined;
    return value;
  }

  /** Whether the extension at a place is as described. */
  isGood({ file, pointer }: SourceLocation): boolean {
    return this.#checked.isGood(file, pointer);
  }

  typesOf(operation: Operation): OperationTypeNames {
    const types = this.#types.get(operation);
    if (types === undefined) throw new Error(`The operation ${operation.id} has no type names.`);
    return types;
  }

  /** Says what does not fit, and gives `undefined`: the helper is left out. */
  refuse(operation: Operation, extension: string, problem: string): undefined {
    const source = { file: operation.source.file, pointer: appendPointer(operation.source.pointer, extension) };
    this.problems.push(
      createDiagnostic('extension-invalid', source, `The extension ${extension} is left out: ${problem}`),
    );
    return undefined;
  }

  /** The operation of an id that an extension names. */
  find(id: string): Operation | undefined {
    return this.api.operations.find((operation) => operation.id === id);
  }

  /** A schema as a type, whose names the emitted file imports. */
  typeOf(schema: Schema, direction: Direction): string {
    const open: Schema[] = [schema];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next === 'boolean') continue;
      if (next.$ref !== undefined)
        this.schemaTypes.add(typeNameOf(next.$ref, { api: this.api, direction, indent: '' }));
      open.push(...childSchemas(next));
    }
    return printType(schema, { api: this.api, direction, indent: '' });
  }
}

/** A function of the client that is more than one call. */
export interface HelperFunction {
  /** Unique among the functions of the output. */
  readonly name: string;
  /** What it does, in a line for the README and its comment. */
  readonly summary: string;
  /** More for its comment: what it throws, an example. */
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

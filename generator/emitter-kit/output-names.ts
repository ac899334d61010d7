import type { SourceFile } from 'ts-morph';

import { getOrInsert } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import { NameAllocator, lowerFirst, toValueName, upperFirst } from '../../model/identifiers.js';
import { nameFixtures } from '../fixtures/fixture-names.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { schemaPart, splitOperations } from '../split-output.js';
import { allOperations, clientTypeName, contextTypeName, nameOperationTypes, schemaTypeNames } from '../type-names.js';
import { bareSchemas } from '../types/emit-types.js';
import { nameValidators } from '../validators/name-validators.js';
import type { EmitOptions } from '../emitter.js';
import type { OperationNames, OutputName, OutputNames, OwnNames, SchemaNames } from './contract.js';
import { originalOf } from './emitter-api.js';
import { addImport } from './source-files.js';

/** The names of an output, with the files that export them after splitting. */
export interface NameTable {
  readonly schema: (name: string) => Omit<SchemaNames, keyof OwnNames>;
  readonly operation: (operation: Operation) => Omit<OperationNames, keyof OwnNames>;
  /** All names that `index.ts` exports. */
  readonly exported: ReadonlySet<string>;
}

/** Collects the names of an output once; all emitters of a run share them. */
export function readNames(api: Api, options: EmitOptions, helpers: Helpers): NameTable {
  const { apiName, types } = options;
  const validators = nameValidators(api, apiName);
  const fixtures = nameFixtures(api, types);
  const typeNames = nameOperationTypes(api, apiName);
  const fileOf = operationFiles(api);
  const bare = bareSchemas(api);
  const at = (name: string, file: string): OutputName => ({ name, module: `./${file}.js` });
  const schemaFile = (name: string): string => {
    const part = bare.has(name) ? undefined : schemaPart(api, name);
    return part === undefined ? 'types' : `types/schemas-${part}`;
  };
  const helperOf = (operation: Operation, extension: string): OutputName | undefined => {
    const found = helpers.methods.find((one) => one.operation === operation && one.extension === extension);
    return found === undefined ? undefined : at(found.name, 'helpers');
  };
  const exported = new Set([
    ...schemaTypeNames(api),
    ...[...typeNames.values()].flatMap(({ request, response, failure }) => [request, response, failure]),
    ...api.operations.map(({ name }) => name),
    ...[...validators.schemas.values()].flatMap(({ is, assert, validate }) => [is, assert, validate]),
    ...[...validators.operations.values()].flatMap(({ request, response }) => [request, response]),
    ...[...fixtures.byType.values(), ...fixtures.byBody.values()].flatMap(({ fixture, json }) => [fixture, json]),
    ...fixtures.examples.values(),
    ...helpers.functions.map(({ name }) => name),
  ]);
  return {
    exported,
    schema(name) {
      const named = api.schemas.get(name);
      if (named === undefined) throw new Error(`names.schema: the API has no schema ${JSON.stringify(name)}.`);
      const own = validators.schemas.get(name) ?? { is: '', assert: '', validate: '' };
      return {
        type: at(name, schemaFile(name)),
        inputType: at(named.inputName ?? name, schemaFile(name)),
        is: at(own.is, 'validators'),
        assert: at(own.assert, 'validators'),
        validate: at(own.validate, 'validators'),
        fixture: at(fixtures.byType.get(name)?.fixture ?? '', 'fixtures'),
      };
    },
    operation(given) {
      const operation = originalOf(given);
      const own = typeNames.get(operation);
      if (own === undefined) throw new Error(`names.operation: ${operation.id} is no operation of the API.`);
      const part = fileOf.get(operation);
      const typesFile = part === undefined ? 'types' : `types/operations-${part}`;
      const [items, events] = [helperOf(operation, 'x-pagination'), helperOf(operation, 'x-streaming')];
      return {
        hasFunction: fileOf.has(operation) && !helpers.replaced.has(operation.name),
        fn: at(operation.name, part === undefined ? 'operations' : `operations/${part}`),
        request: at(own.request, typesFile),
        response: at(own.response, typesFile),
        failure: at(own.failure, typesFile),
        validateRequest: at(validators.operations.get(operation)?.request ?? '', 'validators'),
        validateResponse: at(validators.operations.get(operation)?.response ?? '', 'validators'),
        ...(items === undefined ? {} : { items }),
        ...(events === undefined ? {} : { events }),
      };
    },
  };
}

/** The part of a split output that each operation is in. */
function operationFiles(api: Api): ReadonlyMap<Operation, string | undefined> {
  const parts = splitOperations(api, allOperations(api));
  return new Map(parts.flatMap(({ name, operations }) => operations.map((operation) => [operation, name] as const)));
}

/** The names of one emitter: those of the output, and its own, each given once. */
export function emitterNames(table: NameTable, apiName: string): OutputNames {
  const taken = new NameAllocator();
  const own = new Map<string, string>();
  const take = (key: string, name: string): string => getOrInsert(own, key, () => taken.take(name));
  const ownNames = (key: string, base: string): OwnNames => ({
    constant: (suffix = '') =>
      take(`${key} ${suffix}`, suffix === '' ? toValueName(base) : `${withoutEnd(lowerFirst(base))}${suffix}`),
    prefixed: (prefix, suffix = '') =>
      take(`${key} ${prefix} ${suffix}`, `${prefix}${upperFirst(withoutEnd(base))}${suffix}`),
  });
  return {
    schema: (name) => ({ ...table.schema(name), ...ownNames(`schema ${name}`, name) }),
    operation: (operation) => ({
      ...table.operation(operation),
      ...ownNames(`operation ${operation.name} ${operation.id}`, operation.name),
    }),
    context: { name: contextTypeName(apiName), module: './types.js' },
    api: clientTypeName(apiName),
    unique: (name) => taken.take(name),
    import: (file: SourceFile, name, { type = false } = {}) => addImport(file, name, type),
  };
}

/** `delete_` needs its underscore only if it is the whole name. */
function withoutEnd(name: string): string {
  return name.endsWith('_') ? name.slice(0, -1) : name;
}

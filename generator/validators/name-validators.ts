import type { Api, Operation } from '../../model/api.js';
import { NameAllocator } from '../../model/identifiers.js';
import { allOperations, clientTypeName, nameOperationTypes, schemaTypeNames } from '../type-names.js';

/** The functions of one type. */
export interface TypeValidators {
  /** The type that they validate. */
  readonly type: string;
  readonly is: string;
  readonly assert: string;
  readonly validate: string;
}

export interface ValidatorNames {
  /** By the name of a schema, or of its `inputName`. */
  readonly schemas: ReadonlyMap<string, TypeValidators>;
  readonly operations: ReadonlyMap<
    Operation,
    { readonly requestType: string; readonly request: string; readonly response: string }
  >;
}

/** The names of all exported validators: unique among each other, and beside the functions of the client. */
export function nameValidators(api: Api, apiName: string): ValidatorNames {
  const client = clientTypeName(apiName);
  const operations = allOperations(api);
  const taken = [...operations.map(({ name }) => name), `create${client}Client`, `is${client}Error`];
  const names = new NameAllocator({ taken });
  const schemas = schemaTypeNames(api).map((type): [string, TypeValidators] => {
    const take = (start: string): string => names.take(`${start}${type}`);
    return [type, { type, is: take('is'), assert: take('assert'), validate: take('validate') }];
  });
  const typeNames = nameOperationTypes(api, apiName);
  const named = operations.map((operation) => {
    const { request = '', response = '' } = typeNames.get(operation) ?? {};
    return [
      operation,
      { requestType: request, request: names.take(`validate${request}`), response: names.take(`validate${response}`) },
    ] as const;
  });
  return { schemas: new Map(schemas), operations: new Map(named) };
}

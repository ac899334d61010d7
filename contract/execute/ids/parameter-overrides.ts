import type { Slot } from '../../../resources/resource.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import type { Call } from '../../types.js';

/** Values that the user knows for parameters, by `name` or `operationId.name`. */
export class ParameterOverrides {
  readonly #api: Api;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(api: Api, values: Readonly<Record<string, unknown>>) {
    this.#api = api;
    this.#values = values;
  }

  /** The same call with the values for parameters that it has, or needs. */
  apply(call: Call): Call {
    return this.#put(call, (parameter) => this.#find(call.operation, parameter));
  }

  /** The same with those values only that are meant for this very operation: nothing counts more. */
  applyOwn(call: Call): Call {
    return this.#put(call, (parameter) => this.#named(`${call.operation.id}.${parameter.name}`, parameter));
  }

  has(operation: Operation, slot: Slot): boolean {
    return slot.in === 'parameter' && this.#find(operation, slot.parameter) !== undefined;
  }

  hasOwn(operation: Operation, slot: Slot): boolean {
    return (
      slot.in === 'parameter' && this.#named(`${operation.id}.${slot.parameter.name}`, slot.parameter) !== undefined
    );
  }

  /** Whether any parameter of this name has a value. */
  hasName(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  #find(operation: Operation, parameter: Parameter): unknown {
    return this.#named(`${operation.id}.${parameter.name}`, parameter) ?? this.#named(parameter.name, parameter);
  }

  #named(name: string, { schema }: Parameter): unknown {
    if (!Object.hasOwn(this.#values, name)) return undefined;
    const value = this.#values[name];
    return compileValidator(this.#api, schema, { direction: 'request' })(value).length > 0 ? undefined : value;
  }

  #put(call: Call, valueOf: (parameter: Parameter) => unknown): Call {
    const wanted = call.operation.parameters.filter((one) => one.required || call.parameters.has(one));
    const given = wanted.flatMap((parameter) => {
      const value = valueOf(parameter);
      return value === undefined ? [] : [[parameter, value] as const];
    });
    return given.length === 0 ? call : { ...call, parameters: new Map([...call.parameters, ...given]) };
  }
}

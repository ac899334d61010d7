import type { Slot } from '../../../resources/resource.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { hasAt, setAt, takeAt } from '../../../schema/value-path.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call } from '../../types.js';

/** A member of a body with a value from the user. */
interface BodyValue {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether the user named its operation. Then the value is added even if the body lacks the member. */
  readonly isOwn: boolean;
}

/**
 * Values from the user for parameters, by `name` or `operationId.name`, and for members of bodies, by `body.name` or
 * `operationId.body.name`. A function is called for each request.
 */
export class ParameterOverrides {
  readonly #api: Api;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #bodies = new Map<Operation, readonly BodyValue[]>();
  /** Values from the user for members of bodies. */
  readonly #given = new Set<string>();

  constructor(api: Api, values: Readonly<Record<string, unknown>>) {
    this.#api = api;
    this.#values = values;
  }

  /** Returns the same call with the user's values for the parameters and members that it has or needs. */
  apply(call: Call): Call {
    const { body, operation } = call;
    const filled = this.#put(call, (parameter) => this.#find(operation, parameter));
    if (body === undefined || body.raw !== undefined) return filled;
    const value = this.#bodyValues(operation).reduce<unknown>((made, { path, value: own, isOwn }) => {
      const given = valueOf(own);
      this.#given.add(scalarText(given));
      return isOwn || hasAt(made, path) ? setAt(made, path, given) : made;
    }, body.value);
    return { ...filled, body: { ...body, value } };
  }

  /** Keeps members of a body that were broken on purpose. */
  keepBroken(made: Call, from: Call): Call {
    const { body } = made;
    if (body === undefined || from.body === undefined) return made;
    const value = this.#bodyValues(made.operation).reduce<unknown>((at, { path }) => {
      const old = takeAt(from.body?.value, path);
      return old !== undefined && this.#given.has(scalarText(old)) ? at : setAt(at, path, old);
    }, body.value);
    return { ...made, body: { ...body, value } };
  }

  /** Returns the same call with the values that name its operation; they win over everything else. */
  applyOwn(call: Call): Call {
    return this.#put(call, (parameter) => this.#named(`${call.operation.id}.${parameter.name}`, parameter));
  }

  /** Whether a slot has a value from the user: any, or the given one. */
  has(operation: Operation, slot: Slot, value?: unknown): boolean {
    if (slot.in !== 'parameter') return value !== undefined && this.hasInBody(value);
    const own = this.#find(operation, slot.parameter);
    return own !== undefined && (value === undefined || scalarText(own) === scalarText(value));
  }

  /** Whether a value is one that the user gave for a member of a body. */
  hasInBody(value: unknown): boolean {
    return this.#given.has(scalarText(value));
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

  #bodyValues(operation: Operation): readonly BodyValue[] {
    const known = this.#bodies.get(operation);
    if (known !== undefined) return known;
    const found = Object.entries(this.#values).flatMap(([name, value]): BodyValue[] => {
      const isOwn = name.startsWith(`${operation.id}.body.`);
      const start = isOwn ? `${operation.id}.body.` : 'body.';
      return name.startsWith(start) ? [{ path: name.slice(start.length).split('.'), value, isOwn }] : [];
    });
    const ordered = found.toSorted((one, other) => Number(one.isOwn) - Number(other.isOwn));
    this.#bodies.set(operation, ordered);
    return ordered;
  }

  #find(operation: Operation, parameter: Parameter): unknown {
    return this.#named(`${operation.id}.${parameter.name}`, parameter) ?? this.#named(parameter.name, parameter);
  }

  #named(name: string, { schema }: Parameter): unknown {
    if (!Object.hasOwn(this.#values, name)) return undefined;
    const value = valueOf(this.#values[name]);
    return !isValidValue(value, schema, this.#api) ? undefined : value;
  }

  #put(call: Call, findValue: (parameter: Parameter) => unknown): Call {
    const wanted = call.operation.parameters.filter((one) => one.required || call.parameters.has(one));
    const given = wanted.flatMap((parameter) => {
      const value = findValue(parameter);
      return value === undefined ? [] : [[parameter, value] as const];
    });
    return given.length === 0 ? call : { ...call, parameters: new Map([...call.parameters, ...given]) };
  }
}

function valueOf(given: unknown): unknown {
  return typeof given === 'function' ? (given as () => unknown)() : given;
}

import type { Api, Operation, Parameter } from '../model/api.js';
import { compileValidator } from '../schema/compile-validator.js';
import { type Resource, findResources, idOf, itemsIn } from './resources.js';
import type { Call, Exchange } from './types.js';

/** Ids that a server has shown, so that requests reach items that are there. */
export class IdPool {
  readonly #api: Api;
  readonly resources: readonly Resource[];
  /** By the path template up to and with the parameter. */
  readonly #ids = new Map<string, (string | number)[]>();
  /** By operation and parameter, as links of the spec say. */
  readonly #linked = new Map<string, unknown>();

  /** What the user knows, by `name` or `operationId.name`. */
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(
    api: Api,
    options: { readonly operations: readonly Operation[]; readonly given: Readonly<Record<string, unknown>> },
  ) {
    this.#api = api;
    this.#given = options.given;
    this.resources = findResources(options.operations);
  }

  /** The value for a parameter, where one is known that its schema accepts. */
  find(operation: Operation, parameter: Parameter): unknown {
    const linked = this.#linked.get(`${operation.id} ${parameter.name}`);
    const ids = parameter.in === 'path' ? (this.#ids.get(prefixOf(operation, parameter)) ?? []) : [];
    const validate = compileValidator(this.#api, parameter.schema, { direction: 'request' });
    const [own, given] = [`${operation.id}.${parameter.name}`, parameter.name].map((name) => this.#givenAs(name));
    return [own, ...ids.toReversed(), given, linked].find(
      (value) => value !== undefined && validate(value).length === 0,
    );
  }

  #givenAs(name: string): unknown {
    return Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
  }

  /** The collections of which an operation needs an item while none is known. */
  missing(operation: Operation): readonly Resource[] {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    const prefixes = new Set(inPath.map((one) => prefixOf(operation, one)));
    return this.resources.filter(
      ({ itemPath, create, parameter }) =>
        prefixes.has(itemPath) &&
        this.#givenAs(parameter) === undefined &&
        create !== undefined &&
        create !== operation &&
        (this.#ids.get(itemPath) ?? []).length === 0,
    );
  }

  /** Takes in what an answer tells. */
  learn({ operation, parameters }: Call, { status, json, headers }: Exchange): void {
    if (status < 200 || status > 299) return;
    const resource = this.resources.find((one) => one.create === operation || one.list === operation);
    if (resource?.create === operation) this.add(resource, idOf(json, resource.parameter, headers.get('location')));
    else if (resource?.list === operation && this.#givenAs(resource.parameter) === undefined)
      for (const item of itemsIn(json)?.slice(0, 3) ?? [])
        if (!this.#ids.has(resource.itemPath)) this.add(resource, idOf(item, resource.parameter));
    const removed = this.resources.find(({ remove }) => remove === operation);
    if (removed !== undefined) this.#forget(removed, parameters);
    this.#learnLinks(operation, json);
  }

  add({ itemPath }: Resource, id: string | number | undefined): void {
    if (id === undefined) return;
    this.#ids.set(itemPath, [...(this.#ids.get(itemPath) ?? []).filter((known) => known !== id), id].slice(-20));
  }

  #forget({ itemPath, parameter }: Resource, parameters: Call['parameters']): void {
    const gone = [...parameters].find(([one]) => one.in === 'path' && one.name === parameter)?.[1];
    this.#ids.set(
      itemPath,
      (this.#ids.get(itemPath) ?? []).filter((id) => String(id) !== String(gone)),
    );
  }

  #learnLinks({ responses }: Operation, json: unknown): void {
    for (const link of responses.flatMap(({ links }) => links)) {
      for (const [name, expression] of Object.entries(link.parameters)) {
        const value = typeof expression === 'string' ? readExpression(expression, json) : expression;
        if (value !== undefined)
          this.#linked.set(`${link.operationId} ${name.replace(/^(?:path|query|header|cookie)\./, '')}`, value);
      }
    }
  }
}

function prefixOf({ path }: Operation, { name }: Parameter): string {
  const end = path.indexOf(`{${name}}`);
  return end === -1 ? '' : path.slice(0, end + name.length + 2);
}

/** Of the runtime expressions, that which links use: a place in the answer's body. */
function readExpression(expression: string, json: unknown): unknown {
  const pointer = /^\$response\.body#(\/.*)$/.exec(expression)?.[1];
  if (pointer === undefined) return expression.startsWith('$') ? undefined : expression;
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      json,
    );
}

import type { Api } from '../model/api.js';
import { NameAllocator } from '../model/identifiers.js';
import { getOrInsert } from '../model/maps.js';
import { Reaching } from '../model/reaching.js';
import { surveySchema } from '../model/schema-survey.js';
import type { Schema } from '../model/schema-types.js';
import { inPlaceRefs } from './facts/parts.js';

import { type Direction, ViewBuilder } from './view-builder.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** The names of request variants, in both directions. */
export interface VariantNames {
  /** Request variants by schema, for schemas that a validator must treat differently in a request. */
  readonly request: ReadonlyMap<string, string>;
  /** Schemas by request variant (including an `inputName` that no validator needs). */
  readonly origin: ReadonlyMap<string, string>;
}

/** The request variants of an API, each found when it is asked for. */
class Variants {
  readonly #api: Api;
  readonly #differing: Reaching;
  readonly #marked: Reaching;
  readonly #request = new Map<string, string | undefined>();
  readonly #origin = new Map<string, string>();
  #names: VariantNames | undefined;
  #allocator: NameAllocator | undefined;

  constructor(api: Api) {
    this.#api = api;
    const schemaOf = (name: string): Schema => api.schemas.get(name)?.schema ?? true;
    this.#marked = new Reaching(
      (name) => surveySchema(schemaOf(name)).marked,
      (name) => inPlaceRefs(name, api),
    );
    this.#differing = new Reaching(
      (name) => this.#hasTwoViews(schemaOf(name)),
      (name) => surveySchema(schemaOf(name)).refs,
    );
  }

  /** The names of all variants, in the order of the document. */
  get names(): VariantNames {
    return (this.#names ??= this.#nameAll());
  }

  #nameAll(): VariantNames {
    const { schemas } = this.#api;
    const inputs = [...schemas.values()].flatMap(({ name, inputName }) =>
      inputName === undefined ? [] : [[inputName, name] as const],
    );
    const request = [...schemas.keys()].flatMap((name) => {
      const variant = this.requestNameOf(name);
      return variant === undefined ? [] : [[name, variant] as const];
    });
    return { request: new Map(request), origin: new Map([...inputs, ...this.#origin]) };
  }

  /** The name of the request variant of a schema; `undefined` if it needs none. */
  requestNameOf(name: string): string | undefined {
    return getOrInsert(this.#request, name, () => {
      const named = this.#api.schemas.get(name);
      if (named === undefined || !this.#differing.has(name)) return undefined;
      const variant = named.inputName ?? this.#takeName(`${name}AnyCase`);
      this.#origin.set(variant, name);
      return variant;
    });
  }

  originOf(name: string): string {
    if (this.#api.schemas.has(name)) return name;
    return this.#origin.get(name) ?? this.names.origin.get(name) ?? name;
  }

  #takeName(name: string): string {
    const { schemas } = this.#api;
    this.#allocator ??= new NameAllocator({
      taken: [...schemas.values()].flatMap((one) =>
        one.inputName === undefined ? one.name : [one.name, one.inputName],
      ),
    });
    return this.#allocator.take(name);
  }

  isDirected(schema: Schema): boolean {
    const { folds, marked, refs } = surveySchema(schema);
    return folds || marked || [...refs].some((ref) => this.#marked.has(ref));
  }

  #hasTwoViews(schema: Schema): boolean {
    const text = (direction: Direction): string => viewText(schema, this.#api, direction);
    return this.isDirected(schema) && text('request') !== text('response');
  }
}

const caches = new WeakMap<Api, Variants>();

function variantsOf(api: Api): Variants {
  return getOrInsert(caches, api, () => new Variants(api));
}

/**
 * Names the request variants, by `inputName` if there is one. A schema can have an `inputName` but need no variant (an
 * optional `readOnly` member makes no difference to a validator), or the reverse (an enum in any letter case does not
 * change the type).
 */
export function nameVariants(api: Api): VariantNames {
  return variantsOf(api).names;
}

/** The name of the request variant of a schema, as in {@link nameVariants}; `undefined` if it needs none. */
export function requestNameOf(name: string, api: Api): string | undefined {
  return variantsOf(api).requestNameOf(name);
}

/** The schema of a name, which may be that of its request variant. */
export function originOf(name: string, api: Api): string {
  return variantsOf(api).originOf(name);
}

/** Whether the views of a schema can differ in more than the names that they reference. */
export function isDirected(schema: Schema, api: Api): boolean {
  return variantsOf(api).isDirected(schema);
}

function viewText(schema: Schema, api: Api, direction: Direction): string {
  return stringifyExactJson(new ViewBuilder(api, direction, (name) => name).child(schema));
}

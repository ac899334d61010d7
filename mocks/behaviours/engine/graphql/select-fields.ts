import type { Fragment, Selection, Value } from './graphql-document.js';
import { type Place, RequestError } from './request-error.js';

/** A field of a result, with fragments opened and conditions decided. */
export interface Field {
  readonly name: string;
  /** The name in the result. */
  readonly alias: string;
  readonly args: ReadonlyMap<string, Value>;
  readonly fields: readonly Field[] | undefined;
  readonly place: Place;
  /** The types of the fragments that it came out of. */
  readonly on: readonly { readonly type: string; readonly place: Place }[];
}

interface SelectContext {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Fragments inside fragments multiply: more selections than these are no document that somebody wrote. */
const MOST_SELECTIONS = 10_000;

/** The fields that selections stand for. Fields of one name in the result are put together. @throws RequestError */
export function selectFields(selections: readonly Selection[], context: SelectContext): readonly Field[] {
  return new FieldSelector(context).select(selections, { on: [], inside: [] });
}

interface Surroundings {
  readonly on: Field['on'];
  /** Names of the fragments that are being opened. */
  readonly inside: readonly string[];
}

class FieldSelector {
  readonly #context: SelectContext;
  #count = 0;

  constructor(context: SelectContext) {
    this.#context = context;
  }

  select(selections: readonly Selection[], around: Surroundings): readonly Field[] {
    const fields = new Map<string, Field>();
    for (const field of selections.flatMap((selection) => this.#open(selection, around))) {
      const known = fields.get(field.alias);
      fields.set(field.alias, known === undefined ? field : merge(known, field));
    }
    return [...fields.values()];
  }

  #open(selection: Selection, around: Surroundings): readonly Field[] {
    const { place, conditions } = selection;
    this.#count += 1;
    if (this.#count > MOST_SELECTIONS)
      throw new RequestError('VALIDATION_FAILED', 'The document selects too much.', place);
    if (!conditions.every((holds) => holds(this.#context.variables))) return [];
    if (selection.kind === 'spread') return this.#openFragment(selection.fragment, place, around);
    if (selection.kind === 'inline') return this.#openSelections(selection, place, around);
    const { name, alias, args, selections } = selection;
    const fields = selections === undefined ? undefined : this.select(selections, { ...around, on: [] });
    return [{ name, alias, args, place, fields, on: around.on }];
  }

  #openFragment(name: string, place: Place, { on, inside }: Surroundings): readonly Field[] {
    const fragment = this.#context.fragments.get(name);
    if (fragment === undefined) throw new RequestError('VALIDATION_FAILED', `There is no fragment \`${name}\`.`, place);
    if (inside.includes(name))
      throw new RequestError('VALIDATION_FAILED', `The fragment \`${name}\` contains itself.`, place);
    return this.#openSelections(fragment, place, { on, inside: [...inside, name] });
  }

  #openSelections({ on: type, selections }: Fragment, place: Place, around: Surroundings): readonly Field[] {
    const on = type === undefined ? around.on : [...around.on, { type, place }];
    return this.select(selections, { ...around, on });
  }
}

function merge(one: Field, other: Field): Field {
  if (one.name !== other.name) {
    const message = `The name \`${one.alias}\` stands for both \`${one.name}\` and \`${other.name}\`.`;
    throw new RequestError('VALIDATION_FAILED', message, other.place);
  }
  const on = [...one.on, ...other.on];
  if (one.fields === undefined || other.fields === undefined) return { ...one, on };
  const fields = new Map(one.fields.map((field) => [field.alias, field]));
  for (const field of other.fields) {
    const known = fields.get(field.alias);
    fields.set(field.alias, known === undefined ? field : merge(known, field));
  }
  return { ...one, on, fields: [...fields.values()] };
}

import { InputError } from '../../model/diagnostics/input-error.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import type { DataCollection, DataCollections, PrepareOptions, PreparedCollection } from './data-collection.js';
import { DataProblem, type GivenCollection } from './given-data.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most names that an error lists. */
const MOST_NAMES = 12;

/**
 * Finds the collections of given items, checks and completes the items, and checks references between them.
 *
 * @throws DataProblem for the first thing that is wrong; an InputError with file and line if the data is from a file
 */
export function prepareData(
  given: readonly GivenCollection[],
  collections: DataCollections,
  options: PrepareOptions,
): readonly PreparedCollection[] {
  const prepared: PreparedCollection[] = [];
  for (const one of given) {
    const collection = located(one, () => findCollection(one, collections));
    refuseRepeated(
      one,
      prepared.find((other) => other.collection.name === collection.name),
    );
    prepared.push({ collection, given: one, items: located(one, () => collection.prepare(one, options)) });
  }
  try {
    return collections.link(prepared, options);
  } catch (error) {
    // The problem is in the collection whose pointers lead to it.
    const owner = prepared.find(({ given: one }) => error instanceof DataProblem && owns(one, error.pointer));
    if (owner === undefined) throw error;
    return located(owner.given, () => {
      throw error;
    });
  }
}

function owns({ pointerOf, items }: GivenCollection, pointer: string): boolean {
  return pointer === pointerOf() || items.some((_item, index) => `${pointer}/`.startsWith(`${pointerOf(index)}/`));
}

/** Adds the place in the file to a problem. */
function located<T>({ placeOf }: GivenCollection, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataProblem) || placeOf === undefined) throw error;
    throw new InputError(error.message, placeOf(error.pointer), { cause: error });
  }
}

function findCollection({ name, pointerOf }: GivenCollection, collections: DataCollections): DataCollection {
  try {
    const found = collections.find(name);
    if (found !== undefined) return found;
  } catch (error) {
    if (error instanceof InputError) throw new DataProblem(error.message, pointerOf());
    throw error;
  }
  const names = collections.names();
  const suggestion = suggestName(name, name.startsWith('/') ? names.filter((one) => one.startsWith('/')) : names);
  throw new DataProblem(
    `There is no collection ${stringifyExactJson(name)}.${suggestion || listNames(collections)}`,
    pointerOf(),
  );
}

function listNames(collections: DataCollections): string {
  const names = collections.all().map(({ name }) => name);
  if (names.length === 0) return ' This mock keeps no items that start data could fill.';
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return ` There ${names.length === 1 ? 'is' : 'are'} ${shown}${names.length > MOST_NAMES ? ', and others' : ''}.`;
}

function refuseRepeated(one: GivenCollection, other: PreparedCollection | undefined): void {
  if (other === undefined) return;
  located(one, () => {
    const where = other.given.placeOf?.(other.given.pointerOf()).file;
    throw new DataProblem(
      `The items of ${other.collection.name} are given twice${where === undefined ? '' : `: also in ${where}`}.`,
      one.pointerOf(),
    );
  });
}

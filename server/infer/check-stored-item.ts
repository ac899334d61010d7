import { groupBy } from '../../model/maps.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { schemasAt } from '../../schema/schema-places.js';
import type { PathGroup } from '../../resources/collections.js';
import type { CheckItem } from '../sandbox/check-item.js';
import type { ResourceStore } from './resource-store.js';

/** Creates a check of restored items in inferred collections against the response schema of their resource. */
export function createStoredItemCheck({ finder, api }: Pick<ResourceStore, 'finder' | 'api'>): CheckItem {
  let groups: ReadonlyMap<number, readonly PathGroup[]> | undefined;
  const findGroup = (collection: string): PathGroup | undefined => {
    groups ??= groupBy(finder.groups.groups, ({ collectionPath }) => segmentsOf(collectionPath).length);
    const segments = segmentsOf(collection);
    return groups.get(segments.length)?.find(({ collectionPath }) => fits(segmentsOf(collectionPath), segments));
  };
  return (collection, value) => {
    const group = collection.startsWith('/') ? findGroup(collection) : undefined;
    const core = group === undefined ? undefined : finder.coreOf(group);
    if (core === undefined) return undefined;
    const errors = compileValidator(api, core.schema, { direction: 'response' })(value);
    // Ignores writeOnly members: the state has them, although responses never show them.
    const error = errors.find(
      ({ pointer }) => !schemasAt(core.schema, pointer, api).some((one) => one.writeOnly === true),
    );
    return error === undefined ? undefined : { pointer: error.pointer, message: `It ${error.message}.` };
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment.startsWith('{') || segment === segments[index]);
}

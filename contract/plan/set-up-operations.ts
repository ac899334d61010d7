import type { Api, Operation } from '../../model/api.js';
import { findBodyReferences } from '../execute/ids/body-references.js';
import { findResources } from '../../resources/find-resources.js';
import { linkSources } from '../execute/ids/openapi-links.js';

/**
 * The operations without which the tested ones have no item to be called on: those that create, list and read the items
 * that they take or name, and those that delete what was made.
 */
export function findSetUp(api: Api, tested: readonly Operation[], allowed: readonly Operation[]): Set<Operation> {
  if (allowed.every((operation) => tested.includes(operation))) return new Set();
  const resources = findResources(api, allowed);
  const found = new Set<Operation>();
  const open = [...tested];
  for (let operation = open.pop(); operation !== undefined; operation = open.pop()) {
    const next = operation;
    const named = findBodyReferences(next, resources, api).map(({ resource }) => resource);
    const own = resources.filter(
      ({ slots, references, create, creators }) =>
        slots.has(next) || references.has(next) || create === next || creators.includes(next),
    );
    const needed = [...own, ...named].flatMap(({ create, creators, list, read, views, delete: removal }) => {
      const makers = create === undefined ? creators.slice(0, 1) : [create];
      const shown = list === undefined && makers.length === 0 ? views.slice(0, 1) : [list];
      return [...makers, ...shown, read, removal];
    });
    for (const one of [...needed, ...linkSources(next, allowed)])
      if (one !== undefined && allowed.includes(one) && !found.has(one)) {
        found.add(one);
        open.push(one);
      }
  }
  for (const one of tested) found.delete(one);
  return found;
}

import { findParameter } from '../model/find-parameter.js';
import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import { type Schema, refName } from '../model/schema-types.js';
import type { PathGroup } from './collections.js';
import { type Correction, correctionFor } from './corrections.js';
import { findCorrectedSlot } from './corrected-roles.js';
import type { IdHints } from './find-id.js';
import { type NamedId, findVerbSlot, namedIdAt } from './id-locations.js';
import { toSingular } from './inflection.js';
import { nounOf } from './path-template.js';

/** Collects what paths, calls, links and corrections say about the id of the items of a group, for a schema of them. */
export function collectHints(group: PathGroup, api: Api): (schema: Schema) => IdHints {
  const correction = correctionOf(group, api);
  const parameter = findNamedId(group, api);
  const linked = parameter === undefined ? [] : findLinked(group, parameter.name);
  const noun = group.verbs?.noun ?? nounOf(group);
  return (schema) => {
    const name = typeof schema === 'object' && schema.$ref !== undefined ? refName(schema.$ref) : undefined;
    const nouns = [noun, toSingular(noun), ...(name === undefined ? [] : [name])];
    return {
      parameter,
      linked,
      nouns,
      ...(correction === false || correction?.id === undefined ? {} : { corrected: correction.id }),
    };
  };
}

/** What `resources` says about a group, by its path or the folder of its calls. */
export function correctionOf({ verbs, collectionPath }: PathGroup, api: Api): Correction | false | undefined {
  return correctionFor(collectionPath, api) ?? (verbs === undefined ? undefined : correctionFor(verbs.name, api));
}

/** The name and schema of an item's id in requests. */
export function findNamedId(
  { verbs, corrected, collectionPath, itemParameters, itemOperations }: PathGroup,
  api: Api,
): NamedId | undefined {
  if (corrected !== undefined && itemOperations.length === 0)
    for (const operation of corrected.roles.keys()) {
      const slot = findCorrectedSlot(operation, collectionPath, corrected, api);
      if (slot !== undefined) return namedIdAt(slot, operation, api);
    }
  if (verbs !== undefined) {
    const named = verbs.calls.flatMap(({ operation }) => {
      const slot = findVerbSlot(operation, verbs, api);
      return slot === undefined ? [] : [namedIdAt(slot, operation, api)];
    });
    return named[0];
  }
  const [operation] = itemOperations;
  const name = itemParameters.at(-1);
  return operation === undefined || name === undefined ? undefined : findParameter(operation, 'path', name);
}

/** Where the responses of a collection show the parameter of an item, by their `links`. */
function findLinked(
  { collectionOperations, itemOperations, verbs }: PathGroup,
  parameter: string,
): (readonly string[])[] {
  const targets = new Set((verbs === undefined ? itemOperations : collectionOperations).map(({ id }) => id));
  return [...collectionOperations, ...itemOperations].flatMap(({ responses }) =>
    responses.flatMap(({ links }) =>
      links.flatMap(({ operationId, parameters }) => {
        const value = targets.has(operationId) ? (parameters[`path.${parameter}`] ?? parameters[parameter]) : undefined;
        const pointer = typeof value === 'string' ? /^\$response\.body#(\/.+)$/.exec(value)?.[1] : undefined;
        return pointer === undefined ? [] : [splitPointer(pointer)];
      }),
    ),
  );
}

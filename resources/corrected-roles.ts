import type { Api, Operation } from '../model/api.js';
import { idNamesOf } from './calls-by-shape.js';
import { type CorrectedRole, correctionsOf } from './corrections.js';
import { findSlot, onlyRequiredSlot } from './id-locations.js';
import { foldName, toSingular } from './inflection.js';
import { memberPath } from './member-paths.js';
import { nounOf, parametersOf } from './path-template.js';
import type { MainRole, Slot } from './resource.js';

/** The operations that corrections give to one resource. */
export interface CorrectedRoles {
  /** The path of the correction. */
  readonly path: string;
  readonly roles: ReadonlyMap<Operation, MainRole>;
  /** The member with the id that the correction names. */
  readonly id?: string;
}

/** Reads which operations corrections give to resources. Unknown operations are left out: they are errors elsewhere. */
export function correctedRolesOf(api: Api): CorrectedRoles[] {
  const byId = new Map(api.operations.map((operation) => [operation.id, operation]));
  return Object.entries(correctionsOf(api)).flatMap(([path, correction]): CorrectedRoles[] => {
    if (correction === false || correction.operations === undefined) return [];
    const named = Object.entries(correction.operations) as [CorrectedRole, string | readonly string[]][];
    const roles = named.flatMap(([role, ids]) =>
      [ids].flat().flatMap((id) => {
        const operation = byId.get(id);
        return operation === undefined ? [] : [[operation, role === 'update' ? 'patch' : role] as const];
      }),
    );
    const id = correction.id === undefined ? undefined : memberPath(correction.id).at(-1);
    return roles.length === 0 ? [] : [{ path, roles: new Map(roles), ...(id === undefined ? {} : { id }) }];
  });
}

function takesId(role: MainRole): boolean {
  return role !== 'create' && role !== 'list';
}

/**
 * Where an operation of a correction takes the id of an item: in its last path parameter, unless that belongs to the path
 * of the collection; else in the input with the name of the id; else in the only input that it requires.
 */
export function findCorrectedSlot(
  operation: Operation,
  collectionPath: string,
  { id, roles }: CorrectedRoles,
  api: Api,
): Slot | undefined {
  const role = roles.get(operation);
  if (role === undefined || !takesId(role)) return undefined;
  const names = parametersOf(operation.path);
  const last = names.length > parametersOf(collectionPath).length ? names.at(-1) : undefined;
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === last);
  if (parameter !== undefined) return { in: 'parameter', parameter };
  const noun = toSingular(nounOf({ collectionPath }));
  // Another operation that requires nothing else shows the name of the id.
  const alone = [...roles].flatMap(([one, its]) => (takesId(its) ? (onlyRequiredSlot(one, api) ?? []) : []));
  const shown = alone.map((slot) => (slot.in === 'body' ? slot.name : slot.parameter.name));
  const wanted = [...(id === undefined ? [] : [id]), ...shown].map(foldName);
  return findSlot(operation, [...wanted, ...idNamesOf(noun)], api) ?? onlyRequiredSlot(operation, api);
}

import type { Operation } from '../../model/api.js';
import type { Resource } from '../../resources/resource.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { BodyReference } from '../execute/ids/body-references.js';
import { isCreationOf } from '../execute/ids/operation-roles.js';

/** The references in the body of an operation to items of other collections. */
export function referencedResources(
  { context: { pool }, options: { api } }: ContractRun,
  operation: Operation,
): BodyReference[] {
  const schemas = memberSchemas(operation.body?.content[0]?.schema ?? true, api);
  const slots = pool.resources.flatMap((resource): BodyReference[] => {
    const slot = resource.slots.get(operation) ?? resource.references.get(operation);
    if (slot?.in !== 'body' || isCreationOf(resource, operation)) return [];
    return [{ resource, path: [slot.name], schema: schemas.get(slot.name) ?? true }];
  });
  const found = [...slots, ...pool.references.of(operation)].filter(({ resource }) => !isInPath(resource, operation));
  return [...new Map(found.map((one) => [one.path.join('/'), one])).values()];
}

function isInPath({ slots }: Resource, operation: Operation): boolean {
  const slot = slots.get(operation);
  return slot?.in === 'parameter' && slot.parameter.in === 'path';
}

import { idReadings } from '../../resources/extract-id.js';
import { takeAt } from '../../schema/value-path.js';
import type { BodyReference } from '../execute/ids/body-references.js';
import { isValidBody, writeAt } from '../plan/call-body.js';
import type { Call } from '../types.js';
import { type CrudContext, callOn, changesPart, createItem, readItem, isDone } from './crud-context.js';
import { expectShown } from './expect-shown.js';
import { referencedResources } from './referenced-resources.js';

/** The most references of one operation that are tested: each needs a new item. */
const MAX_REFERENCES = 2;

/** Checks that a changed reference, such as another driver of a vehicle, is visible when read. */
export async function checkReferences(crud: CrudContext): Promise<void> {
  const { run, resource } = crud;
  const { read } = resource;
  const operation = resource.patch ?? resource.replace;
  const base = operation === undefined ? undefined : await callOn(crud, operation);
  if (operation === undefined || base?.body === undefined || read === undefined) return;
  const references = referencedResources(run, operation).filter(
    ({ path, resource: other }) => !path.includes('*') && other !== resource,
  );
  for (const reference of references.slice(0, MAX_REFERENCES)) {
    const call = await naming(crud, base, reference);
    const exchange = call === undefined ? undefined : await run.client.sendValid(call);
    if (!isDone(exchange)) continue;
    const after = await readItem(crud);
    if (after?.status !== 200) return;
    const value = writeAt({}, reference.path, takeAt(call?.body?.value, reference.path));
    expectShown(crud, 'update is visible', { value, by: exchange, from: 'request', exchange: after });
  }
}

/** The change, with a reference to a newly created item. */
async function naming(
  { run, resource }: CrudContext,
  base: Call,
  { path, resource: other }: BodyReference,
): Promise<Call | undefined> {
  const creation = other.create === undefined ? undefined : await run.items.validCall(other.create, 'stateful');
  const item = creation === undefined ? undefined : await createItem(run, other, creation);
  const { body } = base;
  if (item === undefined || body === undefined) return undefined;
  const around = changesPart(resource, base.operation) ? {} : body.value;
  const named = idReadings(item.id)
    .map((id) => ({ ...body, value: writeAt(around, path, id) }))
    .find((one) => isValidBody(one, run.options.api));
  return named === undefined ? undefined : { ...base, body: named };
}

import { isRecord } from '../../../model/document/records.js';
import type { HandlerResponse } from '../../handler-api.js';
import { followWrite, prepareWrite } from '../apply-hooks.js';
import { presentItem } from '../present-item.js';
import { type Item } from '../json-path.js';
import { keyNameOf } from '../item-links.js';
import { idAt, toKey } from '../item-key.js';
import { makeId } from '../make-id.js';
import { nameItem } from '../../../resources/inflection.js';
import { createItem, readBody } from '../new-item.js';
import { respondWithItem, toJson } from '../item-response.js';
import type { IdMember } from '../../../resources/resource.js';
import { refuseCall } from '../refusals.js';
import type { Scope } from '../request-context.js';
import { documents } from '../../../resources/success-response.js';

/** Handles POST to a collection: creates an item with the id in the body, or a new id. */
export function create(scope: Scope): Promise<HandlerResponse> {
  return createOne(scope, readBody(scope)).then((made) =>
    made === undefined
      ? refuseCall(scope, {
          reason: 'taken',
          id: givenKey(scope, readBody(scope)),
          status: 409,
          message: `There is already a ${nameItem(scope.core.collectionPath)} with this id.`,
        })
      : respondWithItem(scope, made),
  );
}

/** Handles POST of a list: creates each of its items. */
export async function createMany(scope: Scope): Promise<HandlerResponse> {
  const bodies: readonly unknown[] = Array.isArray(scope.input.body) ? scope.input.body : [];
  const items: Item[] = [];
  for (const body of bodies) {
    const one: Scope = { ...scope, input: { ...scope.input, body } };
    const made = isRecord(body) ? await createOne(one, readBody(one)) : undefined;
    if (made !== undefined) items.push(made.item);
  }
  const { status, schema } = scope.part.success;
  return scope.call.respond(status, schema === undefined ? undefined : toJson(items));
}

/** How many ids of the hook are tried. */
const ATTEMPTS = 200;

/** Creates or replaces an item. Returns `undefined` if no id is free, or its id is taken and the spec documents 409. */
async function createOne(scope: Scope, body: Item): Promise<{ readonly key: string; readonly item: Item } | undefined> {
  const { core, call, collection } = scope;
  const given = givenKey(scope, body);
  const key = given ?? (await newKey(scope));
  if (key === undefined) return undefined;
  const named = core.id === undefined && given === undefined ? { ...body, [keyNameOf(scope)]: Number(key) } : body;
  const made = createItem(scope, named, key);
  const prepare = (): Item => prepareWrite(scope, { kind: 'create', id: key, before: undefined, item: made });
  let item: Item | undefined;
  if (documents(call.operation, 409)) {
    let isTaken = false;
    item = await collection.update(key, (known) => {
      isTaken = presentItem(known, scope) !== undefined;
      return isTaken ? known : prepare();
    });
    if (isTaken || item === undefined) return undefined;
  } else {
    item = prepare();
    await collection.put(key, item);
  }
  await followWrite(scope, { kind: 'create', id: key, before: undefined, item });
  return { key, item };
}

async function keyOfHook(
  { call, collection }: Scope,
  makeId: (call: Scope['call']) => string,
): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const key = makeId(call);
    if (isAbsent(await collection.get(key))) return key;
  }
  return undefined;
}

function isAbsent(item: Item | undefined): boolean {
  return item === undefined;
}

/** Returns the key in a body. */
function givenKey(scope: Scope, body: Item): string | undefined {
  return scope.core.id === undefined ? idAt(body, [keyNameOf(scope)]) : toKey(scope.core, body);
}

function newKey(scope: Scope): Promise<string | undefined> {
  const { call, core, collection, name, state, assignment, hooks } = scope;
  if (hooks?.makeId !== undefined) return keyOfHook(scope, hooks.makeId);
  const id: IdMember = core.id ?? { path: [keyNameOf(scope)], schema: { type: 'integer' }, prefix: '' };
  return makeId(call, {
    id,
    api: call.api,
    counter: `id of ${name}`,
    shown: state.shownKeys(assignment.group),
    isFree: (key) => collection.get(key).then(isAbsent),
  });
}

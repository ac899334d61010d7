import type { Api, Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { foldName } from '../../resources/inflection.js';
import type { Resource } from '../../resources/resource.js';
import { createdIds } from '../../resources/extract-id.js';
import { keywordOf, membersOf } from '../../schema/facts/members.js';
import { setAt, takeAt } from '../../schema/value-path.js';
import { toPointer } from '../../model/document/pointer.js';
import { SAYS_TAKEN } from '../checks/is-conflict.js';
import { refused } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, CallBody } from '../types.js';
import { createItem, isDone } from './crud-context.js';
import { withPathOf } from '../execute/ids/id-slot.js';
import { itemPlace } from '../plan/call-body.js';

/** The most members of one resource that are tested. */
const MAX_MEMBERS = 3;
/**
 * Matches descriptions of members with unique values. If unique only within something else, a value may occur again
 * elsewhere.
 */
const SAYS_UNIQUE = /\bmust be unique\b|\bunique (?:among|amongst|across)\b|\bis unique\b|^unique\b|\bunique\.?$/i;
const IS_SCOPED = /\b(?:per|within|for each|generated|assigned)\b|\bunique id/i;

/**
 * Checks that a second use of a unique value is refused, if the description of the member or of the response 409 calls
 * it unique (`A user with this email already exists.`).
 */
export async function checkUniqueValues(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const { operation, body } = creation;
  const place = body === undefined ? [] : itemPlace(body.media, run.options.api);
  const names = body === undefined ? [] : uniqueMembers(operation, body, run.options.api);
  const first = names.length === 0 ? undefined : await createItem(run, resource, creation);
  if (first === undefined || body === undefined) return;
  const { call: created, exchange: creating } = first.created;
  const [id] = createdIds(creating, resource.parameter, resource.read);
  for (const name of names.slice(0, MAX_MEMBERS)) {
    const path = [...place, name];
    const value = takeAt(created.body?.value, path);
    const fresh = run.context.pool.withFreshKey(
      run.context.pool.withDistinctValues(await run.items.refreshIds(creation, 'stateful')),
    );
    if (fresh.body === undefined || value === undefined) continue;
    const call = {
      ...withPathOf(fresh, created),
      body: { ...fresh.body, value: setAt(fresh.body.value, path, value) },
    };
    const exchange = await run.client.sendValid(call);
    // The creation may have returned the existing item.
    const isAgain = exchange !== undefined && createdIds(exchange, resource.parameter, resource.read)[0] === id;
    if (!isDone(exchange) || isAgain) continue;
    const pointer = toPointer(path);
    run.findings.expect('unique value', refused(exchange), {
      cause: pointer,
      pointer,
      message: `${pointer} must be unique, but a second item was created with the same value.`,
      others: [creating],
    });
  }
}

/** The members of a creation that the spec describes as unique. */
function uniqueMembers(operation: Operation, { media, value }: CallBody, api: Api): string[] {
  const conflict = operation.responses.find(({ status }) => status === '409')?.description ?? '';
  const words = new Set(SAYS_TAKEN.test(conflict) ? conflict.split(/[^\p{L}\p{N}_-]+/u).map(foldName) : []);
  const place = itemPlace(media, api);
  const schema = place.reduce<Schema>((at, name) => membersOf(at, api).get(name)?.schema ?? true, media.schema ?? true);
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }) => {
    const description = keywordOf(member, 'description', api) ?? '';
    const isSaid = SAYS_UNIQUE.test(description) && !IS_SCOPED.test(description);
    const isText = typeof takeAt(value, [...place, name]) === 'string' && keywordOf(member, 'enum', api) === undefined;
    return isText && (isSaid || words.has(foldName(name))) ? [name] : [];
  });
}

import { takeAt } from '../../../schema/value-path.js';
import { isId } from '../../../resources/extract-id.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { finderOf } from '../../../resources/resource-finder.js';
import { idNameOf } from '../../../resources/references.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import type { Resource } from '../../../resources/resource.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { scalarText } from '../../../http/request/write-request.js';
import { slotValue } from '../../execute/ids/id-slot.js';
import { parameterOf } from '../../expectations/assertion.js';
import { type ListResponse, creationsOf, madeId, membersByName } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** Checks that a list below an item (`/artists/{id}/artworks`) contains no items that name another parent. */
export function checkParentView(all: ListResponse): void {
  const { run, call, items } = all;
  for (const parameter of call.operation.parameters.filter((one) => one.in === 'path')) {
    const own = slotValue(call, { in: 'parameter', parameter });
    const parent = findParent(run, call.operation, parameter);
    const path = parent === undefined ? undefined : findParentMember(parent, { parameter, all });
    if (parent === undefined || path === undefined || own === undefined) continue;
    const isForeign = (item: unknown): boolean => {
      const value = takeAt(item, path);
      return isId(value) && scalarText(value) !== scalarText(own);
    };
    // If its value is not the id of a parent, the member means something else.
    const isParentId = (item: unknown): boolean =>
      !isForeign(item) || run.context.pool.knows(parent, takeAt(item, path));
    const wrong = items.some(isParentId) ? items.find(isForeign) : undefined;
    if (wrong !== undefined) expectNotListed(all, { path, parameter, own, wrong });
  }
}

function findParent(
  { context: { pool } }: ContractRun,
  operation: Operation,
  parameter: Parameter,
): Resource | undefined {
  return pool.resources.find(({ slots }) => {
    const slot = slots.get(operation);
    return slot?.in === 'parameter' && slot.parameter === parameter;
  });
}

function findParentMember(
  parent: Resource,
  { parameter, all }: { readonly parameter: Parameter; readonly all: ListResponse },
): readonly string[] | undefined {
  const { run, call } = all;
  const mapped = finderOf(run.options.api).assign(call.operation)?.core.parentMembers.get(parameter.name);
  if (mapped !== undefined) return mapped.path;
  // The items of a list elsewhere, such as a search below an owner, belong to another collection: their names decide.
  const noun = toSingular(parent.name.split('/').at(-2) ?? '');
  const members = new Map(all.items.flatMap((item) => [...membersByName(item)]));
  const names = noun === '' ? [] : [idNameOf(noun), foldName(noun)];
  const named = foldName(parameter.name) === 'id' ? [] : [foldName(parameter.name)];
  return [...named, ...names].map((name) => members.get(name)).find((path) => path !== undefined);
}

interface ForeignItem {
  readonly path: readonly string[];
  readonly parameter: Parameter;
  /** The id of the list's parent. */
  readonly own: unknown;
  readonly wrong: unknown;
}

function expectNotListed(all: ListResponse, { path, parameter, own, wrong }: ForeignItem): void {
  const { run, exchange, place: list } = all;
  const others = creationsOf(all, [wrong]);
  const made = madeId(others.at(-1), wrong);
  const told = {
    cause: `view ${parameter.name}`,
    message: `The list below an item contains an item whose ${path.join('.')} names another one.`,
    expected: scalarText(own),
    actual: stringifyExactJson(takeAt(wrong, path)),
    at: exchange,
    others,
  };
  // Without the request that created the item, all that is known of another server is what the items name.
  const filters = [{ path, test: 'id', value: parameterOf(exchange, parameter, own) }] as const;
  run.findings.expect(
    'belongs to parent',
    made === undefined || list.idAt === undefined
      ? { expects: 'fits', list, filters }
      : { expects: 'not listed', list, id: made },
    told,
  );
}

import { takeAt } from '../../../schema/value-path.js';
import { isId, idOf } from '../../../resources/extract-id.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { idNameOf } from '../../../resources/references.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import type { Resource } from '../../../resources/resource.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { scalarText } from '../../../http/request/write-request.js';
import { slotValue } from '../../execute/ids/id-slot.js';
import type { Exchange } from '../../types.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, membersByName, pathCode } from './read-list.js';

/** Checks that a list below an item (`/artists/{id}/artworks`) contains no items that name another parent. */
export function checkParentView(run: ContractRun, operation: Operation, all: ListResponse): void {
  for (const parameter of operation.parameters.filter((one) => one.in === 'path')) {
    const own = slotValue(all.call, { in: 'parameter', parameter });
    const parent = findParent(run, operation, parameter);
    const path = parent === undefined ? undefined : findParentMember(parent, { parameter, all });
    if (parent === undefined || path === undefined || own === undefined) continue;
    const isForeign = (item: unknown): boolean => {
      const value = takeAt(item, path);
      return isId(value) && scalarText(value) !== scalarText(own);
    };
    // If its value is not the id of a parent, the member means something else.
    const isParentId = (item: unknown): boolean =>
      !isForeign(item) || run.context.pool.knows(parent, takeAt(item, path));
    if (!all.items.some(isParentId)) continue;
    const wrong = all.items.find(isForeign);
    if (wrong !== undefined) report(run, operation, { all, path, parameter, wrong, isForeign });
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
  const noun = toSingular(parent.name.split('/').at(-2) ?? '');
  const members = new Map(all.items.flatMap((item) => [...membersByName(item)]));
  const names = noun === '' ? [] : [idNameOf(noun), foldName(noun)];
  const named = foldName(parameter.name) === 'id' ? [] : [foldName(parameter.name)];
  return [...named, ...names].map((name) => members.get(name)).find((path) => path !== undefined);
}

interface ForeignItem {
  readonly all: ListResponse;
  readonly path: readonly string[];
  readonly parameter: Parameter;
  readonly wrong: unknown;
  readonly isForeign: (item: unknown) => boolean;
}

function report(run: ContractRun, operation: Operation, { all, path, parameter, wrong, isForeign }: ForeignItem): void {
  const found = problem('belongs to parent', {
    cause: `view ${parameter.name}`,
    message: `The list below an item has items whose ${path.join('.')} names another one.`,
    expected: scalarText(slotValue(all.call, { in: 'parameter', parameter })),
    actual: JSON.stringify(takeAt(wrong, path)) ?? 'nothing',
  });
  const others = creationsOf(run, operation, [wrong]);
  const creation = others.at(-1);
  const isIn = (response: Exchange | undefined, made: Exchange | undefined): boolean =>
    itemsOf(run, operation, response).some(
      (item) => scalarText(idOf(item, 'id')) === scalarText(idOf(made?.json, 'id')),
    );
  const assertion =
    creation === undefined
      ? ({
          expects: 'that',
          exchanges: [all.exchange],
          holds: ([response]: readonly Exchange[]) => !itemsOf(run, operation, response).some(isForeign),
          code: ([body = '']: readonly string[]) =>
            `new Set(${itemsCode(operation, run, body)}.map((item) => item${pathCode(path)})).size <= 1`,
        } as const)
      : ({
          expects: 'that',
          exchanges: [all.exchange, creation],
          holds: ([response, made]: readonly Exchange[]) => !isIn(response, made),
          code: ([body = '', made = '']: readonly string[]) =>
            `${itemsCode(operation, run, body)}.every((item) => item.id !== ${made}.id)`,
        } as const);
  run.report(found, { call: all.call, phase: 'stateful', assertion, others }, all.exchange);
}

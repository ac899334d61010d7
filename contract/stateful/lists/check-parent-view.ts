import type { Operation, Parameter } from '../../../model/api.js';
import { itemsIn, listPathOf } from '../../../resources/envelope.js';
import { idNameOf } from '../../../resources/references.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { scalarText } from '../../execute/http/serialize-parameter.js';
import { slotValue } from '../../execute/ids/id-slot.js';
import type { Exchange } from '../../types.js';
import { type ListResponse, creationsOf, itemsCode, membersByName, pathCode, readPath } from './read-list.js';

/** A list below an item (`/artists/{id}/artworks`) has no items that say that they belong to another one. */
export function checkParentView(run: ContractRun, operation: Operation, all: ListResponse): void {
  for (const parameter of operation.parameters.filter((one) => one.in === 'path')) {
    const own = slotValue(all.call, { in: 'parameter', parameter });
    const path = findParentMember(run, operation, { parameter, all });
    if (path === undefined || own === undefined) continue;
    const isForeign = (item: unknown): boolean => {
      const value = readPath(item, path);
      return isScalar(value) && scalarText(value) !== scalarText(own);
    };
    // Where none has the id of the path, the member means something else.
    if (!all.items.some((item) => scalarText(readPath(item, path)) === scalarText(own))) continue;
    const wrong = all.items.find(isForeign);
    if (wrong !== undefined) report(run, operation, { all, path, parameter, wrong, isForeign });
  }
}

function findParentMember(
  { context: { pool } }: ContractRun,
  operation: Operation,
  { parameter, all }: { readonly parameter: Parameter; readonly all: ListResponse },
): readonly string[] | undefined {
  const parent = pool.resources.find(({ slots }) => {
    const slot = slots.get(operation);
    return slot?.in === 'parameter' && slot.parameter === parameter;
  });
  const noun = toSingular(parent?.name.split('/').at(-2) ?? '');
  const members = new Map(all.items.flatMap((item) => [...membersByName(item)]));
  const names = noun === '' ? [] : [idNameOf(noun), foldName(noun)];
  const named = foldName(parameter.name) === 'id' ? [] : [foldName(parameter.name)];
  return [...named, ...names].map((name) => members.get(name)).find((path) => path !== undefined);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
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
    actual: JSON.stringify(readPath(wrong, path)) ?? 'nothing',
  });
  const itemsOf = (response: Exchange | undefined): readonly unknown[] =>
    itemsIn(response?.json, listPathOf(operation, run.options.api)) ?? [];
  const isOne = (response: Exchange | undefined): boolean =>
    new Set(itemsOf(response).map((item) => scalarText(readPath(item, path)))).size <= 1;
  const claim = {
    expects: 'that',
    exchanges: [all.exchange],
    holds: ([response]: readonly Exchange[]) => isOne(response),
    code: ([body = '']: readonly string[]) =>
      `new Set(${itemsCode(operation, run, body)}.map((item) => item${pathCode(path)})).size <= 1`,
  } as const;
  const own = all.items.find((item) => !isForeign(item));
  const others = creationsOf(run, [own, wrong]);
  run.report(found, { call: all.call, phase: 'stateful', claim, others }, all.exchange);
}

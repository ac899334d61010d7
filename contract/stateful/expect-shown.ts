import type { Api } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { isId, lastPartOf } from '../../resources/extract-id.js';
import { foldName } from '../../resources/inflection.js';
import { successSchema } from '../../resources/success-response.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { isOneSided, memberSchemas, requiredMembers } from '../../schema/facts/members.js';
import { isComparable, isCondition, mayShowForNull, isServerTime, isSetByServer } from '../checks/is-comparable.js';
import type { Told } from '../expect.js';
import type { ContractRun } from '../execute/contract-run.js';
import { pathValues } from '../execute/ids/id-slot.js';
import { type ListPlace, type Value, bodyAt, same, sentAt, shown } from '../expectations/assertion.js';
import { isSame } from '../expectations/is-same.js';
import { type Order, isShownAs, orderOf } from '../shown-as.js';
import type { CheckName, Exchange } from '../types.js';
import { type CrudContext, idValue } from './crud-context.js';
import { showJson } from '../../model/exact-json.js';

/** A value of an item, and the response that must show it. */
export interface Written {
  readonly value: unknown;
  /** The request that wrote the value, or the earlier response that showed it. */
  readonly by: Exchange;
  readonly from: 'request' | 'response';
  readonly exchange: Exchange;
  /** Other requests that matter besides those of the item. */
  readonly others?: readonly Exchange[];
  /** Where a list shows the item; absent if the whole response is the item. */
  readonly list?: { readonly place: ListPlace; readonly item: unknown };
}

/** A member that differs from what was sent. */
interface Difference {
  readonly pointer: string;
  readonly sent: unknown;
  readonly got: unknown;
  readonly order: Order;
  /** Whether the server sets the member by its description: the spec lacks `readOnly`. */
  readonly isSetByServer: boolean;
}

/** If at least this many members are lost at once, they are reported as one problem. */
const MANY = 3;

/** Expects that a response shows all members of a value. Returns whether it does. */
export function expectShown(crud: CrudContext, check: CheckName, written: Written): boolean {
  const { run, resource, created } = crud;
  const { value, by, from, exchange, others = [], list } = written;
  const reader = resource.read ?? resource.list;
  if (value === undefined || reader === undefined) return true;
  const item = list === undefined ? exchange.json : list.item;
  // In the path, the id itself is authoritative, so the body's copy is not compared.
  const inPath = new Set([...pathValues(created.call).keys(), resource.parameter].map(foldName));
  const context = { schema: successSchema(reader), api: run.options.api, from };
  const found = findDifferences(value, item, context).filter(
    ({ pointer, got }) => pointer !== '' && !inPath.has(foldName(lastPartOf(pointer))) && !isItsId(got, crud),
  );
  const differences = found.filter((one) => from === 'response' || !isReordered(one));
  for (const { pointer } of found.filter(isReordered)) noteOrder(run, exchange, pointer);
  const valueAt = from === 'request' ? sentAt : bodyAt;
  for (const text of differences.length < MANY ? differences.map(textOfOne) : [textOfMany(differences)]) {
    const { pointer, order } = text;
    const left: Value =
      list === undefined ? bodyAt(exchange, pointer) : { from: 'item', list: list.place, id: idValue(crud), pointer };
    const right = valueAt(by, pointer);
    run.findings.expect(check, from === 'request' ? shown(left, right, order) : same(left, right), { ...text, others });
  }
  return differences.length === 0;
}

/**
 * Finds the parts of a value that a response lacks or shows differently. Leaves out `writeOnly` and `readOnly` members,
 * and those that the response's schema does not describe.
 */
function findDifferences(
  sent: unknown,
  got: unknown,
  context: { readonly schema: Schema; readonly api: Api; readonly from: Written['from'] },
): Difference[] {
  const { schema, api, from } = context;
  if (!isRecord(sent) || !isRecord(got)) {
    const isShown = from === 'response' ? isSame(sent, got) : isShownAs(sent, got, 'kept');
    return isShown
      ? []
      : [{ pointer: '', sent, got, order: orderOf(schema, api), isSetByServer: isSetByServer(schema, api) }];
  }
  const members = memberSchemas(schema, api);
  const required = requiredMembers(schema, api);
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = members.get(name);
    if (member === undefined || isOneSided(member, api) || isServerTime(name) || isCondition(name)) return [];
    if (!isComparable(value, member, api)) return [];
    const own: unknown = Object.hasOwn(got, name) ? got[name] : undefined;
    if (mayShowForNull(value, own, { schema: member, isRequired: required.has(name), api })) return [];
    return findDifferences(value, own, { ...context, schema: member }).map((one) => ({
      ...one,
      pointer: appendPointer('', name) + one.pointer,
    }));
  });
}

/** Whether only the order of a list differs, and the spec does not say that it matters. */
function isReordered({ sent, got, order }: Difference): boolean {
  return isShownAs(sent, got, order);
}

/** Notes once for the whole run that the server keeps lists as sets. */
export function noteOrder(run: Pick<ContractRun, 'findings' | 'log'>, exchange: Exchange, pointer: string): void {
  const operation = run.log.find(exchange)?.sent.call.operation.id ?? '';
  run.findings.note(
    'order',
    `Only the order of a list changed (${pointer} of ${operation}): the server keeps it as a set. Say \`uniqueItems\` in the spec, or that the order matters.`,
  );
}

/** Whether a shown value is the item's id in its path. */
export function isItsId(shownId: unknown, { id }: CrudContext): boolean {
  return isId(shownId) && String(shownId) === String(id);
}

interface DifferenceText extends Pick<Difference, 'pointer' | 'order'>, Pick<Told, 'severity'> {
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** Nothing is lost if the server sets a member, or keeps a list as a set. */
function severityOf(differences: readonly Difference[]): Pick<Told, 'severity'> {
  return differences.every((one) => one.isSetByServer || isReordered(one)) ? { severity: 'note' } : {};
}

function textOfOne(difference: Difference): DifferenceText {
  const { pointer, sent, got, order } = difference;
  return {
    ...severityOf([difference]),
    cause: pointer.replaceAll(/\/\d+/g, '/*'),
    pointer,
    order,
    message: `${pointer} differs from what was written.`,
    expected: stringifyExactJson(sent),
    actual: showJson(got),
  };
}

function textOfMany(differences: readonly Difference[]): DifferenceText {
  const pointers = differences.map(({ pointer }) => pointer);
  return {
    ...severityOf(differences),
    cause: 'many',
    pointer: pointers[0] ?? '',
    order: differences[0]?.order ?? 'any',
    message: `${listNames(pointers)} differ from what was written.`,
    expected: stringifyExactJson(Object.fromEntries(differences.map(({ pointer, sent }) => [pointer, sent]))),
    actual: stringifyExactJson(Object.fromEntries(differences.map(({ pointer, got }) => [pointer, got ?? null]))),
  };
}

/** `a, b, c and 4 more`. */
export function listNames(names: readonly string[]): string {
  const rest = names.length - MANY;
  if (rest > 0) return `${names.slice(0, MANY).join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

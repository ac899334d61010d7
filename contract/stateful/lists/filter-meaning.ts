import { takeAt } from '../../../schema/value-path.js';
import type { Parameter } from '../../../model/api.js';
import { type Bound, findBound, saidOfBound } from '../../../resources/list-bounds.js';
import { subjectOf } from '../../../resources/list-inputs.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { listItemOf } from '../../../resources/envelope.js';
import { nounOf } from '../../../resources/path-template.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { hasNumber, isObjectSchema, itemsOf, keywordOf, membersOf, typesOf } from '../../../schema/facts/members.js';
import type { Told } from '../../expect.js';
import { type FilterTest, parameterOf } from '../../expectations/assertion.js';
import { mayBeListed, namesIn } from '../../expectations/filters.js';
import { kindsShownBy } from '../../reproduction/find-origin.js';
import { type ListResponse, creationsOf, madeId, membersByName } from './read-list.js';

/** A filter, and the member of items that it filters by. */
export interface FilterCheck {
  readonly parameter: Parameter;
  readonly path: readonly string[];
  readonly test: FilterTest;
  readonly isOfObjects?: boolean;
}

/** Finds the member that a filter is about: what the map says, or where the spec does not describe items, their values. */
export function findMeaning(parameter: Parameter, all: ListResponse): FilterCheck | undefined {
  const { api } = all.run.options;
  const { operation } = all.call;
  const item = listItemOf(operation, api);
  if (item === undefined || membersOf(item, api).size === 0) return meaningByValues(parameter, all);
  const { filters } = listParametersOf(operation, item, api);
  const filter = filters.find((one) => one.parameter.name === parameter.name);
  if (filter === undefined) return undefined;
  const { path } = filter.member;
  const { test, isInclusive = true } = filter;
  if (test !== 'equals')
    return { parameter, path, test: boundTest({ test, isInclusive, member: path }, parameter, all) };
  const isChoice = keywordOf(parameter.schema, 'enum', api) !== undefined;
  const isOfObjects = isObjectSchema(itemsOf(filter.member.schema, api) ?? true, api);
  return { parameter, path, test: isChoice ? 'choice' : 'equals', ...(isOfObjects ? { isOfObjects } : {}) };
}

/** The member of listed items that has the name of a filter. */
function meaningByValues(parameter: Parameter, all: ListResponse): FilterCheck | undefined {
  const { api } = all.run.options;
  const members = new Map(all.items.flatMap((item) => [...membersByName(item)]));
  const about = subjectOf(parameter);
  const exact = members.get(about);
  const isChoice = keywordOf(parameter.schema, 'enum', api) !== undefined;
  if (exact !== undefined) return { parameter, path: exact, test: isChoice ? 'choice' : 'equals' };
  const bound = findBound(about, {
    members,
    noun: nounOf({ collectionPath: all.call.operation.path }),
    isNumber: hasNumber(typesOf(parameter.schema, api)),
    isNumeric: (path) => all.items.every((item) => typeof takeAt(item, path) === 'number'),
  });
  return bound === undefined ? undefined : { parameter, path: bound.member, test: boundTest(bound, parameter, all) };
}

/** What a bound asks of an item at it: as the description says, else by its name. The end of a time span is open. */
function boundTest(
  { test, isInclusive, member }: Bound<readonly string[]>,
  { description = '' }: Parameter,
  { items }: ListResponse,
): FilterTest {
  const said = saidOfBound(description);
  if (said === 'included') return test;
  if (said === 'excluded') return test === 'from' ? 'after' : 'before';
  const isTime = items.some((item) => {
    const value = takeAt(item, member);
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  });
  if (isInclusive && !(isTime && test === 'to')) return test;
  return test === 'from' ? 'since' : 'until';
}

/** The values of items that a filter accepts. */
export function valuesOf({ run, items }: ListResponse, { path, parameter }: FilterCheck): unknown[] {
  const validate = compileValidator(run.options.api, parameter.schema, { direction: 'request' });
  const seen = new Set(items.flatMap((item) => namesIn(item, path)));
  return [...seen].filter(
    (value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '' && validate(value).length === 0,
  );
}

interface GivenFilter extends FilterCheck {
  readonly value: unknown;
}

/**
 * Expects that an item of a filtered list fits, if the list contains it; if the run did not create the item, that each
 * listed item fits. Other items may not exist on another server.
 */
export function expectFits(
  filtered: ListResponse,
  given: readonly GivenFilter[],
  toldOf: (wrong: unknown) => Told,
): boolean {
  const { run, call, exchange, items, place: list } = filtered;
  const wrong = items.find((item) => given.some((filter) => !mayBeListed(filter, item, filter.value)));
  if (wrong === undefined) return true;
  const filters = given.map(({ parameter, path, test, value, isOfObjects = false }) => {
    return { path, test, isOfObjects, value: parameterOf(exchange, parameter, value) };
  });
  const others = creationsOf(filtered, [wrong]);
  const made = madeId(others.at(-1), wrong, kindsShownBy(run, call.operation)[0]?.parameter);
  const id = made === undefined || list.idAt === undefined ? {} : { id: made };
  const told = { ...toldOf(wrong), at: exchange, others };
  return run.findings.expect('filter', { expects: 'fits', list, ...id, filters }, told);
}

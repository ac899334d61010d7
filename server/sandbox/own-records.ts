import { isRecord } from '../../model/document/records.js';
import { findFaultShapeProblem } from '../faults/check-faults.js';
import { splitCollection } from '../stores/store.js';
import { CALLBACKS, CLOCK, COUNTERS, DATA, EXAMPLES, FAULTS, JOBS, LEASES } from './reserved-collections.js';
import { META, RANDOM, SCENARIOS, SEEDED } from './reserved-collections.js';

/** Returns what is wrong with a value. */
type Rule = (value: unknown) => string | undefined;

const must =
  (what: string, is: (value: unknown) => boolean): Rule =>
  (value) =>
    is(value) ? undefined : `It must be ${what}.`;

type MemberType = 'string' | 'number' | 'object' | 'number or null';

const mustHave =
  (members: Readonly<Record<string, MemberType>>): Rule =>
  (value) => {
    const known = isRecord(value) ? value : {};
    const wrong = Object.entries(members).find(([name, type]) => !isOfType(known[name], type));
    return wrong && `Its member ${wrong[0]} must be of type ${wrong[1]}.`;
  };

function isOfType(value: unknown, type: MemberType): boolean {
  if (type === 'object') return isRecord(value);
  if (type === 'string') return typeof value === 'string';
  return Number.isFinite(value) || (type === 'number or null' && value === null);
}

const isListOf = (value: unknown, is: (item: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.every((item) => is(item));

const MUST_BE_TRUE = must('true', (value) => value === true);

const RECORDS: Readonly<Record<string, Rule>> = {
  [COUNTERS]: must('a whole number of at least 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  [SEEDED]: MUST_BE_TRUE,
  [EXAMPLES]: MUST_BE_TRUE,
  [DATA]: MUST_BE_TRUE,
  [JOBS]: mustHave({ id: 'string', name: 'string', dueAt: 'number' }),
  [CALLBACKS]: mustHave({ queue: 'string', url: 'string', headers: 'object', attempts: 'number', notBefore: 'number' }),
  [LEASES]: mustHave({ holder: 'object', key: 'string', until: 'number' }),
};

const SETTINGS: Readonly<Record<string, Rule>> = {
  [CLOCK]: mustHave({ offset: 'number', frozenAt: 'number or null' }),
  [RANDOM]: must('a list of four integers', (value) => isListOf(value, Number.isSafeInteger) && value.length === 4),
  [SCENARIOS]: (value) => mustHave({ hash: 'string', used: 'object' })(value) ?? checkScenarios(value),
};

function checkScenarios(value: unknown): string | undefined {
  const { active = [], used } = value as { readonly active?: unknown; readonly used: object };
  const isRight = isListOf(active, (name) => typeof name === 'string') && Object.values(used).every(isRecord);
  return isRight ? undefined : 'It must have a list of names and objects of numbers.';
}

/** Like {@link findRecordProblem}, for what a store has: faults too, whose check needs the spec of the control API. */
export async function findStoredProblem(stored: string, id: string, value: unknown): Promise<string | undefined> {
  const collection = splitCollection(stored).name;
  if (collection === META && id === FAULTS) return (await findFaultShapeProblem(value))?.message;
  return findRecordProblem(collection, id, value);
}

/** Returns what is wrong with a record of the mock itself or an inferred item, because both are used unchecked later. */
export function findRecordProblem(collection: string, id: string, value: unknown): string | undefined {
  // The names of inferred collections are paths.
  if (collection.startsWith('/') && value === null) return 'It must not be null.';
  const [rules, name] = collection === META ? [SETTINGS, id] : [RECORDS, collection];
  return Object.hasOwn(rules, name) ? rules[name]?.(value) : undefined;
}

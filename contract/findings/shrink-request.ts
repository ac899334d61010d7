import type { Api, Parameter } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { isValidBody } from '../plan/call-body.js';
import type { Call, Case } from '../types.js';

/**
 * Removes the parts of a call that are not needed to show a problem: parameters, members, items and letters, one step
 * at a time.
 *
 * @param shows - sends a smaller call and returns whether it still shows the problem.
 */
export async function shrinkRequest(
  call: Call,
  budget: number,
  shows: (call: Call) => Promise<boolean>,
): Promise<Call> {
  let smallest = call;
  let left = budget;
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false;
    for (const candidate of smallerCalls(smallest)) {
      if (left === 0) break;
      left -= 1;
      if (!(await shows(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/**
 * Whether a smaller call keeps its meaning: valid stays valid, and invalid stays invalid at the same place for the same
 * reason, and nowhere else. Otherwise a response to it would show something else.
 */
export function meansTheSame({ call, expectation }: Case, smaller: Call, api: Api): boolean {
  if (expectation.kind === 'valid') return isValid(smaller, api);
  const [before, after] = [bodyErrors(call, api), bodyErrors(smaller, api)];
  if ([...after].some((error) => !before.has(error))) return false;
  if (expectation.kind !== 'invalid') return true;
  const [place = '', name] = expectation.pointer.split(' ', 2);
  if (name === undefined) return before.size === 0 || after.size > 0;
  const isNamed = ({ in: at, name: own }: Pick<Parameter, 'in' | 'name'>): boolean =>
    at === place && (name === own || name.startsWith(`${own}/`));
  // A parameter is broken by a wrong value or by its absence.
  return [...call.parameters.keys()].filter(isNamed).every((parameter) => smaller.parameters.has(parameter));
}

/** What is wrong with a body, and where. The items of a list count as one place. */
function bodyErrors({ body }: Call, api: Api): ReadonlySet<string> {
  if (body?.media.schema === undefined || body.raw !== undefined || body.contentType !== undefined) return new Set();
  const errors = compileValidator(api, body.media.schema, { direction: 'request' })(body.value);
  return new Set(
    errors.map(({ pointer, keyword, params }) =>
      stringifyExactJson([pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'), keyword, params['missingProperty'] ?? null]),
    ),
  );
}

function isValid({ body }: Call, api: Api): boolean {
  if (body?.media.schema === undefined || body.raw !== undefined) return true;
  return isValidBody(body, api);
}

function* smallerCalls(call: Call): Generator<Call> {
  for (const parameter of call.parameters.keys()) {
    if (parameter.required) continue;
    yield { ...call, parameters: new Map([...call.parameters].filter(([other]) => other !== parameter)) };
  }
  const { body } = call;
  if (body === undefined || body.raw !== undefined || body.contentType !== undefined) return;
  for (const value of smallerValues(body.value)) yield { ...call, body: { ...body, value } };
}

/** Shorter texts need no shrinking. */
const SHORT_TEXT = 40;

function* smallerValues(value: unknown): Generator {
  if (typeof value === 'string') {
    const letters = [...value];
    if (letters.length > SHORT_TEXT) yield letters.slice(0, Math.ceil(letters.length / 2)).join('');
    return;
  }
  if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, Math.floor(value.length / 2));
    for (const [index, item] of value.entries())
      for (const smaller of smallerValues(item)) yield value.map((own: unknown, at) => (at === index ? smaller : own));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members = Object.entries(value) as [string, unknown][];
  if (members.length > 3) yield Object.fromEntries(members.slice(0, Math.ceil(members.length / 2)));
  for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
  for (const [name, member] of members)
    for (const smaller of smallerValues(member))
      yield Object.fromEntries(members.map(([other, own]) => [other, other === name ? smaller : own]));
}

import type { Call } from './types.js';

/**
 * Leaves out of a call what is not needed for what it shows: parameters and members, one at a time.
 *
 * @param shows - sends a smaller call and says whether it still shows the same.
 */
export async function shrinkCall(call: Call, budget: number, shows: (call: Call) => Promise<boolean>): Promise<Call> {
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

function* smallerCalls(call: Call): Generator<Call> {
  for (const parameter of call.parameters.keys()) {
    if (parameter.required) continue;
    yield { ...call, parameters: new Map([...call.parameters].filter(([other]) => other !== parameter)) };
  }
  const { body } = call;
  if (body === undefined || body.raw !== undefined || body.contentType !== undefined) return;
  for (const value of smallerValues(body.value)) yield { ...call, body: { ...body, value } };
}

function* smallerValues(value: unknown): Generator {
  if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(0, Math.floor(value.length / 2));
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

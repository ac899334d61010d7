import { isRecord } from '../../model/document/records.js';
import type { Call } from '../types.js';

/** The most requests spent on one operation. */
const MAX_TRIES = 12;

/** An item that expires during the run, or never, would be a poor base. */
const LIFETIME = /expir|ttl|lifetime|until/i;

/** Adds something to a call. */
type Addition = (call: Call) => Call;

/**
 * Adds optional parameters and body members to an accepted call, as many as the server accepts together. They come from
 * a call that it refuses as a whole, often because of one of them: an unknown cursor, or members that exclude each
 * other.
 *
 * @param accept - sends a call and returns it if it was accepted.
 */
export async function addOptionalValues(
  accepted: Call,
  full: Call,
  accept: (call: Call) => Promise<Call | undefined>,
): Promise<Call> {
  let widest = accepted;
  let left = MAX_TRIES;
  const add = async (additions: readonly Addition[]): Promise<void> => {
    if (additions.length === 0 || left === 0) return;
    left -= 1;
    const taken = await accept(additions.reduce<Call>((call, change) => change(call), widest));
    if (taken !== undefined) {
      widest = taken;
      return;
    }
    if (additions.length === 1) return;
    const half = Math.ceil(additions.length / 2);
    await add(additions.slice(0, half));
    await add(additions.slice(half));
  };
  const additions = [...missingParameters(accepted, full), ...missingMembers(accepted, full)];
  // All additions together were refused already.
  const half = additions.length === 1 ? 1 : Math.ceil(additions.length / 2);
  await add(additions.slice(0, half));
  await add(additions.slice(half));
  return widest;
}

function missingParameters(accepted: Call, full: Call): Addition[] {
  return [...full.parameters]
    .filter(([parameter]) => !accepted.parameters.has(parameter))
    .map(([parameter, value]) => (call) => ({
      ...call,
      parameters: new Map([...call.parameters, [parameter, value]]),
    }));
}

function missingMembers({ body: start }: Call, { body: whole }: Call): Addition[] {
  if (whole === undefined || !isRecord(whole.value) || whole.raw !== undefined) return [];
  const known = start?.media === whole.media && isRecord(start.value) ? start.value : undefined;
  // An accepted call without a body only lacks the whole body, which was refused.
  if (known === undefined) return [];
  return Object.entries(whole.value)
    .filter(([name]) => !Object.hasOwn(known, name) && !LIFETIME.test(name))
    .map(([name, value]): Addition => (call) => {
      const { body } = call;
      return body === undefined
        ? call
        : { ...call, body: { ...body, value: { ...(body.value as object), [name]: value } } };
    });
}

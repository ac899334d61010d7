import { compileGlob } from '../model/glob.js';
import { LEVELS } from '../reports/diff/labels.js';
import { countChanges } from './select-changes.js';
import type { ChangeKind } from './change-catalog.js';
import { isLoosening } from './severity.js';
import type { ApiDiff, Change, Level, TouchedOperation } from './api-diff.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** A change that is accepted. All given members must match. */
export interface DiffWaiver {
  readonly kind?: ChangeKind;
  /** `GET /orders` or an operation id; `*` matches any text. */
  readonly operation?: string;
  /** Text in the message of the change. */
  readonly message?: string;
  /** Why it is accepted. */
  readonly reason: string;
  /** The last day on which it is accepted, such as `2027-01-31`. */
  readonly until?: string;
}

/** The user's own levels, and the changes that the user accepts. */
export interface DiffPolicy {
  /** The level of a kind of change, for both directions or for each. */
  readonly levels?: Readonly<
    Partial<Record<ChangeKind, Level | { readonly request?: Level; readonly response?: Level }>>
  >;
  /** Whether a response that may contain more than before is breaking. Default: `false` (risky). */
  readonly strictResponses?: boolean;
  /** `semver`: breaking changes require a new major version, from 1.0.0 on. Default: versions are not compared. */
  readonly versionRule?: 'semver';
  readonly waivers?: readonly DiffWaiver[];
}

/**
 * Applies a policy to a diff: levels first, then waivers. A change that is waived for one operation still counts for
 * the others.
 *
 * @param now - the time that decides which waivers have ended.
 */
export function applyPolicy(diff: ApiDiff, policy: DiffPolicy, now: Date): ApiDiff {
  const leveled = diff.changes.map((change) => changeLevel(change, policy));
  const today = now.toISOString().slice(0, 10);
  const waivers = (policy.waivers ?? []).map((waiver) => ({
    waiver,
    isCurrent: waiver.until === undefined || today <= waiver.until,
    count: 0,
  }));
  const changes: Change[] = [];
  let waived = 0;
  for (const change of leveled) {
    let left: Change | undefined = change;
    for (const entry of waivers) {
      if (left === undefined || !entry.isCurrent) continue;
      const rest: Change | undefined = waive(left, entry.waiver);
      if (rest !== left) entry.count += 1;
      left = rest;
    }
    if (left === undefined) waived += 1;
    else changes.push(left);
  }
  const notes = waivers
    .filter(({ count, isCurrent }) => count === 0 || !isCurrent)
    .map(
      ({ waiver, isCurrent }) =>
        `The waiver ${stringifyExactJson(waiver.reason)} ${isCurrent ? 'fits no change' : `ended on ${waiver.until}`}.`,
    );
  const sorted = changes.toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return { ...diff, changes: sorted, counts: countChanges(sorted), waived, notes };
}

function changeLevel(change: Change, { levels = {}, strictResponses = false }: DiffPolicy): Change {
  const own = levels[change.kind];
  const isStrict = strictResponses && isLoosening(change.kind);
  const pick = (direction: 'request' | 'response'): Level | undefined => {
    if (change[direction] === undefined) return undefined;
    const named = typeof own === 'object' ? own[direction] : own;
    return named ?? (isStrict && direction === 'response' ? 'breaking' : change[direction]);
  };
  const [request, response] = [pick('request'), pick('response')];
  return {
    ...change,
    level: LEVELS.find((level) => level === request || level === response) ?? change.level,
    ...(request === undefined ? {} : { request }),
    ...(response === undefined ? {} : { response }),
  };
}

/**
 * Removes the waived operations from a change. Returns `undefined` if none is left, and the change itself if the waiver
 * does not match.
 */
function waive(change: Change, { kind, operation, message }: DiffWaiver): Change | undefined {
  if (kind !== undefined && kind !== change.kind) return change;
  if (message !== undefined && !change.message.includes(message)) return change;
  if (operation === undefined) return undefined;
  const kept = change.operations.filter((one) => !matchesOperation(one, operation));
  if (kept.length === change.operations.length) return change;
  return kept.length === 0 ? undefined : { ...change, operations: kept };
}

function matchesOperation({ id, method, path }: TouchedOperation, pattern: string): boolean {
  const test = compileGlob(pattern, { ignoreCase: true });
  return test.test(id) || test.test(`${method} ${path}`);
}

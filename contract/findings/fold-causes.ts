import { type FindingPlace, rankOf } from '../../reports/contract/contract-report.js';
import type { RuleName } from '../checks/problem.js';
import type { CheckName, Finding } from '../types.js';

/** A finding, and what decides on its cause. */
export interface FoundCause {
  readonly finding: Finding;
  readonly rule: RuleName | undefined;
  /** Where the operation describes what it accepts. */
  readonly operationPlace: FindingPlace | undefined;
  /** Whether it is about the response to an invalid request that was accepted. */
  readonly isOfAccepted: boolean;
  /** How many findings it is made of. Default: one. */
  readonly size?: number;
}

/** Whether an operation has refused an invalid value at a place of its requests or below; anywhere, without one. */
export type HasRefused = (operationId: string, place?: string) => boolean;

/** Checks that concern the server as a whole: the same message at several operations is one cause. */
const SHARED: ReadonlySet<CheckName> = new Set([
  'documented status',
  'content type',
  'response headers',
  'no echo in HTML',
  'unsupported method',
]);

/** Checks of credentials: one requirement of the spec, which a server enforces for all of its operations or for none. */
const OF_SECURITY: ReadonlySet<CheckName> = new Set(['authentication required', 'wrong credential refused']);

/** Merges findings with the same cause, the worst of them first, with the other places in `alsoAt`. */
export function foldCauses(found: readonly FoundCause[], hasRefused: HasRefused): Finding[] {
  return foldBy(foldUnchecked(found, hasRefused), sharedCause).map(({ finding }) => finding);
}

/**
 * Leaves out the invalid values that a response shows because the request with them was accepted: that is the cause.
 * Reads that show such a value later have the same cause.
 */
export function withoutEffects(found: readonly FoundCause[]): FoundCause[] {
  const effects = new Map<FoundCause, FoundCause>();
  const add = (isEffect: (one: FoundCause) => boolean, causeOf: (one: FoundCause) => FoundCause | undefined): void => {
    for (const one of found.filter(({ finding }) => finding.check === 'response schema').filter(isEffect)) {
      const cause = causeOf(one);
      if (cause !== undefined) effects.set(one, cause);
    }
  };
  const accepted = found.filter(({ finding }) => finding.check === 'invalid input refused');
  add(
    ({ isOfAccepted }) => isOfAccepted,
    (one) => {
      const own = accepted.filter(({ finding }) => finding.operationId === one.finding.operationId);
      return own.find((other) => isSameRule(one, other)) ?? own[0];
    },
  );
  const shown = [...effects];
  add(
    ({ isOfAccepted }) => !isOfAccepted,
    (one) => shown.find(([other]) => isSameRule(one, other))?.[1],
  );
  return found.flatMap((one) => {
    if (effects.has(one)) return [];
    const own = [...effects].filter(([, cause]) => cause === one).map(([effect]) => effect.finding);
    return [{ ...one, finding: own.reduce(withEffect, one.finding) }];
  });
}

function isSameRule(one: FoundCause, other: FoundCause): boolean {
  const texts = [one, other].map(({ finding: { place }, rule }) =>
    [place?.file, place?.pointer, rule?.member].join('\n'),
  );
  return one.finding.place !== undefined && texts[0] === texts[1];
}

/** The cause of a finding: as severe as that, with its place if it is at another operation. */
function withEffect(cause: Finding, effect: Finding): Finding {
  const severity = rankOf(effect.severity) < rankOf(cause.severity) ? effect.severity : cause.severity;
  const merged = effect.operationId === cause.operationId ? cause : merge(cause, effect);
  return { ...merged, count: cause.count, severity };
}

/** A rule about a request: the keyword, and the place that breaks it, such as `body/name` or `query size`. */
interface RequestRule {
  readonly keyword: string;
  readonly pointer: string;
}

/**
 * Where a server must look to see that a rule is broken: for a missing member, the object around it. `undefined` for
 * the form of a whole body, which frameworks check on their own.
 */
export function checkedPlace({ keyword, pointer }: RequestRule): string | undefined {
  if (pointer === 'body') return undefined;
  const end = pointer.lastIndexOf('/');
  return keyword === 'required' ? pointer.slice(0, Math.max(0, end)) : pointer;
}

/** The places around one and itself, the outermost first: `body`, `body/size`, `body/size/width`. */
function placesAround(place: string): string[] {
  const steps = place.split('/');
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

/** What operations have in common: a rule of the spec, a message of the server as a whole, or a kind of leniency. */
function sharedCause({ finding, rule }: FoundCause): string | undefined {
  const { check, status, message, place, severity } = finding;
  if (SHARED.has(check)) return [check, status, message].join('\n');
  if (place !== undefined && OF_SECURITY.has(check)) return [check, place.file, place.pointer].join('\n');
  if (rule === undefined || place === undefined) return undefined;
  // Frameworks look at the media type for all operations, or for none.
  if (check === 'invalid input refused' && rule.keyword === 'content type') return [check, rule.keyword].join('\n');
  // Servers that take null for an absent value, or true for 1, do so everywhere.
  if (check === 'invalid input refused' && severity === 'note')
    return [check, severity, rule.keyword, /\bis null\.$/.test(message)].join('\n');
  return [check, place.file, place.pointer, rule.keyword, rule.member].join('\n');
}

/** Merges what an operation accepts that refuses nothing, or nothing below one place of its requests. */
function foldUnchecked(found: readonly FoundCause[], hasRefused: HasRefused): FoundCause[] {
  const uncheckedPlace = ({ finding: { check, operationId, pointer }, rule }: FoundCause): string | undefined => {
    if (check !== 'invalid input refused' || rule === undefined) return undefined;
    if (!hasRefused(operationId)) return '';
    const place = checkedPlace({ keyword: rule.keyword, pointer });
    return place === undefined ? undefined : placesAround(place).find((one) => !hasRefused(operationId, one));
  };
  const folded = foldBy(found, (one) => {
    const place = uncheckedPlace(one);
    return place === undefined ? undefined : `${one.finding.operationId}\n${place}`;
  });
  return folded.map((one) => (one.size === undefined ? one : withoutRule(one, uncheckedPlace(one) ?? '')));
}

/** The cause is that there is no check, whatever rule comes first. */
function withoutRule({ finding, size = 1, ...facts }: FoundCause, place: string): FoundCause {
  const { operationId, message } = finding;
  const what = place === 'body' ? 'its body' : place.replace(' ', ' parameter ');
  const verdict = place === '' ? 'checks nothing' : `does not check ${what}`;
  const example = message.replace(/^An invalid request was accepted: /, '');
  const told = `${operationId} ${verdict}: it accepted ${size} kinds of invalid requests, such as: ${example}`;
  const { place: own, allowed: _, ...rest } = finding;
  const shown = place === '' || place === 'body' ? (facts.operationPlace ?? own) : own;
  return {
    finding: { ...rest, message: told, ...(shown === undefined ? {} : { place: shown }) },
    ...facts,
    rule: undefined,
  };
}

function foldBy(found: readonly FoundCause[], causeOf: (one: FoundCause) => string | undefined): FoundCause[] {
  const folded = new Map<unknown, FoundCause>();
  for (const one of found) {
    const cause = causeOf(one) ?? one;
    const known = folded.get(cause);
    folded.set(cause, known === undefined ? one : join(known, one));
  }
  return [...folded.values()];
}

function join(known: FoundCause, one: FoundCause): FoundCause {
  return { ...known, finding: merge(known.finding, one.finding), size: (known.size ?? 1) + (one.size ?? 1) };
}

function merge(first: Finding, other: Finding): Finding {
  const places = [
    ...(first.alsoAt ?? []),
    { operationId: other.operationId, pointer: other.pointer },
    ...(other.alsoAt ?? []),
  ];
  const keyOf = ({ operationId, pointer }: Pick<Finding, 'operationId' | 'pointer'>): string =>
    `${operationId}\n${pointer}`;
  const alsoAt = [...new Map(places.map((place) => [keyOf(place), place])).values()].filter(
    (place) => keyOf(place) !== keyOf(first),
  );
  return { ...first, count: first.count + other.count, ...(alsoAt.length === 0 ? {} : { alsoAt }) };
}

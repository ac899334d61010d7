import { foldName, toSingular } from './inflection.js';

/** A bound that a parameter's name means, on a member of items. */
export interface Bound<Member> {
  readonly member: Member;
  readonly test: 'from' | 'to';
  /** Whether an item at the bound is listed; unknown for words such as `after`. */
  readonly isInclusive: boolean;
}

/** Affixes of a member's name that mean a bound, without letter case and separators. */
const AFFIXES: readonly (readonly [RegExp, Bound<unknown>['test'], boolean])[] = [
  [/^(?:minimum|min|from)(.+)$|^(.+?)(?:min|gte|from)$/, 'from', true],
  [/^(?:maximum|max|to|until)(.+)$|^(.+?)(?:max|lte|to|until)$/, 'to', true],
  [/^(?:after|since)(.+)$|^(.+?)(?:gt|after|since)$/, 'from', false],
  [/^before(.+)$|^(.+?)(?:lt|before)$/, 'to', false],
];

/** Matches descriptions that say whether an item at a bound is listed. */
const INCLUDED =
  /\b(?:inclusive(?:ly)?|or (?:equal|later|earlier|more|less|higher|lower|newer|older|after|before|exactly)|at least|at most|at this time|up to and including|(?:is|are) included)\b/i;
const EXCLUDED =
  /\b(?:exclusive(?:ly)?|strictly|before|after|earlier than|later than|(?:less|more|greater|lower|higher|older|newer) than|excluding|(?:is|are) excluded)\b/i;

/** What the description of a bound says about an item at it. */
export function saidOfBound(description: string): 'included' | 'excluded' | undefined {
  if (INCLUDED.test(description)) return 'included';
  return EXCLUDED.test(description) ? 'excluded' : undefined;
}

/** Words that may follow or precede a name: `minTotal` is about a `totalAmount`, `minPrice` about a `listPrice`. */
const BEHIND = /^(?:amount|price|value|costs?|sum|total|seconds|minutes|hours|days|cents)$/;
const BEFORE = /^(?:total|grand|overall|full|current|actual|average|list)$/;

interface Members<Member> {
  /** By name, without letter case and separators. */
  readonly members: ReadonlyMap<string, Member>;
  /** The noun of the list. */
  readonly noun: string;
  /** Whether the parameter is a number; then a member whose name is longer by one word also counts. */
  readonly isNumber: boolean;
  readonly isNumeric: (member: Member) => boolean;
}

/** Finds the bound that a parameter means: `min_price`, `created_from`, `total[lte]`. */
export function findBound<Member>(subject: string, of: Members<Member>): Bound<Member> | undefined {
  for (const [pattern, test, isInclusive] of AFFIXES) {
    const found = pattern.exec(subject);
    const name = found?.[1] ?? found?.[2];
    if (name === undefined) continue;
    const member =
      of.members.get(name) ?? of.members.get(`${name}at`) ?? (of.isNumber ? longerName(name, of) : undefined);
    if (member !== undefined) return { member, test, isInclusive };
  }
  return undefined;
}

/** The only numeric member whose name extends the name of a bound by one word, such as the noun of the list. */
function longerName<Member>(name: string, { members, noun, isNumeric }: Members<Member>): Member | undefined {
  const folded = foldName(toSingular(noun));
  const isLonger = (own: string): boolean => {
    const [before, behind] = [own.slice(0, -name.length), own.slice(name.length)];
    return (
      (own.startsWith(name) && BEHIND.test(behind)) ||
      (own.endsWith(name) && (BEFORE.test(before) || before === folded))
    );
  };
  const fitting = [...members].filter(([own, member]) => isLonger(own) && isNumeric(member));
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

import { toLiteral } from '../../model/identifiers.js';
import { isRecord } from '../../model/document/records.js';
import type { Exchange } from '../types.js';
import type { Assertion, AssertionKinds, AssertionOf, Compared, Evidence, IdValue, Value } from './assertion.js';
import { isShownAs, printShownAs } from '../shown-as.js';
import { isSame, printSame } from './is-same.js';
import type { Kind, Texts } from './kind.js';
import { LIST_KINDS } from './list-kinds.js';
import type { Printer } from './printer.js';
import { RESPONSE_KINDS } from './response-kinds.js';
import { isEmpty, isMissing, readValue, valueCode, valueExchanges, valueText } from './values.js';
import { showJson } from '../../model/exact-json.js';

/** The parts that all comparisons of two values have in common. */
const COMPARISON = {
  exchanges: ({ left, right }: Compared) => [...valueExchanges(left), ...valueExchanges(right)],
  ids: ({ left, right }: Compared) => [left, right].flatMap((value) => ('id' in value ? [value.id] : [])),
  texts: ({ left, right }: Compared, evidence: Evidence) => ({
    expected: valueText(right, evidence),
    actual: valueText(left, evidence),
  }),
};

const PATTERN = {
  exchanges: ({ value }: AssertionKinds['matches']) => valueExchanges(value),
  texts: ({ value, pattern }: AssertionKinds['matches'], evidence: Evidence) => ({
    expected: `a text that matches ${pattern}`,
    actual: valueText(value, evidence),
  }),
};

const KINDS: { readonly [K in Assertion['expects']]: Kind<AssertionOf<K>> } = {
  same: {
    ...COMPARISON,
    holds: (assertion, evidence) => {
      const [shown, wanted] = readBoth(assertion, evidence);
      // A null member may be left out.
      return (wanted === null && shown === undefined) || isSame(wanted, shown);
    },
    print: ({ left, right }, printer) => {
      const code = { shown: valueCode(left, printer), wanted: valueCode(right, printer) };
      return [printSame(code, readValue(right, printer.evidence))];
    },
  },
  shown: {
    ...COMPARISON,
    holds: (assertion, evidence) => {
      const [shown, wanted] = readBoth(assertion, evidence);
      // Members that were not sent need not be shown. Those of an object are compared one by one.
      if (wanted === undefined) return true;
      return isRecord(wanted) ? isRecord(shown) : isShownAs(wanted, shown, assertion.order);
    },
    print: ({ left, right, order }, printer) => {
      const wanted = readValue(right, printer.evidence);
      const code = { shown: valueCode(left, printer), wanted: valueCode(right, printer) };
      return [printShownAs(code, wanted, order)];
    },
  },
  other: {
    ...COMPARISON,
    holds: (assertion, evidence) => {
      const [left, right] = readBoth(assertion, evidence);
      return left === undefined || !isSame(right, left);
    },
    print: ({ left, right }, printer) => [
      `expect(${valueCode(left, printer)}).not.toEqual(${valueCode(right, printer)});`,
    ],
    texts: ({ left }, evidence) => ({ expected: 'another value', actual: valueText(left, evidence) }),
  },
  'at least': {
    ...COMPARISON,
    isAboutMany: true,
    holds: (assertion, evidence) => {
      const [left, right] = readBoth(assertion, evidence);
      return Number(left) >= Number(right);
    },
    print: ({ left, right }, printer) => [
      `expect(${valueCode(left, printer)}).toBeGreaterThanOrEqual(${valueCode(right, printer)});`,
    ],
  },
  matches: {
    ...PATTERN,
    holds: ({ value, pattern }, evidence) => {
      const read = readValue(value, evidence);
      return read !== undefined && new RegExp(pattern).test(asText(read));
    },
    print: ({ value, pattern }, printer) => [
      // No header is null, which is no text.
      `expect(${textCode(value, printer)}${new RegExp(pattern).test('') ? '' : " ?? ''"}).toMatch(new RegExp(${toLiteral(pattern)}));`,
    ],
  },
  'matches not': {
    ...PATTERN,
    holds: ({ value, pattern }, evidence) => !new RegExp(pattern).test(asText(readValue(value, evidence))),
    print: ({ value, pattern }, printer) => [
      `expect(${textCode(value, printer)} ?? '').not.toMatch(new RegExp(${toLiteral(pattern)}));`,
    ],
    texts: ({ value }, evidence) => ({ expected: 'another text', actual: valueText(value, evidence) }),
  },
  present: {
    exchanges: ({ value }) => valueExchanges(value),
    holds: ({ value }, evidence) => !isMissing(readValue(value, evidence)),
    print: ({ value }, printer) => [`expect(${valueCode(value, printer)} ?? null).not.toBeNull();`],
    texts: ({ value }, evidence) => ({ expected: 'a value', actual: valueText(value, evidence) }),
  },
  empty: {
    exchanges: ({ value }) => valueExchanges(value),
    holds: ({ value }, evidence) => isEmpty(readValue(value, evidence)),
    print: ({ value }, printer) => [`expect(${valueCode(value, printer)} || null).toBeNull();`],
    texts: ({ value }, evidence) => ({ expected: 'no value', actual: valueText(value, evidence) }),
  },
  ...LIST_KINDS,
  ...RESPONSE_KINDS,
};

/** The left and the right value of a comparison. */
function readBoth({ left, right }: Compared, evidence: Evidence): readonly [unknown, unknown] {
  return [readValue(left, evidence), readValue(right, evidence)];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : showJson(value, '');
}

/** The code for `asText`, as far as the kind of the value decides. */
function textCode(value: AssertionKinds['matches']['value'], printer: Printer): string {
  const code = valueCode(value, printer);
  if (value.from !== 'response') return code;
  return typeof readValue(value, printer.evidence) === 'string' ? code : `JSON.stringify(${code})`;
}

function kindOf(assertion: Assertion): Kind<Assertion> {
  return KINDS[assertion.expects] as Kind<Assertion>;
}

/** The exchanges that an assertion looks at. */
export function exchangesOf(assertion: Assertion): readonly Exchange[] {
  return kindOf(assertion).exchanges(assertion);
}

/** The ids of the items that an assertion is about. */
export function idsIn(assertion: Assertion): readonly IdValue[] {
  return kindOf(assertion).ids?.(assertion) ?? [];
}

/** Whether an assertion is about several items of a list, not about one that the run has created. */
export function isAboutMany(assertion: Assertion): boolean {
  const values =
    'left' in assertion ? [assertion.left, assertion.right] : 'value' in assertion ? [assertion.value] : [];
  return kindOf(assertion).isAboutMany === true || values.some(dependsOnMany);
}

/** Whether a value depends on how many items there are, as the link to a next page does. */
function dependsOnMany(value: Value): boolean {
  return (
    value.from === 'count' ||
    value.from === 'link query' ||
    (value.from === 'header' && value.name.toLowerCase() === 'link')
  );
}

export function holds(assertion: Assertion, evidence: Evidence): boolean {
  return kindOf(assertion).holds(assertion, evidence);
}

/** Prints an assertion as `expect` calls of a test. */
export function printAssertion(assertion: Assertion, printer: Printer): string[] {
  const lines = kindOf(assertion).print(assertion, printer);
  return [...printer.declarations, ...lines];
}

/** What an assertion expects and what was seen, as texts of a finding. */
export function textsOf(assertion: Assertion, evidence: Evidence): Texts {
  return kindOf(assertion).texts(assertion, evidence);
}

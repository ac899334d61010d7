import { expect, test } from 'vitest';

import { CaseChooser, defaultCases, defaultRequests } from '../../contract/plan/choose-cases.js';
import type { Case, Expectation } from '../../contract/types.js';
import type { Operation } from '../../model/api.js';

const call = { operation: {} as Operation, parameters: new Map() };

function caseOf(expectation: Expectation): Case {
  return { phase: 'negative', call, expectation };
}

function invalid(keyword: string, pointer: string): Case {
  return caseOf({ kind: 'invalid', keyword, pointer, message: '' });
}

function keywordsOf(cases: readonly Case[]): string[] {
  return cases.map(({ expectation }) => (expectation.kind === 'invalid' ? expectation.keyword : expectation.kind));
}

test('the fewer operations an API has, the more cases of each are tried', () => {
  const counts = [1, 30, 50, 100, 200, 2_000].map((operations) => defaultCases(operations));
  expect(counts).toEqual([60, 60, 33, 13, 3, 3]);
});

test('a run on a large API has a larger budget of requests', () => {
  const counts = [1, 24, 40, 100, 200, 1_000].map((operations) => defaultRequests(operations));
  expect(counts).toEqual([2_900, 2_900, 4_800, 6_000, 6_000, 30_000]);
});

test('all cases are chosen if they are few enough', () => {
  const cases = [invalid('type', '/a'), invalid('type', '/b')];
  expect(new CaseChooser().choose(cases, 2)).toEqual(cases);
});

test('each kind is chosen before a second case of one', () => {
  const cases = [invalid('type', '/a'), invalid('type', '/b'), invalid('minLength', '/a'), invalid('required', '')];
  expect(keywordsOf(new CaseChooser().choose(cases, 3))).toEqual(['type', 'minLength', 'required']);
});

test('over many operations, each kind is chosen about as often', () => {
  const chooser = new CaseChooser();
  const kinds = ['type', 'minLength', 'maxLength', 'required', 'enum', 'format'];
  const cases = kinds.map((keyword) => invalid(keyword, '/a'));
  const chosen = Array.from({ length: 10 }, () => keywordsOf(chooser.choose(cases, 3))).flat();
  expect(kinds.map((kind) => chosen.filter((one) => one === kind).length)).toEqual([5, 5, 5, 5, 5, 5]);
});

test('a missing credential is chosen for each operation', () => {
  const chooser = new CaseChooser();
  const cases = [invalid('type', '/a'), invalid('required', ''), caseOf({ kind: 'unauthenticated' })];
  const chosen = Array.from({ length: 4 }, () => keywordsOf(chooser.choose(cases, 1)));
  expect(chosen).toEqual(Array.from({ length: 4 }, () => ['unauthenticated']));
});

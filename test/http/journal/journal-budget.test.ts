import { expect, it } from 'vitest';

import { JournalBudget } from '../../../http/journal/journal-limits.js';
import { JournalRing } from '../../../http/journal/journal.js';
import type { Redact } from '../../../http/secrets/redaction.js';
import type { JournalDraft } from '../../../server/sandbox/sandbox.js';

const redact: Redact = {
  headers: (headers) => ({ ...headers }),
  target: (target) => target,
  body: (body) => body,
  text: (text) => text,
};

function call(path: string, size = 60_000): JournalDraft {
  return {
    at: 0,
    method: 'POST',
    path,
    status: 200,
    request: { headers: {}, json: JSON.stringify('x'.repeat(size)) },
    response: { headers: {} },
    violations: [],
  };
}

const pathsOf = (journal: JournalRing): string[] => journal.entries().map(({ path }) => path);

it('the journals drop their oldest calls beyond one common limit', () => {
  const budget = new JournalBudget(1_000_000);
  const journals = Array.from({ length: 4 }, () => new JournalRing(redact, { budget }));
  for (let count = 0; count < 100; count += 1) journals[count % 4]?.add(call(`/${count}`));
  expect(budget.bytes).toBeLessThanOrEqual(1_000_000);
  const left = journals.flatMap(pathsOf);
  expect(left.length).toBeGreaterThan(5);
  expect(left.map((path) => Number(path.slice(1))).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: left.length }, (_none, index) => 100 - left.length + index),
  );
});

it('the budget does not count calls that a journal has dropped or cleared', () => {
  const budget = new JournalBudget();
  const journal = new JournalRing(redact, { budget });
  for (let count = 0; count < 2_500; count += 1) journal.add(call(`/${count}`, 10));
  const bytes = budget.bytes;
  for (let count = 0; count < 1_000; count += 1) journal.add(call(`/${count + 2_500}`, 10));
  expect(budget.bytes).toBe(bytes);
  expect(journal.entries()[0]?.id).toBe('2501');
  journal.clear();
  expect([budget.bytes, pathsOf(journal)]).toEqual([0, []]);
});

it('the journal keeps a bounded number of violations of bounded length', () => {
  const journal = new JournalRing(redact, { budget: new JournalBudget() });
  const violation = { in: 'body', pointer: '/a'.repeat(5_000), message: 'm'.repeat(100_000) } as const;
  journal.add({ ...call('/x', 1), violations: Array.from({ length: 10_000 }, () => violation) });
  const [entry] = journal.entries();
  expect(entry?.violations).toHaveLength(100);
  expect(JSON.stringify(entry).length).toBeLessThan(250_000);
});

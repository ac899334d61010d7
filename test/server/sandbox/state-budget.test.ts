import { describe, expect, it, onTestFinished } from 'vitest';

import { StateBudget, type StateLimits } from '../../../server/sandbox/state-budget.js';
import { startMock } from '../../../entry/mock.js';
import { MemoryStore } from '../../../server/stores/memory-store.js';
import { loadDocument } from '../../support/load-document.js';
import { object, smallSpec, TEXT } from '../../support/small-spec.js';

const open = (budget: StateBudget, limits: StateLimits) => {
  const share = budget.open(limits);
  return { store: new MemoryStore({ limit: share }), close: () => share.close() };
};
const limits = (perSandbox: number, together: number): StateLimits => ({ perSandbox, together });
/** Letters that take two bytes each. */
const text = (length: number): object => ({ text: 'ж'.repeat(length) });

describe('the memory for state', () => {
  it('a write beyond the limit of a sandbox gets 507, and the state is unchanged', async () => {
    const { store } = open(new StateBudget(), limits(10_000, 100_000));
    await store.put('a', '1', text(2_000));
    await expect(store.put('a', '2', text(4_000))).rejects.toMatchObject({ status: 507 });
    await expect(store.update('a', '1', () => text(6_000))).rejects.toMatchObject({ status: 507 });
    expect((await store.get('a', '1'))?.value).toEqual(text(2_000));
    expect(await store.get('a', '2')).toBeUndefined();
  });

  it('the memory for state is shared by all sandboxes, and released by a delete, a reset or the end of a sandbox', async () => {
    const budget = new StateBudget();
    const tight = limits(10_000, 15_000);
    const [one, other] = [open(budget, tight), open(budget, tight)];
    await one.store.put('a', '1', text(4_000));
    await expect(other.store.put('a', '1', text(4_000))).rejects.toMatchObject({ status: 507 });
    await one.store.delete('a', '1');
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '1', text(4_000));
    await other.store.clear();
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '1', text(4_000));
    other.close();
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '2', text(1_000));
    expect(budget.bytes).toBe(0);
  });

  it('a Latin text counts one byte for each character, any other two', async () => {
    const budget = new StateBudget();
    const { store } = open(budget, limits(100_000, 100_000));
    await store.put('a', '1', { text: 'x'.repeat(10_000) });
    expect(budget.bytes).toBeLessThan(11_000);
    await store.put('a', '1', text(10_000));
    expect(budget.bytes).toBeGreaterThan(20_000);
  });

  it('a restored state is counted once, and one that is too large is refused and changes nothing', async () => {
    const budget = new StateBudget();
    const { store } = open(budget, limits(10_000, 100_000));
    await store.put('a', '1', text(1_000));
    const contents = await store.dump();
    await store.load(contents);
    const before = budget.bytes;
    await store.load(contents);
    expect(budget.bytes).toBe(before);
    const large = [{ collection: 'a', items: [{ id: '1', version: 1, value: text(20_000) }] }];
    await expect(store.load(large)).rejects.toMatchObject({ status: 507 });
    expect((await store.get('a', '1'))?.value).toEqual(text(1_000));
  });

  it('a state that cannot be restored leaves the counted memory unchanged', async () => {
    const budget = new StateBudget();
    const { store } = open(budget, limits(10_000, 100_000));
    await store.put('a', '1', text(1_000));
    const before = budget.bytes;
    const wrong = { ...text(2_000), at: new Date(0) };
    await expect(store.load([{ collection: 'a', items: [{ id: '1', version: 1, value: wrong }] }])).rejects.toThrow(
      'The state cannot hold an instance of Date',
    );
    expect(budget.bytes).toBe(before);
  });

  it('an undefined member of a restored state is not counted', async () => {
    const budget = new StateBudget();
    const { store } = open(budget, limits(10_000, 100_000));
    await store.load([{ collection: 'a', items: [{ id: '1', version: 1, value: { text: 'a', more: undefined } }] }]);
    await store.delete('a', '1');
    expect(budget.bytes).toBe(0);
  });
});

const NOTE = object({ id: TEXT, text: TEXT }, ['id']);
const NOTES = smallSpec({
  'POST /notes createNote': { takes: object({ text: TEXT }), returns: NOTE, status: 201 },
  'GET /notes/{id} readNote': { returns: NOTE },
});

describe('The option maxState', () => {
  it('limits the state of a sandbox, and a diagnostic names it at 80 %', async () => {
    const diagnostics: string[] = [];
    const mock = await startMock(await loadDocument(NOTES), {
      maxState: '100kB,1MB',
      onDiagnostic: ({ code, message }) => void diagnostics.push(`${code}: ${message}`),
    });
    onTestFinished(() => mock.close());
    const create = async (): Promise<Response> =>
      mock.fetch(`${mock.url}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(text(2_000)),
      });
    const statuses: number[] = [];
    while (statuses.length < 40 && statuses.at(-1) !== 507) statuses.push((await create()).status);
    expect(statuses.length).toBeLessThan(30);
    expect(diagnostics).toEqual([
      expect.stringMatching(
        /^state-nearly-full: The state of a sandbox takes 8\d % of the 100 kB that it may take; beyond that, writes get 507. The option max-state raises the limit.$/,
      ),
    ]);
    const refused = (await (await create()).json()) as { detail: string };
    expect(refused.detail).toContain('raise the limit with the option max-state');
    await mock.reset();
    expect((await create()).status).toBe(201);
  });

  it.each(['0', 'much', '1TB', '1MB,2MB,3MB', '-1MB'])('refuses %s', async (maxState) => {
    await expect(startMock(await loadDocument(NOTES), { maxState })).rejects.toThrow(
      'The option max-state must be a size such as 512MB or 2GB, not',
    );
  });
});

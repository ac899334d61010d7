import path from 'node:path';

import { expect, test } from 'vitest';

import { type ContractReport, runContract, toText } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';

const SPEC = path.join(import.meta.dirname, 'specs/messages.yaml');

interface Message {
  readonly id: string;
  readonly text: string;
  readonly isUnread: boolean;
}

interface Faults {
  /** What one read has shown, all others show, too. */
  readonly readsAreStale?: boolean;
  /** Pages after the first leave out their first message. */
  readonly pagesLeaveOut?: boolean;
}

/** Three messages, which no operation makes more of. */
function serveMessages({ readsAreStale, pagesLeaveOut }: Faults, journal: string[]): typeof fetch {
  const messages = new Map<string, Message>(
    ['a', 'b', 'c'].map((id) => [id, { id, text: `Message ${id}`, isUnread: true }]),
  );
  const shown = new Map<string, Message>();
  const read = (id: string): void => {
    const known = messages.get(id);
    if (known !== undefined) messages.set(id, { ...known, isUnread: false });
  };
  return async (input, init) => {
    const { method, url } = new Request(input, init);
    const { pathname, searchParams } = new URL(url);
    const id = decodeURIComponent(pathname.split('/')[2] ?? '');
    journal.push(`${method} ${id === '' ? 'all' : messages.has(id) ? 'one' : 'none'}`);
    if (id !== '' && !messages.has(id)) return new Response(null, { status: 404 });
    const known = messages.get(id);
    switch (`${method} ${known === undefined ? 'all' : 'one'}`) {
      case 'GET all': {
        const [all, page, size] = ['all', 'page', 'per_page'].map((name) => searchParams.get(name));
        const [number, count] = [Number(page ?? 1), Number(size ?? 50)];
        const isWrong = [number, count].some((one) => !Number.isInteger(one) || one < 1) || count > 50;
        if (isWrong || ![undefined, null, 'true', 'false'].includes(all)) return new Response('no', { status: 400 });
        const visible = [...messages.values()].filter(({ isUnread }) => isUnread || all === 'true');
        const start = (number - 1) * count + (pagesLeaveOut === true && number > 1 ? 1 : 0);
        return Response.json(visible.slice(start, number * count));
      }
      case 'GET one':
        if (readsAreStale === true && !shown.has(id)) shown.set(id, known as Message);
        return Response.json(shown.get(id) ?? known);
      case 'PUT all':
        for (const one of messages.keys()) read(one);
        return new Response(null, { status: 204 });
      case 'PATCH one':
        read(id);
        return new Response(null, { status: 204 });
      case 'DELETE one':
        messages.delete(id);
        return new Response(null, { status: 204 });
      default:
        return new Response(null, { status: 405, headers: { allow: 'GET' } });
    }
  };
}

async function runMessages(
  faults: Faults,
  journal: string[] = [],
  // Some changes are of the whole collection.
  touchExisting = true,
): Promise<ContractReport> {
  const options = { api: await loadApi(SPEC), url: 'http://127.0.0.1:9', maxExamples: 3, touchExisting };
  return runContract({ ...options, fetch: serveMessages(faults, journal) });
}

test.each<readonly [string, Faults, readonly string[]]>([
  ['without faults', {}, []],
  ['whose reads are stale', { readsAreStale: true }, ['update is visible /isUnread']],
  ['whose pages omit messages', { pagesLeaveOut: true }, ['paging adds up ']],
])('reports exactly the faults of a server %s, although the run cannot create a message', async (_, faults, wanted) => {
  const { findings } = await runMessages(faults);
  expect(findings.map(({ check, pointer }) => `${check} ${pointer}`)).toEqual(wanted);
});

test('deletes items that cannot be created again after everything else', async () => {
  const journal: string[] = [];
  await runMessages({}, journal);
  const first = journal.indexOf('DELETE one');
  expect(first).toBeGreaterThan(0);
  for (const line of ['GET one', 'GET all', 'PUT all', 'PATCH one']) expect(journal.slice(0, first)).toContain(line);
  expect(journal.slice(first)).not.toContain('PUT all');
  expect(journal.slice(first)).not.toContain('PATCH one');
});

test('by default, items that the run has not made are only read, and changes go to ids that no item has', async () => {
  const journal: string[] = [];
  const report = await runMessages({}, journal, false);
  const { reach, changed, findings } = report;
  const sent = [...new Set(journal)].toSorted();
  expect(sent).toEqual([
    'DELETE none',
    'GET all',
    'GET none',
    'GET one',
    'HEAD all',
    'HEAD one',
    'PATCH none',
    'POST all',
  ]);
  expect(reach.reasons).toEqual({
    readAllMessages: 'it may change items that were there before; --touch-existing',
  });
  expect(toText(report)).toContain(
    '--touch-existing sends 1 operation that may change existing items: readAllMessages',
  );
  expect({ changed, findings }).toEqual({ changed: [], findings: [] });
});

import { setTimeout as wait } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { loadDocument } from '../../support/load-document.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import { TEXT, object, smallSpec } from '../../support/small-spec.js';
import { findWrongTests } from '../replay-findings.js';

type Fault = 'same name' | 'same id';

const NAME = { ...TEXT, description: 'Must be unique.' };
const SHELF = object({ id: { ...TEXT, readOnly: true }, name: NAME }, ['name']);
const api = await loadDocument(
  smallSpec({
    'POST /shelves createShelf': { takes: SHELF, returns: SHELF, status: 201 },
    'GET /shelves/{id} getShelf': { returns: SHELF },
  }),
);

/** Serves shelves, each with its own name. With a fault, what it knows when a request arrives is old when it writes. */
function serveShelves(fault?: Fault): typeof fetch {
  const shelves = new Map<string, { readonly id: string; readonly name: string }>();
  let count = 0;
  const isTaken = (name: string): boolean => [...shelves.values()].some((shelf) => shelf.name === name);
  return async (input, init) => {
    const request = new Request(input, init);
    const id = new URL(request.url).pathname.split('/')[2];
    if (id !== undefined) {
      const shelf = request.method === 'GET' ? shelves.get(id) : undefined;
      return shelf === undefined ? new Response(null, { status: 404 }) : Response.json(shelf);
    }
    const sent = (await request.json().catch(() => null)) as { readonly name?: unknown } | null;
    if (typeof sent?.name !== 'string') return new Response(null, { status: 400 });
    const before = { isTaken: isTaken(sent.name), next: count + 1 };
    if (fault !== undefined) await wait(30);
    if (fault === 'same name' ? before.isTaken : isTaken(sent.name)) return new Response(null, { status: 409 });
    count += 1;
    const made = { id: `s${fault === 'same id' ? before.next : count}`, name: sent.name };
    shelves.set(made.id, made);
    return Response.json(made, { status: 201 });
  };
}

test.each<[Fault, string, string]>([
  ['same name', 'unique value', 'a status from 400 to 499 for one of them'],
  ['same id', 'unique id', 'its own id for each'],
])(
  'a %s of two creations at the same time is shown by a test that sends both at once',
  async (fault, check, expected) => {
    const options = { api, url: 'http://shelves.mock', phases: ['stateful' as const], maxExamples: 3 };
    const report = await runContract({ ...options, fetch: serveShelves(fault) });
    const findings = report.findings.filter((one) => one.check === check);
    expect(findings.map((one) => one.expected)).toEqual([expected]);
    expect(findings[0]?.test).toContain('await Promise.all([');
    expect(findings[0]?.curl).toMatch(/^curl .* &\ncurl .* &\nwait$/m);
    const wrong = await findWrongTests(findings, (code, server) =>
      runPastedTest(code, { fetch: serveShelves(server === 'faulty' ? fault : undefined), URL }),
    );
    expect(wrong).toEqual([]);
  },
);

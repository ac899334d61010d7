import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';

const SPEC = path.join(import.meta.dirname, 'specs/loans.yaml');

type Fault =
  | 'number by change'
  | 'number by creation'
  | 'same email'
  | 'old time'
  | 'other copy'
  | 'keeps reader'
  | 'all repairs'
  | 'search from start'
  | 'newest reader first'
  | 'withdraws twice'
  | 'withdraws nothing';

type Item = Readonly<Record<string, unknown>>;

const KINDS = new Set(['child', 'adult', 'school']);
const isText = (value: unknown, most = Infinity): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most;
const refuse = (status: number): Response => new Response(null, { status });

/** A server by hand of copies of books and their readers. */
class Library {
  readonly #faults: ReadonlySet<Fault>;
  readonly #readers = new Map<string, Item>();
  readonly #copies = new Map<string, Item>();
  readonly #loans = new Map<string, Item>();
  readonly #repairs = new Map<string, Item[]>();
  #count = 0;

  constructor(fault: Fault | undefined) {
    this.#faults = new Set(fault === undefined ? [] : [fault]);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const [, kind, id, below] = pathname.split('/').map((part) => decodeURIComponent(part));
    const { method } = request;
    const text = await request.text();
    const body = text === '' ? {} : (JSON.parse(text) as unknown);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse(400);
    const sent = body as Item;
    if (kind === 'readers') return this.#serveReader(method, id, { sent, query: searchParams });
    if (id === undefined) return method === 'POST' ? this.#addCopy(sent) : refuse(405);
    const copy = this.#copies.get(id);
    if (copy === undefined) return refuse(404);
    if (below === 'reader') return this.#serveLoan(method, id, sent);
    if (below === 'repairs') return this.#serveRepair(method, id, { sent, query: searchParams });
    if (below === 'withdraw') return method === 'POST' ? this.#withdraw(copy, id) : refuse(405);
    return method === 'GET' ? Response.json(copy) : refuse(405);
  };

  #serveReader(method: string, id: string | undefined, { sent, query }: Received): Response {
    if (id === undefined) return method === 'POST' ? this.#addReader(sent) : this.#listReaders(method, query);
    const known = this.#readers.get(id);
    if (known === undefined) return refuse(404);
    if (method === 'GET') return Response.json(known);
    if (method !== 'PATCH') return refuse(405);
    const { name = known['name'], isBlocked = known['isBlocked'], number } = sent;
    if (!isText(name, 40) || typeof isBlocked !== 'boolean') return refuse(400);
    const isTaken = this.#faults.has('number by change') && number !== undefined;
    const time = this.#faults.has('old time') ? {} : { updatedAt: new Date().toISOString() };
    const changed = { ...known, name, isBlocked, ...(isTaken ? { number } : {}), ...time };
    this.#readers.set(id, changed);
    return Response.json(changed);
  }

  #addReader({ name, email, kind, number }: Item): Response {
    const isValid = isText(name, 40) && isText(email, 60) && [...email].length >= 3 && KINDS.has(String(kind));
    if (!isValid || typeof kind !== 'string') return refuse(400);
    const isTaken = [...this.#readers.values()].some((one) => one['email'] === email);
    if (isTaken && !this.#faults.has('same email')) return refuse(409);
    this.#count += 1;
    const own = this.#faults.has('number by creation') ? (number ?? this.#count) : this.#count;
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, 0, this.#count)).toISOString();
    const reader = { id: `r${this.#count}`, number: own, isBlocked: false, updatedAt: time, name, email, kind };
    this.#readers.set(reader.id, reader);
    return Response.json(reader, { status: 201 });
  }

  #listReaders(method: string, query: URLSearchParams): Response {
    const [q, kind] = [query.get('q'), query.get('kind')];
    if (method !== 'GET') return refuse(405);
    if (q === '' || (kind !== null && kind !== 'all' && !KINDS.has(kind))) return refuse(400);
    const isFound = (name: string): boolean =>
      q === null || (this.#faults.has('search from start') ? name.startsWith(q) : name.includes(q));
    const shown = [...this.#readers.values()].filter((one) => isFound(String(one['name'])));
    const fitting = shown.filter((one) => kind === null || kind === 'all' || one['kind'] === kind);
    return Response.json(this.#faults.has('newest reader first') ? fitting.toReversed() : fitting);
  }

  #addCopy({ title }: Item): Response {
    if (!isText(title)) return refuse(400);
    this.#count += 1;
    const copy = { id: `c${this.#count}`, title, state: 'in_use' };
    this.#copies.set(copy.id, copy);
    return Response.json(copy, { status: 201 });
  }

  #withdraw(copy: Item, id: string): Response {
    if (copy['state'] === 'withdrawn' && !this.#faults.has('withdraws twice')) return refuse(409);
    const state = this.#faults.has('withdraws nothing') ? copy['state'] : 'withdrawn';
    const withdrawn = { ...copy, state };
    this.#copies.set(id, withdrawn);
    return Response.json(withdrawn);
  }

  #serveLoan(method: string, copyId: string, { readerId }: Item): Response {
    const known = this.#loans.get(copyId);
    if (method === 'GET') return known === undefined ? refuse(404) : Response.json(known);
    if (method !== 'PUT') return refuse(405);
    if (!isText(readerId) || !this.#readers.has(readerId)) return refuse(400);
    const loan = { copyId: this.#faults.has('other copy') ? 'c0' : copyId, readerId };
    if (known === undefined || !this.#faults.has('keeps reader')) this.#loans.set(copyId, loan);
    return Response.json(loan);
  }

  #serveRepair(method: string, copyId: string, { sent, query }: Received): Response {
    const known = this.#repairs.get(copyId) ?? [];
    const isKind = (value: unknown): boolean => value === 'cover' || value === 'pages';
    const kind = query.get('kind');
    if (method === 'GET') {
      if (kind !== null && !isKind(kind)) return refuse(400);
      const isAll = kind === null || this.#faults.has('all repairs');
      return Response.json(known.filter((one) => isAll || one['kind'] === kind));
    }
    if (method !== 'POST') return refuse(405);
    if (!isKind(sent['kind'])) return refuse(400);
    this.#count += 1;
    const repair = { id: `f${this.#count}`, kind: sent['kind'] };
    known.push(repair);
    this.#repairs.set(copyId, known);
    return Response.json(repair, { status: 201 });
  }
}

interface Received {
  readonly sent: Item;
  readonly query: URLSearchParams;
}

async function findingsOf(fault?: Fault): Promise<string[]> {
  const report = await runContract({
    spec: SPEC,
    url: 'http://library.test',
    fetch: new Library(fault).fetch,
    seed: 1,
    phases: ['stateful'],
  });
  return report.findings.map(({ check, operationId, pointer }) => [check, operationId, pointer].join(' ').trim());
}

test('a server that follows its spec has no findings', async () => expect(await findingsOf()).toEqual([]));

test.each<readonly [Fault, string]>([
  ['number by change', 'read-only ignored changeReader /number'],
  ['number by creation', 'read-only ignored addReader /number'],
  ['same email', 'unique value addReader /email'],
  ['old time', 'update is visible getReader /updatedAt'],
  ['other copy', 'belongs to parent lendCopy /copyId'],
  ['keeps reader', 'update is visible getLoan /readerId'],
  ['all repairs', 'filter listRepairs query kind'],
  ['search from start', 'filter listReaders query q'],
  ['newest reader first', 'sort order listReaders'],
  ['withdraws twice', 'conflict refused withdrawCopy'],
  ['withdraws nothing', 'update is visible getCopy /state'],
])('a server with the fault "%s" has the finding "%s"', async (fault, finding) =>
  expect(await findingsOf(fault)).toContain(finding),
);

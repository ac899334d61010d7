import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = path.join(import.meta.dirname, 'specs/gallery.yaml');

type Fault =
  | 'odd status later'
  | 'never done'
  | 'search of others'
  | 'one preferences'
  | 'unknown maker accepted'
  | 'unknown maker fails'
  | 'one of two filters'
  | 'no lowest total'
  | 'total of all'
  | 'search without limit';

type Item = Readonly<Record<string, unknown>>;

const KINDS: ReadonlySet<unknown> = new Set(['bowl', 'vase', 'plate']);
const COLOURS: ReadonlySet<unknown> = new Set(['red', 'blue', 'green']);
const isText = (value: unknown, most = Infinity): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most;
const isWhole = (text: string): boolean => /^\d{1,9}$/.test(text);
const refuse = (status: number): Response => new Response(null, { status });

interface Received {
  readonly user: string;
  readonly method: string;
  readonly id: string | undefined;
  readonly sent: Item;
  readonly query: URLSearchParams;
}

/** A server by hand of pieces of art, of which each user has their own. */
class Gallery {
  readonly #faults: ReadonlySet<Fault>;
  readonly #items = new Map<string, { readonly user: string; readonly item: Item }>();
  readonly #preferences = new Map<string, Item>();
  #count = 0;

  constructor(fault: Fault | undefined) {
    this.#faults = new Set(fault === undefined ? [] : [fault]);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams: query } = new URL(request.url);
    const [, kind = '', id] = pathname.split('/').map((part) => decodeURIComponent(part));
    const [, user] = /^Bearer (one|two)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (user === undefined) return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const text = await request.text();
    const sent: unknown = text === '' ? {} : parse(text);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return refuse(400);
    const received = { user, method: request.method, id, sent: sent as Item, query };
    if (kind === 'me') return this.#serveChoice(this.#faults.has('one preferences') ? '' : user, received);
    if (kind === 'settings' || kind === 'options') return this.#serveChoice('all', received);
    if (kind === 'search') return this.#search(received);
    if (kind === 'exports') return this.#serveExport(received);
    return kind === 'makers' ? this.#serveMaker(received) : this.#servePiece(received);
  };

  #serveChoice(owner: string, { method, sent }: Received): Response {
    const { theme, signature } = sent;
    if (method === 'PUT') {
      const isValid = (theme === 'light' || theme === 'dark') && (signature === '' || isText(signature, 100));
      if (!isValid) return refuse(400);
      this.#preferences.set(owner, { theme, signature });
    } else if (method !== 'GET') return refuse(405);
    return Response.json(this.#preferences.get(owner) ?? { theme: 'light', signature: '' });
  }

  #search({ user, method, query }: Received): Response {
    const [q, limit] = [query.get('q'), query.get('limit') ?? '20'];
    if (method !== 'GET') return refuse(405);
    if (!isText(q, 60) || !isWhole(limit) || Number(limit) < 1 || Number(limit) > 50) return refuse(400);
    const found = this.#own('p', this.#faults.has('search of others') ? undefined : user)
      .filter(({ title }) => String(title).includes(q))
      .map(({ id, title }) => ({ id, title }));
    return Response.json(this.#faults.has('search without limit') ? found : found.slice(0, Number(limit)));
  }

  #serveExport({ user, method, id, sent: { format } }: Received): Response {
    if (id === undefined) {
      if (method !== 'POST') return refuse(405);
      if (format !== 'csv' && format !== 'json') return refuse(400);
      const made = this.#add('e', user, { format, startedAt: Date.now() });
      return Response.json({ id: made['id'], format, status: 'queued' }, { status: 202 });
    }
    const known = this.#items.get(id);
    if (known?.user !== user || !id.startsWith('e')) return refuse(404);
    if (method !== 'GET') return refuse(405);
    const age = Date.now() - Number(known.item['startedAt']);
    const middle = this.#faults.has('odd status later') ? 'working' : 'running';
    const status = age < 80 ? 'queued' : age < 600 || this.#faults.has('never done') ? middle : 'done';
    return Response.json({ id, format: known.item['format'], status });
  }

  #serveMaker({ user, method, id, sent: { name } }: Received): Response {
    if (id !== undefined) return method === 'GET' ? this.#show('m', id, user) : refuse(405);
    if (method !== 'POST') return refuse(405);
    return isText(name, 60) ? Response.json(this.#add('m', user, { name }), { status: 201 }) : refuse(400);
  }

  #servePiece({ user, method, id, sent, query }: Received): Response {
    if (id !== undefined) return method === 'GET' ? this.#show('p', id, user) : refuse(405);
    if (method === 'GET') return this.#listPieces(user, query);
    if (method !== 'POST') return refuse(405);
    const { title, makerId, kind, colour, totalPrice } = sent;
    const isNamed = isText(title, 60) && isText(makerId);
    const isPriced = Number.isInteger(totalPrice) && Number(totalPrice) >= 0 && Number(totalPrice) <= 100_000;
    if (!isNamed || !isPriced || !KINDS.has(kind) || !COLOURS.has(colour)) return refuse(400);
    const isKnown = makerId.startsWith('m') && this.#items.get(makerId)?.user === user;
    if (!isKnown && this.#faults.has('unknown maker fails')) return refuse(500);
    if (!isKnown && !this.#faults.has('unknown maker accepted')) return refuse(422);
    return Response.json(this.#add('p', user, { title, makerId, kind, colour, totalPrice }), { status: 201 });
  }

  #listPieces(user: string, query: URLSearchParams): Response {
    const [kind, colour, least] = [query.get('kind'), query.get('colour'), query.get('minTotal')];
    const isValid = KINDS.has(kind ?? 'bowl') && COLOURS.has(colour ?? 'red') && isWhole(least ?? '0');
    if (!isValid) return refuse(400);
    const isAny = this.#faults.has('one of two filters') && kind !== null && colour !== null;
    const shown = this.#own('p', user).filter((one) => {
      const isKind = kind === null || one['kind'] === kind;
      const isColour = colour === null || one['colour'] === colour;
      const isCheap = Number(one['totalPrice']) < Number(least) && !this.#faults.has('no lowest total');
      return !isCheap && (isAny ? isKind || isColour : isKind && isColour);
    });
    const counted = this.#faults.has('total of all') ? this.#own('p', user) : shown;
    return Response.json({ items: shown, total: counted.length });
  }

  #add(prefix: string, user: string, members: Item): Item {
    this.#count += 1;
    const item = { id: `${prefix}${this.#count}`, ...members };
    this.#items.set(item.id, { user, item });
    return item;
  }

  #show(prefix: string, id: string, user: string): Response {
    const known = this.#own(prefix, user).find((one) => one['id'] === id);
    return known === undefined ? refuse(404) : Response.json(known);
  }

  #own(prefix: string, user: string | undefined): Item[] {
    return [...this.#items.values()]
      .filter((one) => String(one.item['id']).startsWith(prefix) && (user === undefined || one.user === user))
      .map(({ item }) => item);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function findingsOf(fault?: Fault, spec = SPEC): Promise<string[]> {
  const report = await runContract({
    spec,
    url: 'http://gallery.test',
    fetch: new Gallery(fault).fetch,
    seed: 1,
    phases: ['stateful'],
    headers: { authorization: 'Bearer one' },
    otherHeaders: { authorization: 'Bearer two' },
  });
  return report.findings.map(({ check, operationId, pointer }) => [check, operationId, pointer].join(' ').trim());
}

test('a server without a fault has no findings', async () => expect(await findingsOf()).toEqual([]));

test.each<readonly [Fault, string]>([
  ['odd status later', 'response schema getExport /status'],
  ['never done', 'job ends getExport /status'],
  ['unknown maker accepted', 'unknown item refused addPiece /makerId'],
  ['unknown maker fails', 'no server error addPiece'],
  ['search of others', 'access of others refused search'],
  ['one of two filters', 'filter listPieces query kind colour'],
  ['no lowest total', 'filter listPieces query minTotal'],
  ['total of all', 'total listPieces /total'],
  ['search without limit', 'paging adds up search'],
  ['one preferences', 'access of others refused getPreferences /signature'],
])('a server with the fault "%s" has the finding "%s"', async (fault, finding) =>
  expect(await findingsOf(fault)).toContain(finding),
);

test.each<readonly [Fault, string, string]>([
  [
    'one of two filters',
    'operationId: listPieces',
    'operationId: listPieces\n      summary: Pieces that fit one of the filters.',
  ],
  ['unknown maker accepted', 'The maker does not exist.', 'Refused.'],
  ['never done', 'An export takes less than a second.', 'Starts an export.'],
  ['one preferences', '/me/preferences:', '/options:'],
])('a server with "%s" has no finding if the spec allows it', async (fault, said, changed) => {
  const text = readFileSync(SPEC, 'utf8').replace(said, changed);
  const folder = tempFolder({ 'gallery.yaml': text });
  expect(await findingsOf(fault, path.join(folder, 'gallery.yaml'))).toEqual([]);
});

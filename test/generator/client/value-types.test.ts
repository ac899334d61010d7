import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ValueTypes } from '../../../config/config-types.js';
import { startMock } from '../../../entry/mock.js';
import { generate } from '../../../generator/generate.js';
import { loadApi } from '../../../model/load-api.js';
import { type EchoServer, type ReceivedRequest, startEchoServer } from '../../support/echo-server.js';
import { OutputFolder } from '../../support/output-folder.js';

const goldens = path.join(import.meta.dirname, '../../golden/value-types');

const LONG = '9007199254740993';

/** An entry as text, since a number of JavaScript could not hold its digits. */
const ENTRY = `{"createdAt":"2026-11-22T10:00:00Z","id":${LONG},"accountId":"a1","day":"2026-11-22","amounts":[${LONG},1],"totals":{"x":${LONG}},"parent":{"createdAt":"2026-11-22T10:00:00Z","id":2,"accountId":"${LONG}","day":null},"pair":["2026-11-22T10:00:00Z","2026-11-22T10:00:00Z"],"size":3,"change":{"type":"Renamed","at":"2026-11-22T10:00:00Z"}}`;

function respond({ method, url }: ReceivedRequest): readonly [number, string, string?] {
  const { pathname, searchParams } = new URL(url, 'http://x');
  if (pathname === '/entries/lines')
    return method === 'POST' ? [204, ''] : [200, `${ENTRY}\n${ENTRY}\n`, 'application/jsonl'];
  if (pathname === '/entries/events') return [200, `data: ${ENTRY}\n\ndata: [DONE]\n\n`, 'text/event-stream'];
  if (pathname.startsWith('/days/')) return [200, LONG];
  if (pathname === '/entries/7') return [200, ENTRY.replace('10:00:00Z', '25:00:00Z')];
  if (pathname !== '/entries') return [200, ENTRY];
  if (method === 'POST') return [409, '{"message":"There is one.","until":"2026-11-22T10:00:00Z"}'];
  return [
    200,
    `{"entries":[${Number(searchParams.get('skip')) < 2 ? `${ENTRY},${ENTRY.replace(LONG, '5')}` : ENTRY}]}`,
  ];
}

const folders: OutputFolder[] = [];
let server: EchoServer;

beforeAll(async () => {
  server = await startEchoServer((request, response) => {
    const [status, body, type = 'application/json'] = respond(request);
    response.writeHead(status, status === 204 ? {} : { 'content-type': type });
    response.end(status === 204 ? undefined : body);
  });
});

afterAll(async () => {
  for (const folder of folders) folder[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** The output with these types, and a program in it. */
async function output(types: Partial<ValueTypes>, program: string): Promise<OutputFolder> {
  const folder = new OutputFolder();
  folders.push(folder);
  copyFileSync(path.join(goldens, 'spec.yaml'), path.join(folder.folder, 'ledger.yaml'));
  const ledger = { spec: 'ledger.yaml', output: 'ledger', ...types };
  const { apis } = await generate({ cwd: folder.folder, config: { apis: { ledger } } });
  expect(apis[0]).toMatchObject({ status: 'written', diagnostics: [] });
  folder.write('program.ts', program);
  return folder;
}

const writeProgram = (baseUrl: string): string => `
import { createLedgerClient, type AccountId, type Entry, type EntryId, isEntry, isLedgerError, getDay, parseWebhook } from './ledger/index.js';

const baseUrl = '${baseUrl}';
const client = createLedgerClient({ baseUrl, validate: true });
const day: Date = new Date('2026-11-22');
const id: EntryId = 9007199254740993n as EntryId;
const entry: Entry = {
  createdAt: new Date('2026-11-22T10:00:00Z'), id, accountId: 'a1' as AccountId, day, amounts: [id, 1n], totals: { x: id },
  parent: { createdAt: day, id: 2n as EntryId, accountId: 'a2' as AccountId, day: null }, pair: ['x', day],
  change: { type: 'Moved', at: day },
};

// @ts-expect-error a text is no id
const wrongAccount: Entry['accountId'] = 'a1';
// @ts-expect-error the id of an account is no id of an entry
const wrongPath = (account: AccountId) => client.getEntry({ path: { id: account } });
// @ts-expect-error a text is no date
const wrongDay: Entry['createdAt'] = '2026-11-22';

async function read() {
  const { data } = await client.getEntry({ path: { id } });
  const time: number = data.createdAt.getTime();
  const sum: bigint = (data.amounts ?? []).reduce((one, other) => one + other, 0n);
  if (data.change?.type === 'Renamed') data.change.at.trim();
  return { data, time, sum };
}
const readDay = async () => (await getDay({ baseUrl }, { path: { day } })).data;
const find = () => client.listEntries({ query: { after: id, since: day, filter: { number: id, day } }, headers: { 'X-Day': day } });
async function pages() {
  const found: bigint[] = [];
  for await (const one of client.listEntriesItems({ query: { take: 2n } })) found.push(one.id);
  return found;
}
async function create() {
  try { await client.createEntry({ body: entry }); } catch (error) { if (isLedgerError(error, 'createEntry')) return error.body.until; }
  return undefined;
}
const createSafely = () => client.createEntry.safe({ body: entry });
const readBroken = () => client.getEntry({ path: { id: 7n as EntryId } }, { validate: false });
async function lines() {
  const { data } = await client.readLines();
  const found: bigint[] = [];
  for await (const one of data) found.push(one.id);
  return found;
}
const writeLines = () => client.writeLines({ body: [entry] });
async function events() {
  const found: bigint[] = [];
  for await (const one of client.watchEntriesEvents()) found.push(one.id);
  return found;
}
const webhook = (request: Request) => parseWebhook('entryBooked', request);
const isJson = (value: unknown): string | undefined => (isEntry(value) ? value.createdAt : undefined);
export const program: object = {
  wrongAccount, wrongPath, wrongDay, read, readDay, find, pages, create, createSafely, readBroken, lines, writeLines, events, webhook, isJson,
};
`;

interface Program {
  readonly read: () => Promise<{
    readonly data: Readonly<Record<string, unknown>>;
    readonly time: number;
    readonly sum: bigint;
  }>;
  readonly readDay: () => Promise<unknown>;
  readonly find: () => Promise<unknown>;
  readonly pages: () => Promise<unknown>;
  readonly create: () => Promise<unknown>;
  readonly createSafely: () => Promise<{ readonly error: { readonly until: Date } }>;
  readonly readBroken: () => Promise<unknown>;
  readonly lines: () => Promise<unknown>;
  readonly writeLines: () => Promise<unknown>;
  readonly events: () => Promise<unknown>;
  readonly webhook: (request: Request) => Promise<{ readonly body: Readonly<Record<string, unknown>> }>;
  readonly isJson: (value: unknown) => string | undefined;
}

describe('an output with Date, bigint and branded ids', { timeout: 60_000 }, () => {
  let folder: OutputFolder;
  let program: Program;

  beforeAll(async () => {
    folder = await output({ dates: 'Date', int64: 'bigint', ids: 'branded' }, writeProgram(server.url));
    program = (await folder.run<{ readonly program: Program }>('program.ts')).program;
  }, 60_000);

  it('compiles under the strictest flags, and refuses values of other types', () => {
    expect(folder.typeCheck()).toBe('');
  });

  it('reads values in nested objects, lists, maps, tuples, unions and allOf', async () => {
    const at = new Date('2026-11-22T10:00:00Z');
    const { data, time, sum } = await program.read();
    expect(server.last().url).toBe(`/entries/${LONG}`);
    expect({ time, sum }).toEqual({ time: at.getTime(), sum: BigInt(LONG) + 1n });
    expect(data).toEqual({
      createdAt: at,
      id: BigInt(LONG),
      accountId: 'a1',
      day: new Date('2026-11-22'),
      amounts: [BigInt(LONG), 1n],
      totals: { x: BigInt(LONG) },
      parent: { createdAt: at, id: 2n, accountId: LONG, day: null },
      pair: ['2026-11-22T10:00:00Z', at],
      size: 3,
      change: { type: 'Renamed', at: '2026-11-22T10:00:00Z' },
    });
  });

  it('reads a value that is the whole body, and writes a date in a path', async () => {
    expect(await program.readDay()).toBe(BigInt(LONG));
    expect(server.last().url).toBe('/days/2026-11-22');
  });

  it('writes query parameters, also as JSON, and headers', async () => {
    await program.find();
    const { url, headers } = server.last();
    const query = new URL(url, 'http://x').searchParams;
    expect(query.get('after')).toBe(LONG);
    expect(query.get('since')).toBe('2026-11-22T00:00:00.000Z');
    expect(query.get('filter')).toBe(`{"number":${LONG},"day":"2026-11-22"}`);
    expect(headers['x-day']).toBe('2026-11-22');
  });

  it('writes a body with all digits', async () => {
    expect(await program.create()).toEqual(new Date('2026-11-22T10:00:00Z'));
    expect(server.last().body.toString()).toBe(
      `{"createdAt":"2026-11-22T10:00:00.000Z","id":${LONG},"accountId":"a1","day":"2026-11-22","amounts":[${LONG},1],"totals":{"x":${LONG}},"parent":{"createdAt":"2026-11-22T00:00:00.000Z","id":2,"accountId":"a2","day":null},"pair":["x","2026-11-22T00:00:00.000Z"],"change":{"type":"Moved","at":"2026-11-22T00:00:00.000Z"}}`,
    );
    expect((await program.createSafely()).error.until).toEqual(new Date('2026-11-22T10:00:00Z'));
  });

  it('names the value of a response that cannot be read', async () => {
    await expect(program.readBroken()).rejects.toThrow(
      'getEntry responded 200 with a value that cannot be read. The value at "/createdAt" is not a date-time.',
    );
  });

  it('reads pages, lines and events, and writes lines', async () => {
    expect(await program.pages()).toEqual([BigInt(LONG), 5n, BigInt(LONG)]);
    expect(await program.lines()).toEqual([BigInt(LONG), BigInt(LONG)]);
    expect(await program.events()).toEqual([BigInt(LONG)]);
    await program.writeLines();
    expect(server.last().body.toString()).toContain(`"id":${LONG},`);
  });

  it('reads webhooks, which are validated as JSON', async () => {
    const request = (body: string): Request =>
      new Request('http://me', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const { body } = await program.webhook(request(ENTRY));
    expect(body).toMatchObject({ id: BigInt(LONG), createdAt: new Date('2026-11-22T10:00:00Z') });
    await expect(program.webhook(request(ENTRY.replace('"size":3', '"size":"3"')))).rejects.toThrow('invalid');
  });

  it('creates, reads and lists entries of the mock of the same spec', async () => {
    await using mock = await startMock(await loadApi(path.join(goldens, 'spec.yaml')), { port: 0 });
    folder.write('on-the-mock.ts', writeProgram(mock.url));
    const onMock = await folder.run<{ readonly program: Program }>('on-the-mock.ts');
    await onMock.program.createSafely();
    expect((await onMock.program.read()).data).toMatchObject({
      id: BigInt(LONG),
      createdAt: new Date('2026-11-22T10:00:00Z'),
      amounts: [BigInt(LONG), 1n],
      totals: { x: BigInt(LONG) },
    });
    expect(await onMock.program.pages()).toEqual([BigInt(LONG)]);
  });

  it('has validators that check and narrow to the types of JSON', () => {
    expect(program.isJson(JSON.parse(ENTRY))).toBe('2026-11-22T10:00:00Z');
  });
});

describe('an output with other types', { timeout: 60_000 }, () => {
  it('has strings for wide integers, and dates of the global Temporal', async () => {
    const folder = await output(
      { dates: 'Temporal', int64: 'string' },
      `
import 'temporal-polyfill/global';
import 'temporal-polyfill/types/global';
import { createLedgerClient, type Entry } from './ledger/index.js';

const client = createLedgerClient({ baseUrl: '${server.url}' });
const entry: Entry = {
  createdAt: Temporal.Instant.from('2026-11-22T10:00:00.123456789Z'), id: '${LONG}', accountId: 'a1',
  day: Temporal.PlainDate.from('2026-11-22'), amounts: ['1'], change: { type: 'Renamed', at: 'x' },
};
const read = async (): Promise<readonly unknown[]> => {
  const { data } = await client.getEntry({ path: { id: '${LONG}' } });
  return [data.id, data.createdAt.epochMilliseconds, data.day?.year, data.day?.toString(), data.parent?.day];
};
const create = () => client.createEntry.safe({ body: entry });
// @ts-expect-error an integer is a text here
const wrong: Entry['id'] = 1;
export const program: object = { read, create, wrong, createWrong: () => client.createEntry({ body: { ...entry, id: 'x' } }) };
`,
    );
    folder.linkPackages();
    expect(folder.typeCheck()).toBe('');
    const { program } = await folder.run<{
      readonly program: Readonly<Record<'read' | 'create' | 'createWrong', () => Promise<unknown>>>;
    }>('program.ts');
    expect(await program.read()).toEqual([LONG, Date.parse('2026-11-22T10:00:00Z'), 2026, '2026-11-22', null]);
    await program.create();
    expect(server.last().body.toString()).toBe(
      `{"createdAt":"2026-11-22T10:00:00.123456789Z","id":${LONG},"accountId":"a1","day":"2026-11-22","amounts":[1],"change":{"type":"Renamed","at":"x"}}`,
    );
    await expect(program.createWrong()).rejects.toThrow('The value at "/body/id" is not an integer.');
  });

  it('has no codec without an option, and is unchanged', async () => {
    const folder = await output({}, '');
    expect(readdirSync(path.join(folder.folder, 'ledger'))).not.toContain('json.ts');
    expect(readdirSync(path.join(folder.folder, 'ledger'))).not.toContain('codecs.ts');
    expect(readdirSync(path.join(folder.folder, 'ledger/runtime')).join(' ')).not.toMatch(/codecs|typed|integers/);
  });

  it('has only branded ids if only they are asked for', async () => {
    const folder = await output(
      { ids: 'branded' },
      `import { type EntryId, entryFixture, getEntry } from './ledger/index.js';
const id: EntryId = entryFixture().id;
export const read = (): Promise<unknown> => getEntry({ baseUrl: '' }, { path: { id } });
// @ts-expect-error a number is no id
export const wrong: EntryId = 1;
`,
    );
    expect(folder.typeCheck()).toBe('');
    expect(readdirSync(path.join(folder.folder, 'ledger'))).not.toContain('json.ts');
  });
});

import { describe, expect, it } from 'vitest';

import type { ApiError } from '../../runtime/errors.js';
import type { RequestValues } from '../../runtime/context.js';
import { type ChangePlan, readChangeWrite } from '../../runtime/helpers.js';
import { writeJson } from '../../runtime/serialize.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { operationOf } from '../support/helper-call.js';

interface Draft {
  [name: string]: unknown;
}

const READ_ONLY = {
  Case: { drop: ['Status'], inside: { Parties: 'Party', Extra: 'Map' } },
  Party: { drop: ['Seen'], inside: { Self: 'Party' } },
  Map: { inside: { '*': 'Party' } },
};

/** A server with one value, which others change `rivals` times between a read and the write after it. */
function startStore(value: unknown, rivals = 0): Promise<EchoServer> {
  let version = 1;
  let left = rivals;
  return startEchoServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      response.setHeader('etag', `"${version}"`).end(JSON.stringify(value));
      return;
    }
    if (left > 0) {
      left -= 1;
      version += 1;
      response.writeHead(412);
    }
    response.end('{}');
  });
}

async function change(
  server: EchoServer,
  plan: Partial<ChangePlan>,
  {
    request = {},
    work = (draft: Draft) => void (draft['Name'] = 'new'),
    retries,
  }: { request?: RequestValues; work?: (draft: Draft) => Draft | void; retries?: number } = {},
): Promise<unknown> {
  const context = { baseUrl: server.url };
  const read = operationOf(context);
  const write = operationOf(context, { method: 'PUT', path: '/write', body: { 'application/json': writeJson } });
  return readChangeWrite(
    { read: (values: RequestValues) => read(values), write: (values: RequestValues) => write(values) },
    { copy: [], conflict: [412], ...plan },
    { request, change: work, options: retries === undefined ? undefined : { retries } },
  );
}

const written = (server: EchoServer): unknown => JSON.parse(String(server.last().body));

describe('reading before writing', () => {
  const value = {
    Id: 1,
    Name: 'old',
    Status: 'Sent',
    Parties: [{ Id: 2, Seen: true, Self: { Seen: true, a: 1 } }],
    Extra: { x: { Seen: 1, b: 2 } },
    More: { Status: 'kept' },
  };

  it('writes all members outside of the change, unknown ones too, and omits read-only ones', async () => {
    await using server = await startStore(value);
    await change(server, { readOnly: READ_ONLY, schema: 'Case' });
    expect(written(server)).toEqual({
      Id: 1,
      Name: 'new',
      Parties: [{ Id: 2, Self: { a: 1 } }],
      Extra: { x: { b: 2 } },
      More: { Status: 'kept' },
    });
  });

  it('writes members of any name', async () => {
    await using server = await startStore(JSON.parse('{"__proto__":{"a":1},"constructor":2}'));
    await change(server, {});
    expect(String(server.last().body)).toBe('{"__proto__":{"a":1},"constructor":2,"Name":"new"}');
  });

  it('the change may return another value', async () => {
    await using server = await startStore(value);
    await change(server, {}, { work: () => ({ only: 1 }) });
    expect(written(server)).toEqual({ only: 1 });
  });

  it('a part is written to its member, with the ids of the read request', async () => {
    await using server = await startStore({ policy: { bindings: [1] } });
    await change(
      server,
      {
        from: '/policy',
        to: '/sent',
        copy: [
          ['/query/id', '/body/Id'],
          ['/query/none', '/body/None'],
        ],
      },
      { request: { query: { id: 'x' } } },
    );
    expect(written(server)).toEqual({ sent: { bindings: [1], Name: 'new' }, Id: 'x' });
  });

  it('a missing part can be added', async () => {
    await using server = await startStore({});
    await change(server, { from: '/policy', to: '/policy' });
    expect(written(server)).toEqual({ policy: { Name: 'new' } });
  });
});

describe('a conflicting write', () => {
  const plan = { etag: { header: 'etag', condition: 'If-Match' } };

  it('after a conflict the item is read and changed again', async () => {
    await using server = await startStore({ a: 1 }, 2);
    await change(server, plan);
    expect(server.received.map(({ method, headers }) => `${method} ${headers['if-match'] ?? ''}`)).toEqual([
      'GET ',
      'PUT "1"',
      'GET ',
      'PUT "2"',
      'GET ',
      'PUT "3"',
    ]);
  });

  it('the entity tag may be a member of the response', async () => {
    await using server = await startStore({ tag: 'T' });
    await change(server, { etag: { pointer: '/tag', condition: 'If-Match' } });
    expect(server.last().headers['if-match']).toBe('T');
  });

  it.each([
    [undefined, 8],
    [0, 2],
    [1, 4],
  ])('repeated conflicts end the write after %s retries', async (retries, requests) => {
    await using server = await startStore({}, 99);
    const failure = await change(server, plan, retries === undefined ? {} : { retries }).catch(
      (error: unknown) => error,
    );
    expect([(failure as ApiError).status, server.received.length]).toEqual([412, requests]);
  });

  it('nothing is written if the change throws', async () => {
    await using server = await startStore({});
    const work = (): never => {
      throw new Error('mine');
    };
    await expect(change(server, {}, { work })).rejects.toThrow('mine');
    expect(server.received).toHaveLength(1);
  });
});

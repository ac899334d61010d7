import { describe, expect, test } from 'vitest';

import { type EngineMock, openEngine } from './engine-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

async function ask(engine: EngineMock, method: string, params?: object): Promise<unknown> {
  const { status, json } = await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 7, method, params });
  expect([status, json['id'], json['jsonrpc']]).toEqual([200, 7, '2.0']);
  return json['result'] ?? json['error'];
}

describe.each(TRANSPORTS)('MCP, by %s', (transport) => {
  test('MCP agrees on a protocol version and lists its tools', async () => {
    await using engine = await openEngine(transport);
    const client = { capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    expect(await ask(engine, 'initialize', { protocolVersion: '2025-03-26', ...client })).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'engine', version: '2.1.5' },
    });
    expect(await ask(engine, 'initialize', { protocolVersion: '1999-01-01', ...client })).toMatchObject({
      protocolVersion: '2025-06-18',
    });
    const accepted = await engine.call('POST', '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([accepted.status, accepted.json]).toEqual([202, {}]);
    expect(await ask(engine, 'ping')).toEqual({});
    const { tools } = (await ask(engine, 'tools/list')) as { tools: { name: string; inputSchema: { type: string } }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      'describe_entities',
      'create_record',
      'read_records',
      'update_record',
      'delete_record',
      'execute_entity',
      'aggregate_records',
    ]);
    expect(await ask(engine, 'resources/list')).toEqual({ code: -32601, message: 'Method not found: resources/list' });
  });

  test('the tools of MCP create, read, change and delete rows', async () => {
    await using engine = await openEngine(transport);
    const use = async (name: string, given?: object): Promise<unknown> => {
      const result = (await ask(engine, 'tools/call', { name, arguments: given })) as {
        structuredContent?: unknown;
        content?: { text: string }[];
        isError?: boolean;
      };
      if (result.isError === false)
        expect(JSON.parse(result.content?.[0]?.text ?? '')).toEqual(result.structuredContent);
      return result.isError === false ? result.structuredContent : result;
    };
    expect(await use('read_records', { entity: 'Book', filter: 'year gt 2000', first: 1, select: 'id' })).toEqual({
      entity: 'Book',
      value: [{ id: 1018 }],
    });
    expect(await use('create_record', { entity: 'Book', data: { title: 'New' } })).toEqual({
      entity: 'Book',
      value: [{ id: 1020, title: 'New', year: null, price: null, inPrint: null, publisherId: null }],
    });
    expect(await use('update_record', { entity: 'Book', keys: { id: 1020 }, fields: { year: 1 } })).toMatchObject({
      value: [{ title: 'New', year: 1 }],
    });
    expect(await use('delete_record', { entity: 'Book', keys: { id: 1020 } })).toMatchObject({ deleted: { id: 1020 } });
    expect(await use('describe_entities')).toMatchObject({ entities: [{ name: 'Book', key: 'id' }] });
    expect(
      await use('aggregate_records', { entity: 'Book', function: 'sum', field: 'price', groupby: ['inPrint'] }),
    ).toEqual({
      entity: 'Book',
      value: [
        { inPrint: false, sum: 42.5 },
        { inPrint: true, sum: 30.25 },
      ],
    });
    expect(await use('aggregate_records', { entity: 'Book', function: 'count', field: '*' })).toEqual({
      entity: 'Book',
      value: [{ count: 3 }],
    });
    expect(await use('aggregate_records', { entity: 'Book', function: 'count', filter: 'year lt 1900' })).toEqual({
      entity: 'Book',
      value: [{ count: 0 }],
    });
    const failed = (text: string): object => ({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(text) as string }],
    });
    expect(await use('delete_record', { entity: 'Book', keys: { id: 1020 } })).toMatchObject(
      failed('no row with id 1020'),
    );
    expect(await use('read_records', { entity: 'None' })).toMatchObject(failed('no entity None'));
    expect(await use('read_records', { entity: 'Book', filter: 'year' })).toMatchObject(failed('$filter'));
    expect(await use('execute_entity', { entity: 'Refit' })).toMatchObject(failed('stored procedure'));
    expect(await use('drop_table')).toEqual({ code: -32602, message: 'Unknown tool: drop_table' });
    expect(await use('create_record', { entity: 'Book' })).toEqual({
      code: -32602,
      message: 'The tool create_record needs the argument data.',
    });
  });
});

describe('hosts', () => {
  const cases: readonly [string, Readonly<Record<string, string>>, number][] = [
    ['a page on this machine', { origin: 'http://localhost:6274' }, 200],
    ['a page elsewhere', { origin: 'https://books.example.org' }, 403],
    ['no page', { origin: 'null' }, 403],
    ['another host', { host: 'books.example.org' }, 403],
    ['loopback', { host: '[::1]:4013' }, 200],
  ];
  test.each(cases)('hosts: %s', async (_name, headers, status) => {
    await using engine = await openEngine();
    expect((await engine.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status).toBe(status);
  });

  test('an invalid message is refused', async () => {
    await using engine = await openEngine();
    for (const body of [
      {},
      [],
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
    ]) {
      expect((await engine.call('POST', '/mcp', body)).status).toBe(400);
    }
  });
});

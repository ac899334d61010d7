import { describe, expect, test } from 'vitest';

import { lenientReader } from '../../../http/request/lenient-spelling.js';
import type { Api } from '../../../model/api.js';
import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const SCHEMAS = {
  CaseId: {
    type: 'object',
    'x-member-names': 'any-case',
    properties: { id: { type: 'string' }, Labels: { $ref: '#/components/schemas/Labels' } },
  },
  Labels: { type: 'object', 'x-empty-list': true, additionalProperties: { type: 'string' } },
  Plain: {
    type: 'object',
    properties: {
      Id: { type: 'string' },
      list: { type: 'array', items: { $ref: '#/components/schemas/Labels' } },
      tags: { type: 'array' },
    },
  },
};
const load = (schemas: object): Promise<Api> => loadDocument(documentWith({}, { components: { schemas } }));

describe('a body', () => {
  const cases: readonly [string, string, unknown, unknown][] = [
    ['has names in any letter case', 'CaseId', { ID: '1', labels: { Id: 'x' } }, { id: '1', Labels: { Id: 'x' } }],
    ['has an empty list for an empty object', 'CaseId', { Labels: [] }, { Labels: {} }],
    [
      'has an empty list for an empty object in lists too',
      'Plain',
      { list: [[], { a: 'b' }], tags: [] },
      { list: [{}, { a: 'b' }], tags: [] },
    ],
    ['keeps its names without the extension', 'Plain', { id: '1', tags: [] }, { id: '1', tags: [] }],
    ['keeps a value that is not an object', 'CaseId', [1, [], null], [1, [], null]],
    ['keeps a list that is not empty', 'CaseId', { Labels: ['a'] }, { Labels: ['a'] }],
    ['keeps undescribed names', 'CaseId', JSON.parse('{"__proto__":[]}'), JSON.parse('{"__proto__":[]}')],
  ];
  test.each(cases)('a body: %s', async (_name, schema, value, wanted) => {
    const read = lenientReader(await load(SCHEMAS), { $ref: `#/$defs/${schema}` });
    expect(read?.(value, JSON.stringify(value))).toEqual(wanted);
  });

  test('a body is refused if it has one name in two spellings', async () => {
    const read = lenientReader(await load(SCHEMAS), { $ref: '#/$defs/CaseId' });
    expect(() => read?.({ id: '1', Id: '2' }, '')).toThrow('must NOT be beside another spelling of "id"');
  });

  test('a body is not changed if the API does not use the extension', async () => {
    expect(lenientReader(await load({ A: { type: 'object' } }), { $ref: '#/$defs/A' })).toBeUndefined();
  });
});

describe('the mock of signing', () => {
  test('the mock of signing accepts Id for id in a body that names one case, and an empty list for empty metadata', async () => {
    await using mock = await startMock('signing');
    const authorization = `Basic ${Buffer.from('key-1:secret').toString('base64')}`;
    const post = async (path: string, body: string, type = 'application/json') => {
      const headers = { authorization, 'content-type': type };
      const response = await mock.fetch(`${mock.url}/api/v2/${path}`, { method: 'POST', headers, body });
      return { status: response.status, json: (await response.json()) as { readonly Id: string } };
    };
    const { json } = await post('createcase', '{"Metadata":[],"Documents":[{"FormFields":[]}]}');
    for (const name of ['Id', 'id', 'ID'])
      expect(await post('updatecasemetadata', JSON.stringify({ [name]: json.Id, Metadata: [] }))).toMatchObject({
        status: 200,
        json: { Id: json.Id },
      });
    expect((await post('deletecase', `{"Id":"${json.Id}"}`)).status).toBe(200);
    const other = (await post('createcase', '{}')).json.Id;
    expect((await post('deletecase', `Id=${other}`, 'application/x-www-form-urlencoded')).status).toBe(200);
  });
});

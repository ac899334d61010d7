import * as z from 'zod';
import { describe, expect, it } from 'vitest';

import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { buildApi } from '../../support/build-api.js';
import { CASE_SCHEMAS, KEYWORD_CASES } from '../../support/keyword-cases.js';
import { zodSchemas } from '../../support/zod-schemas.js';

/** All cases of keywords as schemas of one API. */
function casesApi(): ReturnType<typeof buildApi> {
  const cases = Object.fromEntries(
    KEYWORD_CASES.map(({ schema }, index): [string, Schema] => [`Case${index}`, schema]),
  );
  return buildApi({ schemas: { ...CASE_SCHEMAS, ...cases } });
}

describe('schemas of Zod', () => {
  it.each([
    ['classic', 'loose'],
    ['mini', 'strip'],
    ['classic', 'strict'],
  ])('accept what the validators accept, for every keyword (%s, %s)', async (variant, unknownKeys) => {
    const api = casesApi();
    const { schemas } = await zodSchemas(api, { variant, unknownKeys });
    const wrong = KEYWORD_CASES.flatMap(({ rule, schema, accepts, refuses }, index) => {
      const validate = compileValidator(api, schema, { direction: 'response' });
      return [...accepts, ...refuses].flatMap((value) => {
        const isValid = validate(value).length === 0;
        const isTaken = schemas[`zCase${index}`]?.safeParse(value).success;
        // What the spec does not say of unknown members is said by the option.
        return isTaken === isValid || (unknownKeys === 'strict' && isTaken === false) ? [] : [[rule, value, isTaken]];
      });
    });
    expect(wrong).toEqual([]);
  });
});

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const SHOP: Readonly<Record<string, Schema>> = {
  Order: {
    type: 'object',
    title: 'Order',
    description: 'An order.',
    required: ['id', 'at'],
    properties: {
      id: { type: 'string', readOnly: true },
      at: { type: 'string', format: 'date-time' },
      day: { type: ['string', 'null'], format: 'date' },
      count: { type: 'integer', format: 'int64', minimum: 0 },
      pages: { type: 'integer', default: 1 },
      // A default that its own schema refuses.
      mark: { type: 'string', default: null },
      secret: { type: 'string', writeOnly: true },
      items: { type: 'array', items: ref('Item'), uniqueItems: true },
    },
  },
  Item: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1 },
      paid: { type: 'boolean' },
      parts: { type: 'array', items: ref('Item') },
    },
  },
  Tree: { oneOf: [{ type: 'string' }, { type: 'array', items: ref('Tree') }] },
};

describe('schemas of Zod by direction and option', () => {
  it('a request needs no readOnly member and a response has no writeOnly one', async () => {
    const { schemas } = await zodSchemas(buildApi({ schemas: SHOP }));
    const at = '2026-01-01T00:00:00Z';
    const isTaken = (name: string, value: object): boolean | undefined => schemas[name]?.safeParse(value).success;
    expect([isTaken('zOrder', { id: 'a', at }), isTaken('zOrder', { at })]).toEqual([true, false]);
    expect([isTaken('zOrderInput', { at, secret: 's' }), isTaken('zOrderInput', { at, id: 5 })]).toEqual([true, false]);
    expect(isTaken('zOrder', { id: 'a', at, secret: 's' })).toBe(false);
    expect(Object.keys(schemas)).not.toContain('zItemInput');
  });

  it('dates and long integers are decoded and encoded, and what cannot be converted is an issue', async () => {
    const types = { dates: 'Date', int64: 'bigint', ids: 'string' } as const;
    const { schemas } = await zodSchemas(buildApi({ schemas: SHOP }), {}, types);
    const { zOrder } = schemas;
    const json = {
      id: 'a',
      at: '2026-01-01T00:00:00.000Z',
      day: '2026-01-02',
      count: 7,
      items: [{ name: 'tea', parts: [] }],
      more: 1,
    };
    const order = zOrder?.parse(json);
    expect(order).toEqual({ ...json, at: new Date(json.at), day: new Date(json.day), count: 7n });
    expect(zOrder?.encode(order)).toEqual(json);
    expect(zOrder?.parse({ ...json, count: 2n ** 60n })).toMatchObject({ count: 2n ** 60n });
    const wrong = [
      { at: '2026' },
      { at: '2016-12-31T23:59:60Z' },
      { count: -1 },
      { count: 2n ** 64n },
      { items: [{ name: 'a' }, { name: 'a' }] },
    ];
    for (const change of wrong) expect(zOrder?.safeParse({ ...json, ...change }).success).toBe(false);
    const { schemas: plain } = await zodSchemas(buildApi({ schemas: SHOP }), { dates: 'string' }, types);
    expect(plain['zOrder']?.parse(json)).toEqual(json);
  });

  it('a date that is checked but not converted is reported', async () => {
    const At: Schema = { type: 'object', patternProperties: { '^at': { type: 'string', format: 'date' } } };
    const types = { dates: 'Date', int64: 'number', ids: 'string' } as const;
    const { schemas, diagnostics } = await zodSchemas(buildApi({ schemas: { At } }), {}, types);
    expect(diagnostics).toMatchObject([{ code: 'zod-approximate', pointer: '/$defs/At' }]);
    expect([{ at: '2026-01-01' }, { at: 'soon' }].map((value) => schemas['zAt']?.safeParse(value).success)).toEqual([
      true,
      false,
    ]);
  });

  it('a violation has the path of its value', async () => {
    const { schemas } = await zodSchemas(buildApi({ schemas: SHOP }));
    const items = [{ name: 'a' }, { name: 'b', parts: [{ name: '' }] }];
    const { error } = schemas['zOrder']?.safeParse({ id: 'a', at: '2026-01-01T00:00:00Z', items }) ?? {};
    expect(error?.issues.map(({ path }) => path)).toEqual([['items', 1, 'parts', 0, 'name']]);
    const twice = schemas['zOrder']?.safeParse({ id: 'a', at: '2026-01-01T00:00:00Z', items: [items[0], items[0]] });
    expect(twice?.error?.issues).toMatchObject([{ path: ['items'], params: { keyword: 'uniqueItems' } }]);
  });

  it('unknown members, defaults and texts are treated as the options say', async () => {
    const api = buildApi({ schemas: SHOP });
    const order = { id: 'a', at: '2026-01-01T00:00:00Z', more: 1 };
    const parse = async (options: object): Promise<unknown> =>
      (await zodSchemas(api, options as never)).schemas['zOrder']?.safeParse({ ...order }).data;
    expect(await parse({})).toEqual(order);
    expect(await parse({ unknownKeys: 'strip' })).toEqual({ id: 'a', at: order.at });
    expect(await parse({ unknownKeys: 'strict' })).toBeUndefined();
    expect(await parse({ defaults: 'apply' })).toEqual({ ...order, pages: 1 });
    const { schemas } = await zodSchemas(api, { coerce: true, variant: 'mini' });
    expect(schemas['zItem']?.parse({ name: 'a', paid: 'FALSE' })).toEqual({ name: 'a', paid: false });
    expect(schemas['zItem']?.safeParse({ name: 'a', paid: 'no' }).success).toBe(false);
    const { schemas: lax } = await zodSchemas(api, { formats: 'annotate' });
    expect(lax['zOrder']?.safeParse({ id: 'a', at: 'soon' }).success).toBe(true);
  });

  it('a schema that contains itself checks every level', async () => {
    const { schemas } = await zodSchemas(buildApi({ schemas: SHOP }));
    expect(
      [
        ['a', ['b', []]],
        ['a', [1]],
      ].map((value) => schemas['zTree']?.safeParse(value).success),
    ).toEqual([true, false]);
  });

  it('metadata make z.toJSONSchema return the schemas of the spec', async () => {
    const names = KEYWORD_CASES.map(({ schema }, index) => [`Meta${index}`, schema] as const);
    const api = buildApi({ schemas: { ...CASE_SCHEMAS, ...Object.fromEntries(names) } });
    const { schemas } = await zodSchemas(api, { metadata: true });
    for (const [index, { rule, accepts, refuses }] of KEYWORD_CASES.entries()) {
      const schema = schemas[`zMeta${index}`];
      if (schema === undefined) throw new Error(`There is no schema of ${rule}.`);
      const again = z.toJSONSchema(schema, { unrepresentable: 'any' }) as { $defs?: Record<string, Schema> };
      const { $defs = {}, $schema: _uri, ...root } = again as Record<string, unknown> & typeof again;
      const read = buildApi({ schemas: { ...CASE_SCHEMAS, ...$defs, Again: root } });
      const before = compileValidator(api, names[index]?.[1] ?? true, { direction: 'response' });
      const after = compileValidator(read, ref('Again'), { direction: 'response' });
      const changed = [...accepts, ...refuses].filter(
        (value) => (before(value).length === 0) !== (after(value).length === 0),
      );
      expect(changed, `${rule} ${JSON.stringify(root)}`).toEqual([]);
    }
    const { schemas: shop } = await zodSchemas(buildApi({ schemas: SHOP }), { metadata: true });
    const { $defs } = z.toJSONSchema(shop['zOrder'] as z.ZodType);
    expect($defs?.['Order']).toMatchObject({ title: 'Order', description: 'An order.', required: ['id', 'at'] });
  });
});

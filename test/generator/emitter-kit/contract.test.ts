import { describe, expect, it } from 'vitest';

import { emitFiles, emitText } from '../../../entry/emitter-testing.js';
import { type EmitterApi, type EmitterKit, defineEmitter } from '../../../entry/specmill.js';
import { type Shape, TEXT, listOf, object, smallSpec } from '../../support/small-spec.js';

const ref = (name: string): Record<string, unknown> => ({ $ref: `#/components/schemas/${name}` });

/** `Tree` stands before what it refers to, and refers to itself through `Branch`. */
const SCHEMAS = {
  Order: object({ id: { ...TEXT, readOnly: true }, secret: { ...TEXT, writeOnly: true }, tree: ref('Tree') }),
  Tree: object({ branches: listOf(ref('Branch')), leaf: ref('Leaf') }),
  Branch: object({ tree: ref('Tree') }),
  Leaf: object({ self: ref('Leaf'), colour: ref('Colour') }, []),
  Colour: { enum: ['red', 'green'] },
};
const SHAPES: Readonly<Record<string, Shape>> = {
  'POST /orders createOrder': { takes: ref('Order'), returns: ref('Order'), status: 201 },
  'GET /orders listOrders': { returns: listOf(ref('Order')), query: { page: { type: 'integer' } } },
  'DELETE /orders/{id} delete': { status: 204 },
};
const SPEC = smallSpec(SHAPES, SCHEMAS) as Record<string, unknown>;

/** What a function of the contract gives, by an emitter that calls it. */
async function look<Result>(use: (api: EmitterApi, kit: EmitterKit) => Result, spec: object = SPEC): Promise<Result> {
  const seen: Result[] = [];
  const emitter = defineEmitter({ name: 'look', version: 1, emit: (api, kit) => void seen.push(use(api, kit)) });
  await emitFiles(emitter, spec as Record<string, unknown>, { only: ['types', 'client'] });
  return seen[0] as Result;
}

function find(api: EmitterApi, name: string): EmitterApi['operations'][number] {
  const found = api.operations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}.`);
  return found;
}

const OPERATIONS = ['createOrder', 'listOrders', 'delete_'];

describe('the contract of emitters', () => {
  it('schemasInOrder puts each schema after those that it refers to, and marks cycles', async () => {
    const seen = await look((api) => ({ order: api.schemasInOrder(), cycles: api.cycles }));
    const names = seen.order.map(({ name }) => name);
    expect(names.indexOf('Colour')).toBeLessThan(names.indexOf('Leaf'));
    expect(names.indexOf('Leaf')).toBeLessThan(names.indexOf('Tree'));
    expect(names.at(-1)).toBe('Order');
    expect(
      seen.order
        .filter(({ isCyclic }) => isCyclic)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Branch', 'Leaf', 'Tree']);
    expect(seen.cycles.map((cycle) => [...cycle].toSorted())).toEqual([['Leaf'], ['Branch', 'Tree']]);
    expect(seen.order.find(({ name }) => name === 'Order')?.hasInput).toBe(true);
  });

  it('a chain of ten thousand schemas is ordered without a deep stack', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `S${index}`,
        index === 9_999 ? TEXT : listOf(ref(`S${index + 1}`)),
      ]),
    );
    const { orderSchemas } = await import('../../../generator/emitter-kit/order-schemas.js');
    const schemas = new Map(
      Object.keys(chain).map((name, index) => [
        name,
        { name, schema: index === 9_999 ? true : { items: { $ref: `#/$defs/S${index + 1}` } } },
      ]),
    );
    const { schemas: ordered, cycles } = orderSchemas({ schemas: schemas as unknown as EmitterApi['schemas'] });
    expect([ordered[0]?.name, ordered.at(-1)?.name, cycles]).toEqual(['S9999', 'S0', []]);
  });

  it('visitSchema visits each schema inside of one in reading order, and follows no reference', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'integer' } }, b: ref('Order') },
    };
    const types = await look((api) => {
      const seen: unknown[] = [];
      api.visitSchema(schema as never, (one) => void seen.push(one.type ?? one.$ref));
      return seen;
    });
    expect(types).toEqual(['object', 'array', 'integer', '#/components/schemas/Order']);
  });

  it.each([
    [['Ends */ here', undefined, '@ts-ignore'], /^\/\*\*[^]*Ends \*(?!\/)[^]* here[^]*\*\/\s*$/],
    [[undefined], /^$/],
  ])('print.comment of %j is one comment, whatever its texts are', async (texts, wanted) => {
    const text = await look((_api, { print }) => print.comment(...texts));
    expect(text).toMatch(wanted);
    expect(text.match(/\*\//g)?.length ?? 0).toBe(text === '' ? 0 : 1);
    expect(text).not.toMatch(/^\s*\*? ?@ts-ignore/m);
  });

  it('projectSchema leaves out what the direction does not have, also where it was required', async () => {
    const [request, response] = await look((api) =>
      (['request', 'response'] as const).map((side) =>
        api.projectSchema(api.resolve({ $ref: api.refTo('Order') }), side),
      ),
    );
    expect(request).toMatchObject({ required: ['secret', 'tree'] });
    expect(Object.keys((request as { properties: object }).properties)).toEqual(['secret', 'tree']);
    expect(response).toMatchObject({ required: ['id', 'tree'] });
    expect(Object.keys((response as { properties: object }).properties)).toEqual(['id', 'tree']);
  });

  it('an operation has its success and its failures, and its bodies have names', async () => {
    const seen = await look((api) =>
      OPERATIONS.map((name) => find(api, name)).map((one) => ({
        success: [one.success?.status, one.success?.content?.mediaType],
        failures: one.failures.map(({ status }) => status),
        bodies: api.bodySchemas(one).map(({ name, isNamed, status }) => [name, isNamed, status]),
      })),
    );
    expect(seen[0]).toEqual({
      success: ['201', 'application/json'],
      failures: ['400', '404'],
      bodies: [
        ['Order', true, undefined],
        ['Order', true, '201'],
      ],
    });
    expect(seen[1]?.bodies).toEqual([['ListOrdersResponse200', false, '200']]);
    expect(seen[2]).toEqual({ success: ['204', undefined], failures: ['400', '404'], bodies: [] });
  });

  it('names come with the file that exports them, and own names are the same at each call and never twice', async () => {
    const seen = await look((api, { names }) => {
      const [create, remove] = [find(api, 'createOrder'), find(api, 'delete_')];
      const order = names.schema('Order');
      return {
        modules: [
          order.type,
          order.inputType,
          order.is,
          names.operation(create).fn,
          names.operation(create).failure,
          names.context,
        ],
        own: [order.constant('Schema'), names.schema('Order').constant('Schema'), order.prefixed('z')],
        operation: [
          names.operation(remove).fn.name,
          names.operation(remove).constant('Options'),
          names.operation(create).prefixed('z', 'Body'),
        ],
        unique: [names.unique('zOrder'), names.unique('free'), names.unique('free')],
      };
    });
    expect(seen.modules).toEqual([
      { name: 'Order', module: './types.js' },
      { name: 'OrderInput', module: './types.js' },
      { name: 'isOrder', module: './validators.js' },
      { name: 'createOrder', module: './operations.js' },
      { name: 'CreateOrderFailure', module: './types.js' },
      { name: 'ShopContext', module: './types.js' },
    ]);
    expect(seen.own).toEqual(['orderSchema', 'orderSchema', 'zOrder']);
    expect(seen.operation).toEqual(['delete_', 'deleteOptions', 'zCreateOrderBody']);
    expect(seen.unique).toEqual(['zOrder2', 'free', 'free2']);
  });

  it('names of a split output lead to the part that declares them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => [`GET /things/${index} getThing${index}`, { returns: TEXT }]),
    );
    const modules = await look((api, { names }) => {
      const first = find(api, 'getThing0');
      return [names.operation(first).fn.module, names.operation(first).request.module];
    }, smallSpec(many));
    expect(modules).toEqual(['./operations/things.js', './types/operations-things.js']);
  });

  it('helpers.pagination gives the plan of a declared list, and nothing for an operation that is no list', async () => {
    const paths = SPEC['paths'] as Record<string, Record<string, object>>;
    const list = { ...paths['/orders']?.['get'], 'x-pagination': { style: 'page', page: 'page', items: '' } };
    const spec = { ...SPEC, paths: { ...paths, '/orders': { ...paths['/orders'], get: list } } };
    const seen = await look(
      (api, { helpers, names }) =>
        OPERATIONS.map((name) => find(api, name)).map((one) => [helpers.pagination(one), names.operation(one).items]),
      spec,
    );
    expect(seen[1]?.[0]).toMatchObject({
      style: 'page',
      plan: { page: 'page', items: '' },
      item: { $ref: '#/$defs/Order' },
    });
    expect(seen[1]?.[1]).toEqual({ name: 'listOrdersItems', module: './helpers.js' });
    expect(seen[0]).toEqual([undefined, undefined]);
  });
});

describe('a file of an emitter', () => {
  it('has the banner, the header, the import extension, sorted imports, and constants, and is formatted', async () => {
    const emitter = defineEmitter({
      name: 'deep',
      version: 1,
      emit(_api, { names, print, file }) {
        const out = file('deep/own.ts');
        const type = names.import(out, names.schema('Order').type, { type: true });
        out.addImportDeclaration({ moduleSpecifier: '../validators', namedImports: ['isOrder'] });
        out.addVariableStatement({
          isExported: true,
          declarations: [{ name: 'first', type, initializer: `{${print.key('full name')}:1}` }],
        });
        out.addStatements([
          `export const test = (value: ${print.type({ $ref: '#/$defs/Tree' }, 'output', out)}) =>\n isOrder(value);`,
        ]);
      },
    });
    const text = await emitText(emitter, SPEC, {
      importExtension: 'ts',
      header: 'Shop team',
      only: ['types', 'validators'],
    });
    expect(text).toBe(`/* eslint-disable */
// Generated by specmill from the spec. Do not edit: the next run overwrites it.
// Shop team
import type { Order, Tree } from '../types.ts';
import { isOrder } from '../validators.ts';

export const first: Order = { 'full name': 1 };
export const test = (value: Tree) =>
  isOrder(value);
`);
  });

  it('is formatted by its own text, also after another one of the same name', async () => {
    const emit = (text: string) =>
      defineEmitter({ name: 'same', version: 1, emit: (_api, { file }) => void file('same.ts').addStatements(text) });
    await emitText(emit('export const first = {\na: 1,\n    b: [\n1,\n2,\n],\n};'), SPEC, { only: ['types'] });
    const second = await emitText(emit('export function f() {\nreturn 1;\n}'), SPEC, { only: ['types'] });
    expect(second).toContain('export function f() {\n  return 1;\n}\n');
  });

  it('that does not parse is an error that names the emitter and the place', async () => {
    const emitter = defineEmitter({
      name: 'bad',
      version: 1,
      emit: (_api, { file }) => void file('bad.ts').addStatements('export const = ;'),
    });
    await expect(emitText(emitter, SPEC)).rejects.toThrow(
      /^The emitter "bad" made a file that does not parse: bad\.ts:1:14/,
    );
  });

  it('that is exported may not export a name that index.ts has', async () => {
    const emit = (name: string) =>
      defineEmitter({
        name: 'own',
        version: 1,
        exports: true,
        emit: (_api, { file }) => void file('own.ts').addStatements(`export const ${name} = 1;`),
      });
    const files = await emitFiles(emit('mine'), SPEC, { only: ['types'] });
    expect(files.find(({ path }) => path === 'index.ts')?.contents).toContain("export * from './own.js';");
    await expect(emitFiles(emit('createOrder'), SPEC)).rejects.toThrow(
      'The emitter "own" exports createOrder from own.ts, a name that index.ts exports already',
    );
  });

  it('samples are the valid examples of a body, made values, and fixtures as JSON', async () => {
    const spec = structuredClone(SPEC) as { paths: Record<string, Record<string, never>> };
    const content = {
      schema: ref('Leaf'),
      examples: { bad: { value: { colour: 'blue' } }, good: { value: { colour: 'red' } } },
    };
    spec.paths['/leaf'] = {
      get: {
        operationId: 'leaf',
        responses: { 200: { description: 'A leaf.', content: { 'application/json': content } } },
      },
    } as never;
    const emitter = defineEmitter({
      ...{ name: 'look', version: 1, requires: ['fixtures'] },
      emit(api, { samples }) {
        const [media] = find(api, 'leaf').success?.response.content ?? [];
        if (media === undefined) throw new Error('There is no content.');
        expect(samples.examples(media, 'response')).toEqual([{ colour: 'red' }]);
        expect(samples.fixture('Order')).toEqual({ name: 'orderFixture', module: './fixtures.js' });
        expect(samples.fixture('Colour')).toBeUndefined();
        const made = samples.make({ $ref: api.refTo('Colour') }, 'response', 1)?.value;
        expect(['red', 'green']).toContain(made);
        expect(samples.make(false, 'response', 1)).toBeUndefined();
      },
    });
    expect.assertions(5);
    await emitFiles(emitter, spec, { only: ['types', 'fixtures'] });
  });

  it('the members of an item that repeat the path are found, and codecs name what they import', async () => {
    const item = object({ id: { type: 'integer', format: 'int64' }, at: { type: 'string', format: 'date-time' } });
    const spec = smallSpec({
      'GET /shops/{shop}/orders/{id} getOrder': {
        returns: object({ data: item }),
        path: { id: { type: 'integer', format: 'int64' } },
      },
      'GET /shops/{shop}/orders listOrders': { returns: listOf(item) },
    });
    const seen = await look((api, { helpers, print }) => {
      const used: string[] = [];
      const codecs = print.codecs(find(api, 'getOrder'), ({ name, module }) => {
        used.push(`${module} ${name}`);
        return name;
      });
      return [helpers.itemMembers(find(api, 'getOrder')), helpers.itemMembers(find(api, 'listOrders')), codecs, used];
    }, spec);
    expect(seen).toEqual([{ id: ['data', 'id'] }, {}, { responses: {}, items: {}, isExact: false }, []]);
  });
});

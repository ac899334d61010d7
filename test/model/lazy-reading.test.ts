import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Api } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';
import { hasPlainPath } from '../../model/openapi/plain-paths.js';
import { diagnosticsSoFar, partsToRead } from '../../model/openapi/lazy-api.js';
import { packageRoot } from '../../model/package-info.js';
import { pathRules } from '../../schema/path-rules.js';
import { comparableApi } from '../support/comparable-api.js';
import { loadFiles, specFolder } from '../support/spec-folder.js';

const SPECS = ['control', 'dictionary', 'engine', 'generation', 'notifications', 'signing', 'tables'];

const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

/** A spec with a response of each operation in `responses`, and an operation that links to the first. */
function specWith(responses: Readonly<Record<string, object>>, more: object = {}): object {
  const paths = Object.entries(responses).map(([id, response]) => [
    `/${id}/{key}`,
    { get: { operationId: id, responses: { 200: { description: '', ...response } } } },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Lazy', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: { Item: ITEM, ...more } },
  };
}

const load = (spec: object): Promise<Api> => loadFiles({ 'spec.json': spec }, { isLazy: true });
const codesSoFar = (api: Api): string[] => diagnosticsSoFar(api).map(({ code }) => code);

describe('a spec that is read on first use', () => {
  it.each(SPECS)('gives the same API as one that is read at once: %s', async (name) => {
    const file = path.join(packageRoot, 'specs', name, 'openapi.yaml');
    const [lazy, whole] = [await loadApi(file, { isLazy: true }), await loadApi(file)];
    expect(partsToRead(lazy).length).toBeGreaterThan(0);
    expect(partsToRead(whole)).toEqual([]);
    expect(comparableApi(lazy)).toEqual(comparableApi(whole));
  });

  it('reads the responses of the operation that is used, and no others', async () => {
    const wrong = { content: { 'application/json': { schema: { type: 'object', minProperties: 'one' } } } };
    const api = await load(specWith({ one: wrong, two: wrong }));
    expect(codesSoFar(api)).not.toContain('keyword-shape');
    expect(api.operations[1]?.responses[0]?.content[0]?.schema).toEqual({ type: 'object' });
    expect(diagnosticsSoFar(api).filter(({ code }) => code === 'keyword-shape')).toEqual([
      expect.objectContaining({ pointer: expect.stringContaining('/paths/~1two') }),
    ]);
  });

  it('knows the paths whose parameters a router must read', async () => {
    const parameter = (more: object): object => ({ name: 'key', in: 'path', required: true, schema: {}, ...more });
    const parameters = { matrix: parameter({ style: 'matrix' }), plain: parameter({}) };
    const spec = {
      ...specWith({}),
      paths: {
        '/plain/{key}': { get: { operationId: 'plain', parameters: [{ $ref: '#/components/parameters/plain' }] } },
        '/matrix/{key}': {
          parameters: [{ $ref: '#/components/parameters/matrix' }],
          get: { operationId: 'matrix' },
        },
        '/multi/{key}': { get: { operationId: 'multi', parameters: [parameter({ 'x-multi-segment': true })] } },
        '/other/{key}': { get: { operationId: 'other', parameters: [parameter({ in: 'query', style: 'form' })] } },
      },
      components: { parameters },
    };
    const [lazy, whole] = [await load(spec), await loadFiles({ 'spec.json': spec })];
    expect(lazy.operations.filter(hasPlainPath).map(({ id }) => id)).toEqual(['plain', 'other']);
    expect(lazy.operations.map(pathRules)).toEqual(whole.operations.map(pathRules));
    expect(whole.operations.map((one) => pathRules(one).length)).toEqual([0, 1, 1, 0]);
  });

  it('reads each part once', async () => {
    const api = await load(specWith({ one: {} }));
    const [operation] = api.operations;
    expect(operation?.responses).toBe(operation?.responses);
    expect(operation?.parameters).toBe(operation?.parameters);
  });

  it('finds the diagnostics of all parts when they are asked for', async () => {
    const spec = specWith({ one: { links: { next: { operationId: 'three' } } } });
    const api = await load({ ...spec, wrong: true });
    expect(codesSoFar(api)).toEqual([]);
    const codes = api.diagnostics.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['document-invalid', 'parameter-path-missing', 'link-unresolved']));
    expect(api.diagnostics).toBe(api.diagnostics);
  });

  it('reads a named schema when it is used, and the others when all diagnostics are asked for', async () => {
    const wrong = { type: 'object', minProperties: 'one' };
    const api = await load(specWith({}, { Wrong: wrong, Other: wrong }));
    expect(api.schemas.get('Wrong')?.schema).toEqual({ type: 'object' });
    expect(diagnosticsSoFar(api).map(({ pointer }) => pointer)).toEqual(['/components/schemas/Wrong/minProperties']);
    expect(api.diagnostics.map(({ code }) => code)).toEqual(['keyword-shape', 'keyword-shape']);
  });

  it('names the request variants of the schemas that reach a marked member, however it is asked', async () => {
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const spec = specWith(
      {},
      {
        Marked: { type: 'object', properties: { id: { type: 'string', readOnly: true } } },
        Outer: { type: 'object', properties: { inner: { type: 'array', items: ref('Marked') }, self: ref('Outer') } },
        Plain: { type: 'object', properties: { item: ref('Item') } },
      },
    );
    const api = await load(spec);
    const names = ['Plain', 'Outer', 'Item', 'Marked'].map((name) => api.schemas.get(name)?.inputName);
    expect(names).toEqual([undefined, 'OuterInput', undefined, 'MarkedInput']);
  });

  it.each([
    [
      'a circle at the same value',
      {
        A: { allOf: [{ $ref: '#/components/schemas/B' }] },
        B: { anyOf: [{ not: { $ref: '#/components/schemas/A' } }] },
      },
    ],
    [
      'a base with a discriminator',
      {
        Base: { type: 'object', discriminator: { propertyName: 'kind' } },
        Child: { allOf: [{ $ref: '#/components/schemas/Base' }] },
      },
    ],
  ])('reads all named schemas at once if they have %s, with the same result', async (_what, schemas) => {
    const spec = specWith({ one: {} }, schemas);
    const file = path.join(specFolder({ 'spec.json': spec }), 'spec.json');
    const [lazy, whole] = [await loadApi(file, { isLazy: true }), await loadApi(file)];
    expect(partsToRead(lazy).length).toBeGreaterThan(0);
    expect(comparableApi(lazy)).toEqual(comparableApi(whole));
  });

  it('has the same messages, whichever part of the reading found a problem first', async () => {
    const components = { securitySchemes: { key: { in: 'query', name: 'k' } } };
    const file = path.join(specFolder({ 'spec.json': { ...specWith({ one: {} }), components } }), 'spec.json');
    const [lazy, whole] = [await loadApi(file, { isLazy: true }), await loadApi(file)];
    expect(comparableApi(lazy)).toEqual(comparableApi(whole));
  });

  it('looks for the members that a schema requires in the operations too', async () => {
    const named = {
      content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Part' }, ITEM] } } },
    };
    const api = await load(specWith({ one: named }, { Part: { required: ['id'] } }));
    expect(codesSoFar(api)).toEqual([]);
    expect(api.diagnostics.map(({ code }) => code)).not.toContain('required-unknown');
  });

  it('ends for a schema that only a wrong reference of an operation names', async () => {
    const circle = { description: '', allOf: [{ $ref: '#/components/responses/Circle' }] };
    const spec = specWith({ one: { content: { 'application/json': { schema: circle.allOf[0] } } } });
    const api = await load({ ...spec, components: { responses: { Circle: circle } } });
    expect(api.operations[0]?.responses[0]?.content[0]?.schema).toEqual({ $ref: '#/$defs/Circle' });
    expect(api.schemas.get('Circle')?.schema).toBe(false);
  });

  it.each([
    ['a reference to a schema that is missing', '#/components/schemas/Other', 'ref-unresolved'],
    ['a reference into a schema', '#/components/schemas/Item/properties/id', undefined],
    ['a reference to a file', 'other.json', 'ref-refused'],
  ])('is read at once if it has %s', async (_what, $ref, code) => {
    const api = await load(specWith({ one: { content: { 'application/json': { schema: { $ref } } } } }));
    expect(partsToRead(api)).toEqual([]);
    if (code !== undefined) expect(codesSoFar(api)).toContain(code);
  });
});

import { existsSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { readConfig } from '../../generator/generate-options.js';
import { BUILT_IN_APIS, findBuiltInSpecs } from '../../config/built-in-apis.js';
import { resolveApis } from '../../config/resolve-config.js';
import { packageRoot } from '../../model/package-info.js';

const CONFIG = {
  apis: {
    a: { spec: 'a.yaml', output: 'out/a' },
    b: { spec: ['b.yaml', '/c.json'], output: 'out/b', include: ['x', '/y'] },
  },
};

describe('resolving a configuration', () => {
  it('applies every default and makes paths absolute', () => {
    expect(resolveApis(CONFIG, '/home', { names: [] })).toEqual([
      {
        name: 'a',
        specs: ['/home/a.yaml'],
        load: {},
        output: '/home/out/a',
        exclude: { tags: [], paths: [], operations: [] },
        emitters: [],
        runsOwnEmitters: true,
        importExtension: 'js',
        types: { dates: 'string', int64: 'number', ids: 'string' },
        contract: {},
        data: [],
        scenarios: [],
      },
      {
        name: 'b',
        specs: ['/home/b.yaml', '/c.json'],
        load: {},
        output: '/home/out/b',
        include: { tags: ['x'], paths: ['/y'], operations: ['x'] },
        exclude: { tags: [], paths: [], operations: [] },
        emitters: [],
        runsOwnEmitters: true,
        importExtension: 'js',
        types: { dates: 'string', int64: 'number', ids: 'string' },
        contract: {},
        data: [],
        scenarios: [],
      },
    ]);
  });

  it('keeps URLs unchanged, and makes the paths of overlays and of the root absolute', () => {
    const spec = 'https://example.com/openapi.yaml';
    const headers = { authorization: 'Bearer x' };
    const helpers = { listItems: { 'x-pagination': {} } };
    const api = { spec, output: 'out', headers, helpers, overlays: ['changes.yaml', spec], root: '.' };
    const [resolved] = resolveApis({ apis: { a: api } }, '/home', { names: [] });
    expect(resolved?.specs).toEqual([spec]);
    const helpersAt = { file: '', pointer: '/apis/a/helpers' };
    const overlays = ['/home/changes.yaml', spec];
    expect(resolved?.load).toEqual({ headers, helpers, helpersAt, overlays, root: '/home' });
  });

  it('returns each API once that the names select', () => {
    expect(resolveApis(CONFIG, '/', { names: ['b', 'a', 'b'] }).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it.each(['c', '__proto__', 'constructor'])('refuses the unknown name %s', (name) => {
    expect(() => resolveApis(CONFIG, '/', { names: [name] })).toThrow(/no API named/);
  });

  it.each(['out/a', 'out', 'out/a/deep', 'x/../out/a'])('refuses an output folder %s beside out/a', (output) => {
    const config = { apis: { a: { spec: 'a', output: 'out/a' }, b: { spec: 'b', output } } };
    expect(() => resolveApis(config, '/home', { names: [] })).toThrow(/cannot share/);
  });
});

describe('the configuration of this repository', () => {
  it('the configuration of this repository lists the built-in APIs with the specs that come with the package', async () => {
    const { config, folder } = await readConfig(packageRoot, undefined);
    // The interface beside each mock and the schema of our own options have an output too, and are no APIs that are served.
    const own = new Set(['control', 'options']);
    const apis = resolveApis(config, folder, { names: [] }).filter(({ name }) => !own.has(name));
    expect(apis.map(({ name }) => name)).toEqual(BUILT_IN_APIS);
    for (const api of apis) {
      expect(api.specs).toEqual(findBuiltInSpecs(api.name));
      expect(api.specs.filter((spec) => !existsSync(spec))).toEqual([]);
      expect(api.output).toBe(path.join(packageRoot, 'generated', api.name));
    }
  });
});

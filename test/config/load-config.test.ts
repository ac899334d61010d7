import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { readConfig } from '../../generator/generate-options.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { tempFolder } from '../support/temp-folder.js';

const APIS = '{ pets: { spec: "pets.yaml", output: "out" } }';

describe('loading a configuration', () => {
  it.each([
    [
      'specmill.config.ts',
      `import { defineConfig } from 'specmill';\nexport default defineConfig({ apis: ${APIS} satisfies object });`,
    ],
    ['specmill.config.js', `import { defineConfig } from 'specmill';\nexport default defineConfig({ apis: ${APIS} });`],
    ['specmill.config.mjs', `export default { apis: ${APIS} };`],
    ['specmill.config.cjs', `module.exports = { apis: ${APIS} };`],
    ['specmill.config.json', '{ "apis": { "pets": { "spec": "pets.yaml", "output": "out" } } }'],
    ['specmill.config.yaml', 'apis:\n  pets: { spec: pets.yaml, output: out }\n'],
  ])('reads %s', async (name, text) => {
    const folder = tempFolder({ [name]: text });
    const found = await readConfig(folder, undefined);
    expect(found).toMatchObject({
      file: path.join(folder, name),
      folder,
      config: { apis: { pets: { spec: 'pets.yaml' } } },
    });
  });

  it('reads the file that the caller names', async () => {
    const folder = tempFolder({ 'specmill.config.json': 'bad', 'other/my.yaml': `apis: ${APIS}` });
    expect(await readConfig(folder, 'other/my.yaml')).toMatchObject({ folder: path.join(folder, 'other') });
  });

  it('reads a configuration although the environment variable of a secret is not set', async () => {
    const oauth2 = `{ clientId: 'ci', clientSecret: process.env['NO_SUCH_SECRET'] ?? '' }`;
    const apis = `{ pets: { spec: 'pets.yaml', output: 'out', contract: { oauth2: ${oauth2} } } }`;
    const folder = tempFolder({ 'specmill.config.mjs': `export default { apis: ${apis} };` });
    expect(await readConfig(folder, undefined)).toMatchObject({
      config: { apis: { pets: { contract: { oauth2: { clientSecret: '' } } } } },
    });
  });

  it.each<[string, string, RegExp | string, object]>([
    [
      'the shape of orval',
      '{"shop": {"input": {"target": "shop.yaml"}, "output": {"target": "src/shop.ts", "client": "vue-query"}}}',
      'The configuration has no apis. Write it as ' +
        '{ apis: { shop: { spec: "shop.yaml", output: "src/shop", emitters: ["tanstack-query"] } } }.',
      { line: 1, column: 1, pointer: '' },
    ],
    [
      'the shape of hey-api',
      '{"input": "./big-shop.yaml", "output": "src/client", "plugins": ["@hey-api/client-fetch", {"name": "zod"}]}',
      'Write it as { apis: { "big-shop": { spec: "./big-shop.yaml", output: "src/client", emitters: ["zod"] } } }.',
      { line: 1, column: 1, pointer: '' },
    ],
    [
      'the shape of kubb',
      '{"root": ".", "input": {"path": "shop.yaml"}, "output": {"path": "src/gen"}}',
      'Write it as { apis: { shop: { spec: "shop.yaml", output: "src/gen" } } }.',
      { line: 1, column: 1, pointer: '' },
    ],
    [
      'the words of another generator below apis',
      'apis:\n  shop: { input: shop.yaml, output: src }',
      '/apis/shop of the configuration has no spec. Write it as { apis: { shop: { spec: "shop.yaml", output: "src" } } }.',
      { line: 2, pointer: '/apis/shop' },
    ],
    ['no apis', '{}', /The configuration has no apis/, { line: 1, column: 1, pointer: '' }],
    ['an unknown member', 'apis: {}\napi: {}', /no member api\. Did you mean apis\?/, { line: 2, pointer: '/api' }],
    [
      'a required member with a typo',
      'apis:\n  pets:\n    spce: x\n    output: o',
      /no member spce\. Did you mean spec\?/,
      { line: 3, pointer: '/apis/pets/spce' },
    ],
    [
      'no output',
      'apis:\n  pets:\n    spec: x',
      /\/apis\/pets of the configuration has no output/,
      { line: 2, pointer: '/apis/pets' },
    ],
    [
      'a member of the wrong type',
      'apis:\n  pets:\n    spec: x\n    output: 7',
      /\/apis\/pets\/output .* must be a text/,
      { line: 4, column: 13, pointer: '/apis/pets/output' },
    ],
    [
      'an empty list of specs',
      'apis: { pets: { spec: [], output: o } }',
      /must be a path or a list of paths/,
      { pointer: '/apis/pets/spec' },
    ],
    [
      'a bad name',
      'apis: { "../pets": { spec: x, output: o } }',
      /The API name "\.\.\/pets" must start with a letter/,
      { pointer: '/apis/..~1pets' },
    ],
    [
      'an unknown choice',
      'apis: { pets: { spec: x, output: o, include: { tag: [a] } } }',
      /no member tag\. Did you mean tags\?/,
      { pointer: '/apis/pets/include/tag' },
    ],
    [
      'an invalid emitter',
      'apis: { pets: { spec: x, output: o, emitters: [1] } }',
      /must be the name of an emitter, \[name, options\], or an emitter/,
      { pointer: '/apis/pets/emitters/0' },
    ],
    [
      'emitters beside the APIs',
      'apis: {}\nemitters: []',
      /no member emitters\. It belongs to an API: apis\.<name>\.emitters\./,
      { line: 2, pointer: '/emitters' },
    ],
    ['bad syntax', 'apis: {', /cannot be read/, { line: 1 }],
  ])('the message names the error of %s and its position', async (_what, text, message, place) => {
    const folder = tempFolder({ 'specmill.config.yaml': text });
    const error: unknown = await readConfig(folder, undefined).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      place: { file: path.join(folder, 'specmill.config.yaml'), ...place },
    });
  });

  it('without a configuration, that of another generator is named with the command that translates it', async () => {
    const folder = tempFolder({
      'orval.config.mjs': 'export default { shop: { input: "shop.yaml", output: "src" } };',
    });
    await expect(readConfig(folder, undefined)).rejects.toThrow(
      'orval.config.mjs is for orval: "specmill generate --config orval.config.mjs" shows it as a configuration of specmill.',
    );
    await expect(readConfig(folder, 'orval.config.mjs')).rejects.toThrow(
      'Write it as { apis: { shop: { spec: "shop.yaml", output: "src" } } }.',
    );
  });

  it('the promise that the configuration of hey-api exports is awaited', async () => {
    const text = 'export default Promise.resolve({ input: "shop.yaml", output: "src" });';
    await expect(readConfig(tempFolder({ 'specmill.config.mjs': text }), undefined)).rejects.toThrow(
      'Write it as { apis: { shop: { spec: "shop.yaml", output: "src" } } }.',
    );
  });

  it('a configuration with a mistyped name is named in the message', async () => {
    const folder = tempFolder({ 'specmill.config.json': '{}' });
    await expect(readConfig(folder, 'specmil.config.json')).rejects.toThrow('Did you mean "specmill.config.json"?');
  });

  it.each<[string, string, RegExp, object]>([
    ['syntax', 'export default {\n  apis: {,\n};', /cannot be loaded: Unexpected token$/, { line: 2, column: 10 }],
    ['code that throws', 'throw new Error("no luck");', /cannot be loaded: no luck/, {}],
    [
      'a bad value',
      'export default { apis: { a: { spec: 1, output: "x" } } };',
      /\/apis\/a\/spec/,
      { pointer: '/apis/a/spec' },
    ],
  ])('the message names the error of a module: %s', async (_what, text, message, place) => {
    const folder = tempFolder({ 'specmill.config.ts': text });
    const error: unknown = await readConfig(folder, undefined).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: expect.stringMatching(message),
      place: { file: path.join(folder, 'specmill.config.ts'), ...place },
    });
  });
});

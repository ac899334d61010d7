import { expect, it } from 'vitest';

import type { Schema } from '../../../model/schema-types.js';
import { buildApi } from '../../support/build-api.js';
import { emitTypeFiles, textOf } from '../../support/emit-types.js';
import { LINEAR, growthOf } from '../../support/growth.js';
import { OutputFolder } from '../../support/output-folder.js';

/** More schemas than one file has: each refers to the next, and they begin with three letters. */
function manySchemas(): Record<string, Schema> {
  const names = Array.from({ length: 201 }, (_, index) => `${['Apple', 'Berry', 'Cherry'][index % 3]}${index}`);
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      { type: 'object', properties: { next: { $ref: `#/$defs/${names[(index + 1) % names.length]}` } } },
    ]),
  );
}

it('splits the types of a large API by first letter, and types.ts exports them all', async () => {
  const files = await emitTypeFiles(buildApi({ schemas: { ...manySchemas(), Color: { enum: ['red', 'blue'] } } }));
  expect(files.map(({ path }) => path)).toEqual([
    'types.ts',
    'types/schemas-a.ts',
    'types/schemas-b.ts',
    'types/schemas-c.ts',
  ]);
  expect(await textOf(files[0])).toContain("export * from './types/schemas-c.js';");
  using output = new OutputFolder();
  await output.writeFiles(files);
  await output.writeFiles([
    {
      path: 'use.ts',
      contents:
        "import { type Apple0, Color } from './types.js';\nexport const a: Apple0 = { next: { next: {} } };\nexport const c: Color = Color.red;\n",
    },
  ]);
  expect(output.typeCheck()).toBe('');
});

it('keeps the types of a small API in one file', async () => {
  const files = await emitTypeFiles(buildApi({ schemas: { Color: { enum: ['red', 'blue'] } } }));
  expect(files.map(({ path }) => path)).toEqual(['types.ts']);
});

it('prints the schemas that extend a base with a mapping in linear time', async () => {
  const print = async (count: number): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => `${'abcdefgh'[index % 8]}${index}`);
    const mapping = Object.fromEntries(names.map((name) => [`#${name}`, name]));
    const heirs = names.map((name): [string, Schema] => [name, { allOf: [{ $ref: '#/$defs/Base' }], type: 'object' }]);
    const base: Schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind', mapping },
    };
    const files = await emitTypeFiles(buildApi({ schemas: { Base: base, ...Object.fromEntries(heirs) } }));
    expect(await textOf(files.at(-1))).toContain(`kind: '#${names[7]}'`);
  };
  expect(await growthOf(print, 60)).toBeLessThan(LINEAR);
});

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

import { typesEmitter } from '../../../generator/types/emit-types.js';
import type { Api } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { buildApi } from '../../support/build-api.js';
import { bundleProgram, emitValidators, importEmitted } from '../../support/emit-validators.js';
import { TSC } from '../../support/compiler.js';
import { CASE_SCHEMAS, KEYWORD_CASES } from '../../support/keyword-cases.js';

const rich = buildApi({
  schemas: {
    ...CASE_SCHEMAS,
    ...Object.fromEntries(KEYWORD_CASES.map(({ schema }, index) => [`Case${index}`, schema])),
  },
  operations: [{ name: 'ping' }],
});

async function emitTypes(api: Api): ReturnType<typeof emitValidators> {
  const files = await typesEmitter.emit(api, { apiName: 'test', emitters: new Set(['types']), report: () => {} });
  return await emitValidators(api, files);
}

describe('the output', () => {
  test('the output imports no package', async () => {
    const { files } = await emitValidators(rich);
    for (const [file, text] of files) {
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        ([, specifier = '']) => specifier,
      );
      for (const specifier of imports) {
        const target = path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');

        expect(specifier).toMatch(/^\.\.?\/.*\.js$/);
        expect(target === 'types.ts' || files.has(target), `${file} imports ${specifier}`).toBe(true);
      }
    }
  });

  test('the output compiles under the strictest flags, and its guards narrow', async () => {
    const { folder } = await emitTypes(rich);
    writeFileSync(
      path.join(folder, 'use.ts'),
      `import type { Tree } from './types.js';
import { isTree, assertTree, validateTree, validatePingRequest, validatePingResponse } from './validators.js';
import { responseValidators } from './validators.js';
declare const value: unknown;
if (isTree(value)) value.children?.map((child: Tree) => child.value);
const result = validateTree(value);
export const tree: Tree | undefined = result.ok ? result.value : undefined;
export const pointers: string[] = result.ok ? [] : result.errors.map(({ pointer }) => pointer);
export function use(given: unknown): number { assertTree(given); return given.value; }
export const all: unknown[] = [validatePingRequest({}), validatePingResponse({ status: 200, data: 1 }), responseValidators['ping']?.(200, undefined, 1)];
// @ts-expect-error a value that is not checked has no members
export const unchecked: unknown = value.children;
`,
    );
    const config = {
      extends: path.resolve('tsconfig.json'),
      compilerOptions: { rootDir: '.', types: [], typeRoots: [], skipLibCheck: false },
      include: ['**/*.ts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));

    expect(() =>
      execFileSync(TSC, ['-p', folder], {
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    ).not.toThrow();
  });

  test('a bundle contains only the validators that are used', async () => {
    const output = await emitValidators(rich);
    const bundle = await bundleProgram(output, `import { isBase } from './validators.js';\nconsole.log(isBase({}));\n`);

    expect(bundle).toContain('checkBase');
    expect(bundle).not.toMatch(/checkTree|Rules|RegExp|findDuplicate|dateTime|ipv6/);
  });

  test('the bundle of one validator is small', async () => {
    const sizeOf = async (name: string): Promise<number> => {
      const contents = `export { ${name} } from './generated/signing/index.js';`;
      const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
      const { outputFiles } = await build({ stdin: { contents, resolveDir: '.' }, ...options });
      return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    };

    // The guard of a resource with 75 properties; with the errors and the interface of Standard Schema.
    expect(await sizeOf('isCase')).toBeLessThanOrEqual(3300);
    expect(await sizeOf('validateCase')).toBeLessThanOrEqual(3500);
  });

  test('the output contains no schema, only the lists of allowed values', async () => {
    const { files } = await emitValidators(
      buildApi({
        schemas: {
          A: { type: 'object', properties: { kind: { enum: ['one', 'two'] }, other: { enum: ['one', 'two'] } } },
        },
      }),
    );
    const text = files.get('validators.ts') ?? '';

    expect(text.match(/\["one","two"\]/g)).toHaveLength(1);
    expect(text).not.toContain('properties');
  });

  test('two runs give the same output', async () => {
    const [one, other] = [await emitValidators(rich), await emitValidators(rich)];

    expect([...one.files]).toEqual([...other.files]);
    expect([...one.keys]).toEqual([...other.keys]);
  });
});

describe('large documents', () => {
  const part: Schema = {
    type: 'object',
    required: ['street', 'city'],
    properties: {
      street: { type: 'string', maxLength: 100 },
      city: { type: 'string', maxLength: 100 },
      country: { enum: ['at', 'de', 'ch'] },
    },
  };
  const schemas = {
    One: { properties: { home: part } },
    Two: { properties: { work: part } },
    Three: { items: { ...part, description: 'another' } },
  };

  test('repeated checks are emitted once', async () => {
    const output = await emitValidators(buildApi({ schemas }));
    const text = [...output.files]
      .filter(([file]) => file.startsWith('validators'))
      .map(([, contents]) => contents)
      .join('');

    expect(text.match(/"country"/g)).toHaveLength(1);
    expect(text.match(/function shared_/g)).toHaveLength(1);
    expect((await importEmitted(output, 'validators'))['validateThree']?.([{ street: 1, city: '' }])).toMatchObject({
      errors: [{ pointer: '/0/street' }],
    });
  });

  test('an inline schema that repeats a named one calls its validator', async () => {
    const { files } = await emitValidators(buildApi({ schemas: { ...schemas, Address: part } }));

    expect(files.get('validators.ts')?.match(/checkAddress\(value\d|failsItems\(checkAddress,/g)).toHaveLength(3);
    expect(files.get('validators.ts')).not.toContain('shared_');
  });

  test('large documents get a module for each tag and for parts of the schemas, and one module exports them', async () => {
    const operations = Array.from({ length: 101 }, (_, index) => ({
      name: `get${index}`,
      path: index === 0 ? '/v1/things/{id}' : '/',
      tags: index === 0 ? [] : ['a b'],
    }));
    const output = await emitValidators(buildApi({ operations, schemas: { One: part, Two: { $ref: '#/$defs/One' } } }));
    const files = [...output.files.keys()].filter((file) => file.startsWith('validators'));
    const { validateTwo, validateGet3Request, responseValidators } = await importEmitted(output, 'validators');

    expect(files).toEqual([
      'validators.ts',
      expect.stringMatching(/^validators\/schemas-[0-9a-f]\.ts$/),
      expect.stringMatching(/^validators\/schemas-[0-9a-f]\.ts$/),
      'validators/things.ts',
      'validators/a-b.ts',
    ]);
    expect(validateTwo?.({ street: '' })).toMatchObject({ errors: [{ params: { missingProperty: 'city' } }] });
    expect(validateGet3Request?.({})).toEqual({ ok: true, value: {} });
    expect(Object.keys(responseValidators ?? {})).toHaveLength(101);
  });
});

describe('hostile texts of a document', () => {
  const evil = [
    '*/ process.exit(1) /*',
    '${process.exit(1)}',
    '"); process.exit(1); ("',
    "'+process.exit(1)+'",
    '`',
    '</script>',
    '\u2028process.exit(1)',
    '\\',
    '__proto__',
    'constructor',
    'vErrors = null;\n}',
  ];

  test.each(evil)('cannot inject code by %j', async (name) => {
    const schema: Schema = {
      title: name,
      description: name,
      required: [name],
      properties: Object.fromEntries([
        [name, { enum: [name, 'x'] } as const],
        ['other', { const: name } as const],
      ]),
      patternProperties: { [escapePattern(name)]: { type: ['string', 'null'] } },
      dependentRequired: Object.fromEntries([[name, ['other']]]),
      propertyNames: { pattern: `^(${escapePattern(name)}|other)$` },
      additionalProperties: false,
    };
    const output = await emitValidators(
      buildApi({ schemas: { Evil: schema }, operations: [{ name: 'evil', path: name, tags: [name] }] }),
    );
    const { validateEvil } = await importEmitted(output, 'validators');
    const good = JSON.parse(
      `{${JSON.stringify(name)}: ${JSON.stringify(name)}, "other": ${JSON.stringify(name)}}`,
    ) as unknown;

    expect(validateEvil?.(good)).toEqual({ ok: true, value: good });
    expect(validateEvil?.({ other: 1 })).toMatchObject({ ok: false });
    expect([...output.files.values()].join('')).not.toMatch(/<\/script|\u2028/);
  });
});

/** A text as a pattern that matches it alone. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

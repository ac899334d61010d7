import { expect, test } from 'vitest';

import { compileFolder } from '../../support/compile-types.js';
import { declarationOf, emitTypeFiles, emitTypes, textOf, writeTypes } from '../../support/emit-types.js';
import { loadDocument } from '../../support/load-document.js';
import { tempFolder, writeTo } from '../../support/temp-folder.js';

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets/{id}': {
      put: {
        operationId: 'putPet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'dry', in: 'query', schema: { type: 'boolean', default: false } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Owner' } },
            'text/plain': { schema: { type: 'string' } },
          },
        },
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Owner' } } },
          },
          204: { description: 'none' },
          404: {
            description: 'lost',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Lost' } } },
          },
          409: {
            description: 'taken',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['by'], properties: { by: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Lost: { type: 'object', required: ['hint'], properties: { hint: { type: 'string' } } },
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
      },
      Dog: {
        type: 'object',
        required: ['kind', 'bark'],
        properties: { kind: { const: 'dog' }, bark: { type: 'string' } },
      },
      Vehicle: {
        type: 'object',
        required: ['wheels'],
        properties: { wheels: { type: 'string' } },
        discriminator: { propertyName: 'wheels', mapping: { two: '#/components/schemas/Bike' } },
      },
      Bike: { allOf: [{ $ref: '#/components/schemas/Vehicle' }, { properties: { gears: { type: 'integer' } } }] },
      Owner: {
        type: 'object',
        required: ['id', 'secret', 'pet'],
        properties: {
          id: { type: 'string', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          pet: { $ref: '#/components/schemas/Pet' },
          colour: { enum: ['red', 'blue'], default: 'red' },
        },
      },
    },
  },
};

/** What holds of the types, as types: a line after `@ts-expect-error` must be an error, and all others none. */
const ASSERTIONS = `
import type { Bike, Owner, OwnerInput, Pet, PetsFailures, PutPetFailure, PutPetRequest, PutPetResponse } from './types.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export function check<_T extends true>(): void {}

export function narrowPet(pet: Pet): number | string {
  return pet.kind === 'cat' ? pet.lives : pet.bark;
}
check<Equal<Pet['kind'], 'cat' | 'dog'>>();
check<Equal<Bike['wheels'], 'two'>>();

check<Equal<keyof Owner, 'id' | 'pet' | 'colour'>>();
check<Equal<keyof OwnerInput, 'secret' | 'pet' | 'colour'>>();
export const owner: OwnerInput = { secret: 's', pet: { kind: 'cat', lives: 9 } };
// @ts-expect-error A read-only member is not sent.
export const withId: OwnerInput = { secret: 's', pet: { kind: 'cat', lives: 9 }, id: '1' };
// @ts-expect-error A cat does not bark.
export const barking: Pet = { kind: 'cat', bark: 'woof' };
export function rename(read: Owner): void {
  // @ts-expect-error A read-only member is not written.
  read.id = '2';
}

export const json: PutPetRequest = { path: { id: '1' }, body: owner };
export const text: PutPetRequest = { path: { id: '1' }, query: { dry: true }, body: 'a', contentType: 'text/plain' };
// @ts-expect-error A text needs its content type.
export const untold: PutPetRequest = { path: { id: '1' }, body: 'a' };
// @ts-expect-error The path is required.
export const nowhere: PutPetRequest = { body: owner };

export function narrowResponse(response: PutPetResponse): string | undefined {
  if (response.status === 204) return response.data;
  check<Equal<typeof response.data, Owner>>();
  check<Equal<(typeof response.headers)['x-total'], string>>();
  return response.data.id;
}

export function narrowFailure(failure: PutPetFailure): string {
  if (failure.status === 404) return failure.body.hint;
  check<Equal<typeof failure.status, 409>>();
  return failure.body.by;
}
check<Equal<PetsFailures['putPet'], PutPetFailure>>();
`;

const HOSTILE_WORDS = [
  '*/ process.exit() /*',
  '`${process.exit()}`',
  `'"\\`,
  'a\nb',
  '</script>',
  '\u2028',
  '__proto__',
  'constructor',
  '[k: string]',
  '// x',
  '@ts-ignore',
  '\u202e',
  'any',
  'string',
];

/** A schema that has a hostile word wherever a schema can have a word. */
function hostileSchema(word: string): object {
  const key = {
    value: { type: 'string', description: word, title: word, default: word, format: word, pattern: word },
    enumerable: true,
  };
  return {
    title: word,
    description: word,
    type: 'object',
    tsType: 'process.exit()',
    customName: 'evil',
    tsEnumNames: ['evil'],
    extends: { tsType: 'evil' },
    properties: Object.defineProperty(
      {
        value: { enum: [word, { [word]: word }] },
        constant: { const: word },
        data: { default: { $ref: 'http://localhost:1/', tsType: 'evil' } },
        list: { items: { description: word } },
      },
      word,
      key,
    ),
    required: [word],
    patternProperties: { [word]: { type: 'string' } },
    'x-evil': word,
  };
}

test('emitted types narrow by their tags, and hostile names do not become code', { timeout: 120_000 }, async () => {
  const folder = tempFolder();
  await writeTypes(folder, 'pets', await loadDocument(PETS));
  writeTo(folder, 'pets/assertions.ts', ASSERTIONS);
  const words = HOSTILE_WORDS.map((word) => [word, hostileSchema(word)] as const);
  const schemas = Object.fromEntries([
    ...words,
    ['ApiError', { type: 'string' }],
    ['HeaderValues', { type: 'string' }],
  ]);
  const paths = Object.fromEntries(
    HOSTILE_WORDS.map((word) => [
      `/${word}`,
      {
        get: {
          operationId: word,
          summary: word,
          description: word,
          parameters: [{ name: word, in: 'query', description: word, schema: { type: 'string', enum: [word] } }],
          requestBody: {
            description: word,
            content: { [word]: { schema: { type: 'string' } }, 'application/json': { schema: hostileSchema(word) } },
          },
          responses: {
            200: { description: word, headers: { [word]: { description: word } }, content: { [word]: {} } },
            404: { description: word },
          },
        },
      },
    ]),
  );
  await writeTypes(
    folder,
    'hostile',
    await loadDocument({ openapi: '3.1.0', info: { title: '*/', version: '*/' }, paths, components: { schemas } }),
  );
  await writeTypes(
    folder,
    'hostile-schema',
    await loadDocument({
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...hostileSchema('*/ Root'),
      definitions: schemas,
      allOf: words.map(([name]) => ({
        $ref: `#/definitions/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      })),
    }),
  );
  expect(await compileFolder(folder)).toBe('');
});

test('the types of a long chain of allOf compile', async () => {
  const length = 400;
  const link = (index: number): unknown => {
    const own = { type: 'object', properties: { [`p${index}`]: { type: 'string' } } };
    return index === 0 ? own : { allOf: [{ $ref: `#/components/schemas/S${index - 1}` }, own] };
  };
  const schemas = Object.fromEntries(Array.from({ length }, (_, index) => [`S${index}`, link(index)]));
  const api = await loadDocument({
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: {},
    components: { schemas },
  });
  const files = await emitTypeFiles(api);
  const text = (await Promise.all(files.map(textOf))).join('\n');
  expect(declarationOf(text, 'S9')).toBe('extends S8 { p9?: string; }');
  // Interfaces end where each would list the members of a hundred others.
  expect(declarationOf(text, 'S300')).toBe('S299 & { p300?: string; }');
  const folder = tempFolder();
  await writeTypes(folder, 'chain', api);
  expect(await compileFolder(folder)).toBe('');
});

test('a bare schema whose allOf leads back to it beside other keywords has a type', async () => {
  const whole = { $ref: '#' };
  const text = await emitTypes(
    await loadDocument({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, meta: { $ref: 'https://json-schema.org/draft/2020-12/schema' } },
      allOf: [{ $ref: '#/$defs/Part' }],
      $defs: { Part: { type: 'object', properties: { whole, parts: { type: 'array', items: whole } } } },
    }),
  );
  const root = /^export type (\w+) = \(?Part & /m.exec(text)?.[1] ?? '';
  expect(declarationOf(text, 'Part')).toBe(`{ whole?: ${root}; parts?: ${root}[]; }`);
  expect(declarationOf(text, root)).toContain('Part & { name: string; meta?: ');
});

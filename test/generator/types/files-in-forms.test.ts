import { Project, ts } from 'ts-morph';
import { expect, test } from 'vitest';

import { compileFolder } from '../../support/compile-types.js';
import { emitTypeFiles, textOf } from '../../support/emit-types.js';
import { loadDocument } from '../../support/load-document.js';
import { tempFolder, writeTo } from '../../support/temp-folder.js';

const properties = {
  bare: { type: 'object', description: 'The file.' },
  known: { type: 'object', properties: { a: { type: 'string' } } },
  many: { type: 'array', items: { type: 'object' } },
};

const binary = { type: 'string', format: 'binary' };

const form = (media: string, schema: object = { type: 'object', required: ['bare'], properties }): object => ({
  requestBody: { required: true, content: { [media]: { schema } } },
  responses: { 204: { description: 'done' } },
});

const ref = { $ref: '#/components/schemas/Upload' };

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/parts': { post: { operationId: 'sendParts', ...form('multipart/form-data') } },
    '/form': { post: { operationId: 'sendForm', ...form('application/x-www-form-urlencoded') } },
    '/named': { post: { operationId: 'sendNamed', ...form('multipart/form-data', ref) } },
    '/joined': {
      post: {
        operationId: 'sendJoined',
        ...form('multipart/form-data', {
          allOf: [ref, { type: 'object', required: ['note'], properties: { note: { type: 'string' } } }],
        }),
      },
    },
    '/branches': {
      post: {
        operationId: 'sendBranches',
        ...form('multipart/form-data', {
          oneOf: [{ $ref: '#/components/schemas/Photo' }, { $ref: '#/components/schemas/Letter' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { photo: '#/components/schemas/Photo', letter: '#/components/schemas/Letter' },
          },
        }),
      },
    },
    '/chain': {
      post: { operationId: 'sendChain', ...form('multipart/form-data', { $ref: '#/components/schemas/Chain' }) },
    },
    '/patterns': {
      post: {
        operationId: 'sendPatterns',
        ...form('multipart/form-data', {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' } },
          patternProperties: { '^file': binary },
        }),
      },
    },
    '/nullable': {
      post: {
        operationId: 'sendNullable',
        ...form('multipart/form-data', {
          type: ['object', 'null'],
          required: ['name'],
          properties: { file: binary, name: { type: 'string' } },
        }),
      },
    },
    '/choice': {
      post: {
        operationId: 'sendChoice',
        ...form('multipart/form-data', {
          type: 'object',
          properties: { file: binary, url: { type: 'string' } },
          anyOf: [{ required: ['file'] }, { required: ['url'] }],
        }),
      },
    },
  },
  components: {
    schemas: {
      Letter: {
        type: 'object',
        required: ['kind', 'text'],
        properties: { kind: { const: 'letter' }, text: { type: 'string' } },
      },
      Photo: { type: 'object', required: ['kind', 'file'], properties: { kind: { const: 'photo' }, file: binary } },
      Chain: { type: 'object', properties: { file: binary }, anyOf: [{ $ref: '#/components/schemas/Chain' }, ref] },
      Upload: {
        type: 'object',
        required: ['file'],
        properties: { file: binary, more: { type: 'array', items: binary }, caption: { type: 'string' } },
      },
    },
  },
};

async function writeTypes(program: string): Promise<string> {
  const folder = tempFolder();
  for (const file of await emitTypeFiles(await loadDocument(DOCUMENT), 'files'))
    writeTo(folder, `files/${file.path}`, await textOf(file));
  writeTo(folder, 'files/program.ts', program);
  return folder;
}

const PROGRAM = `
import type {
  SendBranchesRequest, SendChoiceRequest, SendFormRequest, SendJoinedRequest, SendNullableRequest, SendPartsRequest,
  SendPatternsRequest,
} from './types.js';
const file = new Blob(['a']);
({ body: { bare: file, many: [file, { a: 1 }] } }) satisfies SendPartsRequest;
({ body: { bare: { a: 1 }, known: { a: 'b' } } }) satisfies SendPartsRequest;
({ body: { file, more: [file], note: 'a' } }) satisfies SendJoinedRequest;
({ body: { url: 'https://example.com' } }) satisfies SendChoiceRequest;
({ body: { file } }) satisfies SendChoiceRequest;
({ body: { kind: 'photo', file } }) satisfies SendBranchesRequest;
({ body: { kind: 'letter', text: 'a' } }) satisfies SendBranchesRequest;
({ body: { name: 'a', file1: file } }) satisfies SendPatternsRequest;
({ body: { name: 'a', file } }) satisfies SendNullableRequest;
({ body: null }) satisfies SendNullableRequest;
// @ts-expect-error - a letter has a text.
({ body: { kind: 'letter', file } }) satisfies SendBranchesRequest;
// @ts-expect-error - the name is required.
({ body: { file1: file } }) satisfies SendPatternsRequest;
// @ts-expect-error - the name is required.
({ body: { file } }) satisfies SendNullableRequest;
// @ts-expect-error - the file is required.
({ body: { note: 'a' } }) satisfies SendJoinedRequest;
// @ts-expect-error - its members are known.
({ body: { bare: file, known: 1 } }) satisfies SendPartsRequest;
// @ts-expect-error - a form of texts has no files.
({ body: { bare: file } }) satisfies SendFormRequest;
`;

test('a part of a multipart form that is an object without more takes a Blob, and other parts do not change', async () => {
  expect(await compileFolder(await writeTypes(PROGRAM))).toBe('');
});

test('an editor shows the body of a form with files as plain objects, and a named schema only if it has no files', async () => {
  const folder = await writeTypes(`
import type * as types from './types.js';
${['Parts', 'Named', 'Joined', 'Choice', 'Branches', 'Chain', 'Patterns', 'Nullable']
  .map((name) => `type ${name} = types.Send${name}Request['body'];`)
  .join('\n')}
`);
  const project = new Project({
    compilerOptions: { strict: true, module: ts.ModuleKind.NodeNext, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
  });
  project.addSourceFilesAtPaths(`${folder}/files/**/*.ts`);
  const program = project.getSourceFileOrThrow('program.ts');
  const editor = project.getLanguageService().compilerObject;
  const hover = (name: string): string => {
    const position = program.getTypeAliasOrThrow(name).getNameNode().getStart();
    const info = editor.getQuickInfoAtPosition(program.getFilePath(), position);
    return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ');
  };
  expect(hover('Parts')).toBe(
    'type Parts = { bare: Blob | { [key: string]: unknown; }; known?: { a?: string; }; many?: (Blob | { [name: string]: unknown; })[]; } | FormData',
  );
  expect(hover('Named')).toBe('type Named = FormData | { file: Blob; more?: Blob[]; caption?: string; }');
  expect(hover('Joined')).toBe(
    'type Joined = FormData | { file: Blob; more?: Blob[]; caption?: string; note: string; }',
  );
  expect(hover('Choice')).toBe(
    'type Choice = FormData | ({ file?: Blob; url?: string; } & ({ file: Blob; } | { url: string; }))',
  );
  expect(hover('Branches')).toBe('type Branches = FormData | { kind: "photo"; file: Blob; } | types.Letter');
  expect(hover('Chain')).toBe(
    'type Chain = FormData | ({ file?: Blob; } & { file: Blob; more?: Blob[]; caption?: string; })',
  );
  expect(hover('Patterns')).toBe('type Patterns = FormData | { [key: string]: string | Blob; name: string; }');
  expect(hover('Nullable')).toBe('type Nullable = FormData | { file?: Blob; name: string; } | null');
});

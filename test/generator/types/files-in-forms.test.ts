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
import type { SendChoiceRequest, SendFormRequest, SendJoinedRequest, SendPartsRequest } from './types.js';
const file = new Blob(['a']);
({ body: { bare: file, many: [file, { a: 1 }] } }) satisfies SendPartsRequest;
({ body: { bare: { a: 1 }, known: { a: 'b' } } }) satisfies SendPartsRequest;
({ body: { file, more: [file], note: 'a' } }) satisfies SendJoinedRequest;
({ body: { url: 'https://example.com' } }) satisfies SendChoiceRequest;
({ body: { file } }) satisfies SendChoiceRequest;
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

test('an editor shows the body of a form with files as a plain object', async () => {
  const folder = await writeTypes(`
import type { SendJoinedRequest, SendNamedRequest, SendPartsRequest } from './types.js';
type Parts = SendPartsRequest['body'];
type Named = SendNamedRequest['body'];
type Joined = SendJoinedRequest['body'];
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
});

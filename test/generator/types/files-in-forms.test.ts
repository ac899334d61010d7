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

const form = (media: string): object => ({
  requestBody: { required: true, content: { [media]: { schema: { type: 'object', required: ['bare'], properties } } } },
  responses: { 204: { description: 'done' } },
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/parts': { post: { operationId: 'sendParts', ...form('multipart/form-data') } },
    '/form': { post: { operationId: 'sendForm', ...form('application/x-www-form-urlencoded') } },
  },
};

const PROGRAM = `
import type { SendFormRequest, SendPartsRequest } from './types.js';
const file = new Blob(['a']);
({ body: { bare: file, many: [file, { a: 1 }] } }) satisfies SendPartsRequest;
({ body: { bare: { a: 1 }, known: { a: 'b' } } }) satisfies SendPartsRequest;
// @ts-expect-error - its members are known.
({ body: { bare: file, known: 1 } }) satisfies SendPartsRequest;
// @ts-expect-error - a form of texts has no files.
({ body: { bare: file } }) satisfies SendFormRequest;
`;

test('a part of a multipart form that is an object without more takes a Blob, and other parts do not change', async () => {
  const folder = tempFolder();
  for (const file of await emitTypeFiles(await loadDocument(DOCUMENT), 'files'))
    writeTo(folder, `files/${file.path}`, await textOf(file));
  writeTo(folder, 'files/program.ts', PROGRAM);
  expect(await compileFolder(folder)).toBe('');
});

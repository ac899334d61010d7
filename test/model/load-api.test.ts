import path from 'node:path';

import { expect, test } from 'vitest';

import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { loadApi } from '../../model/load-api.js';
import { type SpecFiles, loadText, specFolder } from '../support/spec-folder.js';

const DOCUMENT = `openapi: 3.1.0
info: { title: 7, version: 1.0.0 }
paths:
  /a/{id}:
    get:
      responses:
        '200':
          description: true
          content:
            application/json:
              schema:
                type: objekt
                allOf:
                  - $ref: '#/components/schemas/Nobody'
components:
  schemas:
    "a/b~c":
      minLength: -1
      nullable: true
`;

/** One line for each diagnostic: where it is by line and column, what it is, and where it is by pointer. */
test('every diagnostic has a position', async () => {
  const { diagnostics } = await loadText(DOCUMENT);
  expect(diagnostics.map((one) => `${one.line}:${one.column} ${one.severity} ${one.code} ${one.pointer}`)).toEqual([
    '5:5 warning parameter-path-missing /paths/~1a~1{id}/get',
    '5:5 info operation-id-missing /paths/~1a~1{id}/get',
    '8:24 warning document-invalid /paths/~1a~1{id}/get/responses/200/description',
    '12:23 warning keyword-shape /paths/~1a~1{id}/get/responses/200/content/application~1json/schema/type',
    '14:27 error ref-unresolved /paths/~1a~1{id}/get/responses/200/content/application~1json/schema/allOf/0/$ref',
    '18:18 warning keyword-shape /components/schemas/a~1b~0c/minLength',
    '19:17 warning keyword-ignored /components/schemas/a~1b~0c/nullable',
  ]);
  expect(new Set(diagnostics.map(({ file }) => file.split('/').at(-1)))).toEqual(new Set(['spec.yaml']));
});

/** The errors (or warnings) of a spec, in which the overlay is applied if there is one, as `file:line:column pointer message`. */
async function toldOf(files: SpecFiles, wanted: Diagnostic['severity'] = 'error'): Promise<string[]> {
  const folder = specFolder(files);
  const [entry = ''] = Object.keys(files);
  const overlays = Object.keys(files).filter((name) => name.startsWith('overlay'));
  const show = ({ file, line, column, pointer, message }: Diagnostic): string =>
    `${path.basename(file)}:${line}:${column} ${pointer} ${message}`;
  try {
    const { diagnostics } = await loadApi(path.join(folder, entry), {
      overlays: overlays.map((name) => path.join(folder, name)),
    });
    return diagnostics.filter(({ severity }) => severity === wanted).map((one) => show(one));
  } catch (error) {
    if (error instanceof SpecError) return error.diagnostics.map((one) => show(one));
    throw error;
  }
}

const HEAD = '"openapi": "3.1.0",\n "info": { "title": "T", "version": "1" }';
const NOT_UNIQUE = 'is not unique: its object already has it on line';
const GET = '"get": { "responses": {} }';

test.each<[string, SpecFiles, string]>([
  [
    'a key twice in YAML',
    { 'spec.yaml': 'openapi: 3.1.0\npaths:\n  /a:\n    - get: {}\n      get: {}\n' },
    `spec.yaml:5:7 /paths/~1a/0/get The key "get" ${NOT_UNIQUE} 4.`,
  ],
  [
    'no comma in JSON',
    { 'spec.json': `{${HEAD}\n "paths": {} }` },
    'spec.json:3:2  The file is not JSON: a comma or } is missing before "paths".',
  ],
  [
    'a comma too many in JSON',
    { 'spec.json': `{${HEAD},\n}` },
    'spec.json:3:1  The file is not JSON: there is a comma too many before "}".',
  ],
  [
    'a comment in JSON',
    { 'spec.json': `{ // mine\n${HEAD} }` },
    'spec.json:1:3  The file is not JSON: the name of a member, in double quotes, is expected here, not a comment, which JSON does not have.',
  ],
  [
    'JSON without its end',
    { 'spec.json': `{${HEAD},\n "paths": {` },
    'spec.json:3:12  The file is not JSON: the name of a member, in double quotes, is expected here, not the end of the file.',
  ],
])('%s is an error with a position', async (_what, files, error) => {
  expect(await toldOf(files)).toContain(error);
});

test.each<[string, SpecFiles, string]>([
  [
    'a key twice in JSON',
    { 'spec.json': `{${HEAD},\n "paths": { "/a": { ${GET},\n ${GET} } } }` },
    `spec.json:4:2 /paths/~1a/get The key "get" ${NOT_UNIQUE} 3. The last value counts.`,
  ],
  [
    'a key twice in a file of JSON that it references',
    { 'spec.json': `{${HEAD}, "paths": { "/a": { "$ref": "a.json" } } }`, 'a.json': `{${GET},\n${GET}}` },
    `a.json:2:1 /get The key "get" ${NOT_UNIQUE} 1. The last value counts.`,
  ],
  [
    'a key twice in an overlay of JSON',
    { 'spec.json': `{${HEAD}}`, 'overlay.json': '{ "overlay": "1.0.0", "actions": [],\n"actions": [] }' },
    `overlay.json:2:1 /actions The key "actions" ${NOT_UNIQUE} 1. The last value counts.`,
  ],
])('%s is a warning with a position', async (_what, files, warning) => {
  expect(await toldOf(files, 'warning')).toContain(warning);
});

test('YAML in a file named .json is read', async () => {
  expect(await toldOf({ 'spec.json': "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n" })).toEqual([]);
});

/** The diagnostics of a document with this operation and these components, as `severity pointer message`. */
async function problemsOf(operation: string, components: string, version = "openapi: '3.0.3'"): Promise<string[]> {
  const head = `${version}\ninfo: { title: T, version: '1' }`;
  const { diagnostics } = await loadText(
    `${head}\npaths: { /a: { get: { operationId: a, ${operation}, responses: { '200': { description: OK } } } } }\n${components}`,
  );
  return diagnostics.map(({ severity, pointer, message }) => `${severity} ${pointer} ${message}`);
}

const PARAMETER = '/paths/~1a/get/parameters/0';
const SCHEME = '/components/securitySchemes/a';

test.each([
  [
    'parameters: [{ name: a, in: query, schema: { type: strng } }]',
    '',
    `warning ${PARAMETER}/schema/type The keyword "type" must be a JSON type; it is ignored. Did you mean "string"?`,
  ],
  [
    'parameters: [{ name: a, in: query, schema: { type: int } }]',
    '',
    `warning ${PARAMETER}/schema/type The keyword "type" must be a JSON type; it is ignored. Did you mean "integer"?`,
  ],
  [
    'parameters: [{ name: a, in: qury, schema: {} }]',
    '',
    `error ${PARAMETER}/in "in" must be path, query, header or cookie, not "qury". Did you mean "query"?`,
  ],
  ['parameters: [{ name: a, schema: {} }]', '', `error ${PARAMETER} "in" must be path, query, header or cookie.`],
  ['parameters: [{ in: query, schema: {} }]', '', `error ${PARAMETER} A parameter needs a name.`],
  [
    'parameters: [{ name: a, in: query, style: frm, schema: {} }]',
    '',
    `error ${PARAMETER}/style "style" must be simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject or cookie, not "frm". Did you mean "form"?`,
  ],
  [
    'tags: []',
    'components: { securitySchemes: { a: { type: apikey, in: header, name: X } } }',
    `warning ${SCHEME}/type "type" must be apiKey, http, oauth2, openIdConnect or mutualTLS, not "apikey". Did you mean "apiKey"?`,
  ],
  [
    'tags: []',
    'components: { securitySchemes: { a: { type: apiKey, in: headers, name: X } } }',
    `warning ${SCHEME}/in "in" must be query, header or cookie, not "headers". Did you mean "header"?`,
  ],
])('a misspelt value of a closed list gets a suggestion: %s %s', async (operation, components, problem) => {
  expect(await problemsOf(operation, components)).toContain(problem);
});

test('a misspelt "in" of a parameter of OpenAPI 2.0 gets a suggestion', async () => {
  const problems = await problemsOf('parameters: [{ name: a, in: formdata, type: string }]', '', "swagger: '2.0'");
  expect(problems).toContain(
    `error ${PARAMETER}/in "in" must be path, query, header, formData or body, not "formdata". Did you mean "formData"?`,
  );
});

test('a wrong type in a list of types gets a suggestion', async () => {
  const { diagnostics } = await loadText('type: [boolan, "null"]');
  expect(diagnostics[0]?.message).toContain('Did you mean "boolean"?');
});

test('the error of a file that is not there names the file that was meant', async () => {
  const folder = specFolder({ 'api.yaml': DOCUMENT });
  await expect(loadApi(path.join(folder, 'api.yml'))).rejects.toThrow('no such file. Did you mean "api.yaml"?');
  await expect(loadApi(path.join(folder, 'other.yaml'))).rejects.toThrow(/no such file\.$/);
});

test('the error of a folder that is not there names the folder that was meant', async () => {
  const folder = specFolder({ 'specs/tasks/api.yaml': DOCUMENT, 'specs/talks/other.yaml': DOCUMENT });
  await expect(loadApi(path.join(folder, 'specs/taks/api.yaml'))).rejects.toThrow('Did you mean "tasks/api.yaml"?');
  await expect(loadApi(path.join(folder, 'spec/tasks/api.yaml'))).rejects.toThrow(
    'Did you mean "specs/tasks/api.yaml"?',
  );
});

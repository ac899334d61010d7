import { expect, test } from 'vitest';

import { loadText } from '../support/spec-folder.js';

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
test('every diagnostic says where it is', async () => {
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

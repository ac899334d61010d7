import { describe, expect, test } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const EVEN = '9007199254740992';
const ODD = '9007199254740993';

/** A spec whose body has a member with these keywords, in YAML and in JSON. */
const FORMATS: readonly (readonly [string, (keywords: string) => string])[] = [
  [
    'yaml',
    (keywords) => `openapi: 3.1.0
info: { title: numbers, version: '1' }
paths:
  /numbers:
    post:
      operationId: addNumber
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Size' }
      responses: { '204': { description: ok } }
components:
  schemas:
    Size: { type: object, properties: { size: { type: integer, ${keywords} } } }
`,
  ],
  [
    'json',
    (keywords) => `{
  "openapi": "3.1.0", "info": { "title": "numbers", "version": "1" },
  "paths": { "/numbers": { "post": {
    "operationId": "addNumber",
    "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Size" } } } },
    "responses": { "204": { "description": "ok" } }
  } } },
  "components": { "schemas": { "Size": { "type": "object", "properties": { "size": { "type": "integer", ${keywords.replaceAll(/\b([a-z]+):/gi, '"$1":')} } } } } }
}`,
  ],
];

describe.each(FORMATS)('the diff of specs in %s', (format, specOf) => {
  test.each([
    ['maximum', `maximum: ${EVEN}`, `maximum: ${ODD}`, `The maximum of "Size.size" is ${ODD}, was ${EVEN}`],
    ['minimum', `minimum: ${EVEN}`, `minimum: ${ODD}`, `The minimum of "Size.size" is ${ODD}, was ${EVEN}`],
    [
      'negative minimum',
      `minimum: -${EVEN}`,
      `minimum: -${ODD}`,
      `The minimum of "Size.size" is -${ODD}, was -${EVEN}`,
    ],
    ['enum', `enum: [1, ${EVEN}]`, `enum: [1, ${ODD}]`, `"Size.size" must not be ${EVEN} any more`],
    ['const', `const: ${EVEN}`, `const: ${ODD}`, `"Size.size" must be ${ODD}, was ${EVEN}`],
  ])('shows the change of a neighbouring %s beyond 2^53', async (_what, old, next, message) => {
    const folder = tempFolder({ [`old.${format}`]: specOf(old), [`new.${format}`]: specOf(next) });
    const { out } = await runCaptured(folder, 'diff', `old.${format}`, `new.${format}`);
    expect(out).toContain(message);
  });

  test.each([
    [`exclusiveMaximum: ${ODD}`, `maximum: ${EVEN}`],
    [`exclusiveMinimum: ${EVEN}`, `minimum: ${ODD}`],
    [`enum: [${EVEN}, ${ODD}]`, `enum: [${ODD}, ${EVEN}]`],
    [`maximum: ${ODD}`, `maximum: ${ODD}`],
  ])('shows no change from %s to %s', async (old, next) => {
    const folder = tempFolder({ [`old.${format}`]: specOf(old), [`new.${format}`]: specOf(next) });
    const { status, out } = await runCaptured(folder, 'diff', `old.${format}`, `new.${format}`);
    expect({ status, out: out.includes('Size') }).toEqual({ status: 0, out: false });
  });
});

describe.each([
  ['a.json', (digits: string) => `{ "size": ${digits} }`],
  ['a.yaml', (digits: string) => `size: ${digits}\n`],
])('specmill validate of %s', (file, write) => {
  test.each([
    [EVEN, 0],
    [ODD, 1],
    ['9007199254740991', 0],
    ['-9007199254740993', 1],
    ['0', 0],
  ])('compares %s with exact bounds', async (digits, status) => {
    const schema = { type: 'object', properties: { size: { type: 'integer', minimum: -(2 ** 53), maximum: 2 ** 53 } } };
    const folder = tempFolder({ 'size.json': JSON.stringify(schema), [file]: write(digits) });
    expect((await runCaptured(folder, 'validate', 'size.json#', file)).status).toBe(status);
  });
});

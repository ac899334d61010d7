import { describe, expect, test } from 'vitest';

import { DecodeError } from '../../../runtime/decode-error.js';
import { memberRenamer } from '../../../http/request/snake-case-names.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const SCHEMAS = {
  Part: {
    type: 'object',
    properties: {
      inlineData: { $ref: '#/components/schemas/Blob' },
      args: { $ref: '#/components/schemas/Struct' },
      keep_this: {},
    },
  },
  Blob: { type: 'object', properties: { mimeType: { type: 'string' } } },
  Struct: { type: 'object', 'x-member-names': 'verbatim', additionalProperties: true },
  Labels: { type: 'object', 'x-member-names': 'verbatim', additionalProperties: { $ref: '#/components/schemas/Blob' } },
  Data: { type: 'object', 'x-member-names': 'verbatim', properties: { blob: { $ref: '#/components/schemas/Blob' } } },
};
const RULE = { 'x-member-names': { accept: ['camelCase', 'snake_case'], canonical: 'camelCase' } };

const CASES: readonly (readonly [string, string, unknown, unknown])[] = [
  ['are translated through references', 'Part', { inline_data: { mime_type: 'a' } }, { inlineData: { mimeType: 'a' } }],
  [
    'are translated in and below unknown members',
    'Part',
    { not_known: { so_neither: 1 } },
    { notKnown: { soNeither: 1 } },
  ],
  [
    'are not translated in data',
    'Part',
    { args: { some_key: { deep_key: 1 } } },
    { args: { some_key: { deep_key: 1 } } },
  ],
  [
    'are translated in described values of data, but not in its keys',
    'Labels',
    { my_label: { mime_type: 'a' } },
    { my_label: { mimeType: 'a' } },
  ],
  ['are not translated inside of a data member', 'Data', { blob: { mime_type: 'a' } }, { blob: { mime_type: 'a' } }],
  ['are not translated if the document itself has them', 'Part', { keep_this: 1 }, { keep_this: 1 }],
  ['are not translated at a leading underscore', 'Part', { _a_b: 1 }, { _aB: 1 }],
];

describe('member names', () => {
  test.each(CASES)('member names: %s', async (_name, schema, value, wanted) => {
    const api = await loadDocument(documentWith({}, { components: { schemas: SCHEMAS }, ...RULE }));
    expect(memberRenamer(api)?.(value, { $ref: `#/$defs/${schema}` })).toEqual(wanted);
  });

  test('a body with both spellings of one member is refused', async () => {
    const api = await loadDocument(documentWith({}, { components: { schemas: SCHEMAS }, ...RULE }));
    expect(() => memberRenamer(api)?.({ inlineData: {}, inline_data: {} }, { $ref: '#/$defs/Part' })).toThrow(
      DecodeError,
    );
  });

  test('members are not renamed unless the document asks for it', async () => {
    expect(memberRenamer(await loadDocument(documentWith({})))).toBeUndefined();
  });
});

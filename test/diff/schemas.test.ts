import { describe, expect, test } from 'vitest';

import { diffDocuments, documentOf, shorten } from './diff-documents.js';
import { ANNOTATION_ROWS, STRUCTURE_ROWS, type SchemaRow, VALUE_ROWS } from './schema-rows.js';

const THING = '/components/schemas/Thing';

describe('a change of a schema has its kind, levels and message', () => {
  test.each(
    [...VALUE_ROWS, ...STRUCTURE_ROWS, ...ANNOTATION_ROWS].map((row): [string, SchemaRow] => [row.message, row]),
  )(
    'a change of a schema has its kind, levels and message: %s',
    async (_name, { old, new: next, schemas, kind, levels, message, at }) => {
      const changes = await diffDocuments(documentOf(old, schemas), documentOf(next, schemas));
      const own = changes.filter(({ new: place }) => place.pointer.startsWith(THING));
      expect(own.map(shorten)).toEqual([{ kind, levels, message, at: [`${THING}${at[0]}`, `${THING}${at[1]}`] }]);
      expect(own.map(({ operations }) => operations)).toEqual([
        [{ id: 'addThing', method: 'post', path: '/things', directions: ['request', 'response'] }],
      ]);
    },
  );
});

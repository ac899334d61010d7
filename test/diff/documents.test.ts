import { describe, expect, test } from 'vitest';

import { changeKinds, isWordsOnly, verdictsOf } from '../../diff/severity.js';
import type { ChangeKind } from '../../diff/change-catalog.js';
import { diffDocuments, documentOf, shorten } from './diff-documents.js';
import { ACCESS_ROWS, type DocumentRow, INPUT_ROWS, OPERATION_ROWS, RESPONSE_ROWS } from './document-rows.js';
import { ANNOTATION_ROWS, STRUCTURE_ROWS, VALUE_ROWS } from './schema-rows.js';

const DOCUMENT_ROWS = [...OPERATION_ROWS, ...INPUT_ROWS, ...RESPONSE_ROWS, ...ACCESS_ROWS];
const SCHEMA_ROWS = [...VALUE_ROWS, ...STRUCTURE_ROWS, ...ANNOTATION_ROWS];

describe('a change around schemas', () => {
  test.each(DOCUMENT_ROWS.map((row): [string, DocumentRow] => [`${row.kind}: ${row.message}`, row]))(
    '%s',
    async (_name, { old, new: next, kind, levels, message, at }) => {
      const changes = await diffDocuments(old, next);
      expect(changes.map(shorten)).toEqual([{ kind, levels, message, at }]);
    },
  );
});

describe('every kind of change', () => {
  const rows = [...DOCUMENT_ROWS, ...SCHEMA_ROWS];

  test('every kind of change has a row', () => {
    const missing = changeKinds().filter((kind) => !rows.some((row) => row.kind === kind));
    // Only a policy asks for it: see policy.test.ts.
    expect(missing).toEqual(['version-not-raised']);
  });

  test('every kind of change has a row for each exception of its verdicts', () => {
    const isShown = (kind: ChangeKind, direction: 'request' | 'response'): boolean => {
      const verdict = verdictsOf(kind)[direction];
      if (typeof verdict !== 'object') return true;
      const shown = new Set(
        rows
          .filter((row) => row.kind === kind)
          .map(({ levels }) => levels.split(' / ')[direction === 'request' ? 0 : 1]),
      );
      return shown.has(verdict.else);
    };
    const missing = changeKinds().filter((kind) => !isShown(kind, 'request') || !isShown(kind, 'response'));
    expect(missing).toEqual([]);
  });

  test('every kind of change has a name in lower case with dashes', () => {
    for (const kind of changeKinds()) expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test('a kind of change is documentation if and only if it affects neither requests nor responses', () => {
    expect(changeKinds().filter(isWordsOnly)).toEqual([
      'extension-changed',
      'info-changed',
      'tags-changed',
      'description-changed',
      'examples-changed',
    ]);
  });
});

const OPPOSITES: readonly (readonly [ChangeKind, ChangeKind])[] = [
  ['operation-added', 'operation-removed'],
  ['webhook-added', 'webhook-removed'],
  ['deprecated', 'undeprecated'],
  ['parameter-added', 'parameter-removed'],
  ['parameter-became-required', 'parameter-became-optional'],
  ['empty-value-refused', 'empty-value-allowed'],
  ['body-added', 'body-removed'],
  ['body-became-required', 'body-became-optional'],
  ['media-type-added', 'media-type-removed'],
  ['success-response-added', 'success-response-removed'],
  ['error-response-added', 'error-response-removed'],
  ['header-added', 'header-removed'],
  ['header-became-required', 'header-became-optional'],
  ['link-added', 'link-removed'],
  ['credential-demanded', 'credential-not-demanded'],
  ['security-alternative-added', 'security-alternative-removed'],
  ['scope-added', 'scope-removed'],
  ['server-added', 'server-removed'],
  ['nullable-added', 'nullable-removed'],
  ['type-widened', 'type-narrowed'],
  ['format-added', 'format-removed'],
  ['format-widened', 'format-narrowed'],
  ['enum-added', 'enum-removed'],
  ['enum-value-added', 'enum-value-removed'],
  ['range-tightened', 'range-loosened'],
  ['multiple-of-tightened', 'multiple-of-loosened'],
  ['length-tightened', 'length-loosened'],
  ['pattern-added', 'pattern-removed'],
  ['item-count-tightened', 'item-count-loosened'],
  ['unique-items-added', 'unique-items-removed'],
  ['member-added', 'member-removed'],
  ['member-became-required', 'member-became-optional'],
  ['member-count-tightened', 'member-count-loosened'],
  ['members-closed', 'members-opened'],
  ['read-only-added', 'read-only-removed'],
  ['write-only-added', 'write-only-removed'],
  ['alternative-added', 'alternative-removed'],
  ['choice-added', 'choice-removed'],
  ['discriminator-added', 'discriminator-removed'],
  ['discriminator-value-added', 'discriminator-value-removed'],
  ['condition-added', 'condition-removed'],
  ['stability-lowered', 'stability-raised'],
  ['encoded-content-added', 'encoded-content-removed'],
  ['extensible-enum-value-added', 'extensible-enum-value-removed'],
  ['contains-count-tightened', 'contains-count-loosened'],
  ['dependent-members-added', 'dependent-members-removed'],
  ['schema-added', 'schema-removed'],
];

describe('swapping old and new gives the opposite kind of change', () => {
  const opposite = new Map(OPPOSITES.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
  const documents = [
    ...DOCUMENT_ROWS.filter(({ oneWay }) => oneWay !== true).map(({ kind, message, old, new: next }) => ({
      kind,
      message,
      old,
      next,
    })),
    ...SCHEMA_ROWS.map(({ kind, message, old, new: next, schemas }) => ({
      kind,
      message,
      old: documentOf(old, schemas),
      next: documentOf(next, schemas),
    })),
  ];

  test.each(documents.map((row) => [`${row.kind}: ${row.message}`, row] as const))(
    '%s',
    async (_name, { kind, old, next }) => {
      const forward = await diffDocuments(old, next);
      const backward = await diffDocuments(next, old);
      expect(backward.map((change) => change.kind)).toEqual([opposite.get(kind) ?? kind]);
      expect(backward.map((change) => [change.new.pointer, change.old.pointer])).toEqual(
        forward.map((change) => [change.old.pointer, change.new.pointer]),
      );
    },
  );
});

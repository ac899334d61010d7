import { expect, test } from 'vitest';

import { diffApis } from '../../diff/index.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { loadDocument } from '../support/load-document.js';
import { documentOf } from './diff-documents.js';

/** A document whose schemas form a circle of a length. */
function circleOf(length: number): object {
  const ref = (index: number): object => ({ $ref: `#/components/schemas/S${index % length}` });
  const schemas = Array.from({ length }, (_, index) => [
    `S${index}`,
    { type: 'object', properties: { next: ref(index + 1) } },
  ]);
  return documentOf(ref(0), Object.fromEntries(schemas) as object);
}

test('circles that meet in more pairs than the limit are refused with one sentence', async () => {
  const [old, next] = await Promise.all([loadDocument(circleOf(1_000)), loadDocument(circleOf(1_001))]);
  expect(() => diffApis(old, next)).toThrow(InputError);
}, 120_000);

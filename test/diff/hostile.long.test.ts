import { expect, test } from 'vitest';

import { diffApis } from '../../diff/index.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { loadDocument } from '../support/load-document.js';
import { documentOf } from './diff-documents.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** A document whose schemas form a circle of a length. */
function circleOf(length: number): object {
  const schemas = Array.from({ length }, (_, index) => [
    `S${index}`,
    { type: 'object', properties: { next: ref(`S${(index + 1) % length}`) } },
  ]);
  return documentOf(ref('S0'), Object.fromEntries(schemas) as object);
}

test('circles that meet in more pairs than the limit are refused with one sentence', async () => {
  const [old, next] = await Promise.all([loadDocument(circleOf(1_000)), loadDocument(circleOf(1_001))]);
  expect(() => diffApis(old, next)).toThrow(InputError);
}, 120_000);

test('refuses schemas that combine to ever new ones with one sentence', async () => {
  // Each step takes in one of two successors: the sets that are reached double with every level.
  const both = (index: number): object => ({
    type: 'object',
    properties: {
      a: ref(`S${(index * 2) % 61}`),
      b: ref(`S${(index * 3 + 1) % 61}`),
      c: ref(`S${(index + 1) % 61}`),
    },
  });
  const of = (last: object): object =>
    documentOf(
      { allOf: [ref('S1'), ref('S2'), ref('S3')] },
      {
        ...Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`S${index}`, both(index)])),
        Last: last,
        S60: { ...both(60), allOf: [ref('Last')] },
      },
    );
  const [old, next] = await Promise.all([loadDocument(of({ title: 'a' })), loadDocument(of({ title: 'b' }))]);
  try {
    expect(diffApis(old, next).changes.length).toBeGreaterThan(0);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
  }
}, 60_000);

import { readFileSync } from 'node:fs';
import path from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { typesEmitter } from '../../generator/types/emit-types.js';
import type { Api } from '../../model/api.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { loadApi } from '../../model/load-api.js';
import { comparableApi } from '../support/comparable-api.js';
import { loadText, specFolder } from '../support/spec-folder.js';

const EXAMPLES = path.resolve('node_modules/@readme/oas-examples');
const DOCUMENTS: readonly string[] = [
  ...['2.0/json/petstore.json', '3.0/json/petstore.json', '3.1/json/train-travel.json'].map((name) =>
    path.join(EXAMPLES, name),
  ),
  'specs/engine/config.schema.json',
];

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', 'x', '\u0000', '__proto__', 'constructor', [], {}, [null]),
  fc.constantFrom<unknown>(
    { $ref: '#' },
    { $ref: '#/paths' },
    { $ref: 1 },
    { $ref: '#/nowhere' },
    { $ref: 'other.json' },
  ),
  fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, { length: 3 }, { allOf: [{ $ref: '#' }] }, [[[]]]),
  fc.jsonValue({ maxDepth: 3 }),
);

interface Mutation {
  readonly at: number;
  readonly value: unknown;
  readonly key: string | undefined;
}

const MUTATION: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  value: JUNK,
  key: fc.option(fc.constantFrom('__proto__', 'constructor', 'x-y', '$ref', '$id', 'type', 'allOf', 'properties', ''), {
    nil: undefined,
  }),
});

type Container = Record<string, unknown>;

/** Every place of a document that holds something. */
function placesIn(root: unknown): (readonly [Container, string])[] {
  const places: (readonly [Container, string])[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key of Object.keys(next)) places.push([next as Container, key]);
    open.push(...Object.values(next));
  }
  return places;
}

/** Puts junk in some places, or beside what is there under another key. */
function mutate(text: string, mutations: readonly Mutation[]): unknown {
  const root: unknown = JSON.parse(text);
  for (const { at, value, key } of mutations) {
    const places = placesIn(root);
    const [owner, member] = places[at % Math.max(places.length, 1)] ?? [{}, ''];
    Object.defineProperty(owner, key ?? member, {
      value: structuredClone(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return root;
}

async function emitTypes(api: Api): Promise<void> {
  await typesEmitter.emit(api, { apiName: 'fuzz', emitters: new Set(['types']), report: () => undefined });
}

/** Reads and prints; the only failure that is allowed is a {@link SpecError}. */
async function outcomeOf(text: string, name?: string): Promise<'read' | SpecError> {
  try {
    await emitTypes(await loadText(text, name));
    return 'read';
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
}

/** Reads a document at once and on first use. */
async function expectSameLater(text: string): Promise<void> {
  const file = path.join(specFolder({ 'spec.json': text }), 'spec.json');
  const [lazy, whole] = [await loadApi(file, { isLazy: true }), await loadApi(file)];
  expect(comparableApi(lazy)).toEqual(comparableApi(whole));
}

describe('a mutated document is read, or refused with a SpecError', () => {
  test.each(DOCUMENTS)('a mutated document is read, or refused with a SpecError: %s', async (name) => {
    const text = readFileSync(name, 'utf8');
    await fc.assert(
      fc.asyncProperty(fc.array(MUTATION, { minLength: 1, maxLength: 12 }), async (mutations) => {
        const outcome = await outcomeOf(JSON.stringify(mutate(text, mutations)), 'spec.json');
        expect(outcome === 'read' || outcome.diagnostics.length > 0).toBe(true);
        if (outcome === 'read') await expectSameLater(JSON.stringify(mutate(text, mutations)));
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 15) },
    );
  });
});

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n';
const aliasBomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(
    (level) => `a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`,
  ),
].join('\n');

const REFUSED: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ['an alias bomb', `${head}${aliasBomb}\n`, /alias/i],
  ['an alias inside its own anchor', `${head}x-loop: &loop { again: *loop }\n`, /deep|alias/i],
  ['JSON that is nested 10,000 deep', `{"openapi":"3.1.0","x-a":${nested('[', ']', 10_000)}}`, /nested/],
  ['YAML that is nested 10,000 deep', `openapi: 3.1.0\nx-a: ${nested('[', ']', 10_000)}\n`, /nested/],
  ['YAML lists in a row, 10,000 deep', `openapi: 3.1.0\nx-a:\n  ${'- '.repeat(10_000)}x\n`, /nested/],
  ['several documents in one file', 'openapi: 3.1.0\n---\nopenapi: 3.1.0\n', /several/],
  ['a schema that is nested 10,000 deep', nested('{"not":', '}', 10_000).replace('}', '{}}'), /nested/],
  ['a repeated key of YAML', `${head}info: {}\n`, /"info" is not unique: .* line 2\./],
  [
    'a repeated key in a list of YAML',
    `${head}x-a:\n  - b: 1\n    c: [{ d: 1, "d": 2 }]\n`,
    /"d" is not unique: .* line 6\./,
  ],
  ['an anchor that is merged into itself', `${head}x-a: &a { <<: *a }\n`, /inside itself/],
  ['an empty file', '', /is empty/],
  ['a number', '42', /neither/],
  ['a list', '[]', /neither/],
  ['half of a character in a name', String.raw`{"openapi":"3.1.0","x-\ud800":1}`, /half of a character/],
  ['half of a character in a text', String.raw`{"openapi":"3.1.0","x-a":["\udc00 x"]}`, /half of a character/],
  ['half of a character in YAML', String.raw`openapi: "3.1.0\ud800"`, /half of a character/],
  ['a NUL byte', '\u0000', /NUL/],
  ['an OpenAPI version of the future', 'openapi: 4.0.0', /4\.0\.0/],
  ['a version that is an object', 'openapi: { toString: 1, valueOf: 1 }', /neither/],
  ['Swagger 1.2', 'swagger: "1.2"', /neither/],
  ['broken YAML', 'openapi: [', /neither JSON nor YAML/],
];

describe('an unreadable document is refused with a SpecError that has a position', () => {
  test.each(REFUSED)(
    'an unreadable document is refused with a SpecError that has a position: %s',
    async (_what, text, message) => {
      const error = await outcomeOf(text);
      expect(error).toBeInstanceOf(SpecError);
      const [diagnostic] = error instanceof SpecError ? error.diagnostics : [];
      expect(diagnostic?.message).toMatch(message);
      expect(diagnostic).toMatchObject({ severity: 'error', line: expect.any(Number), column: expect.any(Number) });
    },
  );

  test.each(['/nowhere/at/all.yaml', '/tmp', 'a\u0000b', 'file:///%ZZ', 'file://host/share.yaml'])(
    'an address that cannot be read is refused with a SpecError: %j',
    async (address) => {
      const { loadApi } = await import('../../model/load-api.js');
      await expect(loadApi(address)).rejects.toBeInstanceOf(SpecError);
    },
  );
});

const READ: readonly (readonly [what: string, text: string])[] = [
  [
    'keys that are called __proto__',
    '{"openapi":"3.1.0","components":{"schemas":{"__proto__":{"properties":{"__proto__":{"type":"string"}}}}},"paths":{"__proto__":{"get":{"parameters":[{"name":"__proto__","in":"query"}]}}}}',
  ],
  [
    'huge numbers',
    `${head}components: { schemas: { A: { maximum: 1e999, minimum: -.inf, multipleOf: .nan, maxLength: 1e300 } } }\n`,
  ],
  [
    'NUL bytes in texts',
    '{"openapi":"3.1.0","paths":{"/\\u0000":{"get":{"operationId":"\\u0000","description":"\\u0000"}}}}',
  ],
  [
    'a map of YAML with 25,000 keys',
    `${head}x-a:\n${Array.from({ length: 25_000 }, (_, index) => `  k${index}: ${index}\n`).join('')}`,
  ],
  [
    'hundreds of aliases of one small anchor',
    `${head}x-a: &a { b: 1 }\nx-b: [${Array.from({ length: 300 }, () => '*a').join(', ')}]\n`,
  ],
  ['a schema nested 200 deep', nested('{"not":', '}', 200).replace('}', '{}}')],
];

/** A schema that holds itself in four ways, level below level: what prints one of them twice doubles its work each time. */
function doubling(depth: number): object {
  const inner = depth === 0 ? { type: 'string' } : doubling(depth - 1);
  return {
    properties: { a: inner },
    additionalProperties: { type: 'number' },
    anyOf: [{ required: ['a'] }],
    allOf: [{ properties: { a: {} }, required: ['a'] }],
  };
}

test('a document is read in time linear in its size, not exponential in its depth', async () => {
  const circle = {
    allOf: Array.from({ length: 20 }, () => ({ $ref: '#/components/schemas/Circle' })),
    required: ['x'],
  };
  const document = { openapi: '3.1.0', paths: {}, components: { schemas: { Deep: doubling(60), Circle: circle } } };
  expect(await outcomeOf(JSON.stringify(document))).toBe('read');
});

describe('an odd but valid document is read', () => {
  test.each(READ)('an odd but valid document is read: %s', async (_what, text) => {
    expect(await outcomeOf(text)).toBe('read');
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });
});

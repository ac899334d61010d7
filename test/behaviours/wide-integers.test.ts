import { expect, it } from 'vitest';

import type { Api, Operation } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { generateValue } from '../../schema/generate-value.js';
import { setAt } from '../../schema/value-path.js';
import { valueSites } from '../../schema/value-sites.js';
import { startMock } from '../support/start-mock.js';

const WIDE = 2n ** 53n + 1n;
const CREDENTIALS = ['Bearer token', `Basic ${Buffer.from('key:secret').toString('base64')}`];

/** Bodies that have the number in turn where a made-up body has a number, and as a member that no schema describes. */
function* bodiesOf({ body }: Operation, api: Api): Generator<string> {
  for (const { mediaType, schema } of body?.content ?? []) {
    if (!mediaType.includes('json') || schema === undefined) continue;
    for (const seed of [1, 2]) {
      const made = generateValue(api, schema, { direction: 'request', seed, variant: 'full' });
      if (!made.ok || typeof made.value !== 'object' || made.value === null) continue;
      yield stringifyExactJson({ ...made.value, unknown: WIDE });
      for (const { path, value } of valueSites(schema, made.value, { api, direction: 'request' }))
        if (typeof value === 'number') yield stringifyExactJson(setAt(made.value, path, WIDE));
    }
  }
}

function* requestsOf(operation: Operation, api: Api): Generator<readonly [target: string, body?: string]> {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, '1');
  yield [operation.path.replaceAll(/\{[^}]+\}/g, String(WIDE))];
  for (const { in: location, name } of operation.parameters)
    if (location === 'query') yield [`${path}?${encodeURIComponent(name)}=${WIDE}`];
  for (const body of bodiesOf(operation, api)) yield [path, body];
}

it.each(['signing', 'generation', 'dictionary', 'engine', 'tables', 'notifications'])(
  'the mock of %s handles whole numbers beyond 2^53 in parameters and bodies without an error of its own',
  async (name) => {
    await using mock = await startMock(name, { seed: 1 });
    const failed: string[] = [];
    for (const operation of mock.api.operations)
      for (const [target, body] of requestsOf(operation, mock.api))
        for (const authorization of CREDENTIALS) {
          const method = operation.method.toUpperCase();
          const headers = { authorization, 'x-goog-api-key': 'k', 'content-type': 'application/json' };
          const response = await mock.fetch(`http://mock${target}`, { method, headers, body: body ?? null });
          const text = await response.text();
          if (response.status === 500) failed.push(`${operation.id} ${target} ${body ?? ''}: ${text}`);
        }
    expect(failed).toEqual([]);
  },
);

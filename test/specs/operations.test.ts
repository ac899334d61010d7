import { describe, expect, test } from 'vitest';

import type { ApiResponse, MediaType, Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { allOperations } from './support/find-examples.js';
import { SPEC_NAMES, loadSpec } from './support/load-spec.js';

describe.each(SPEC_NAMES)('the spec of %s', (name) => {
  test('has no error and no warning', async () => {
    const { diagnostics } = await loadSpec(name);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  test('has an id, a summary and a description for each operation', async () => {
    const operations = allOperations(await loadSpec(name));
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary, description }) => !summary || !description).map(({ id }) => id)).toEqual([]);
  });

  test('has an example of each request, each success and each failure', async () => {
    const operations = allOperations(await loadSpec(name));
    expect(operations.length).toBeGreaterThan(0);
    expect(operations.flatMap(findUnshown)).toEqual([]);
  });

  test('documents a success for each operation, and no failure under another status', async () => {
    const operations = allOperations(await loadSpec(name));
    expect(operations.filter(({ responses }) => !responses.some(isSuccess)).map(({ id }) => id)).toEqual([]);
    expect(operations.flatMap(findOtherStatuses)).toEqual([]);
  });
});

function findUnshown({ id, body, responses }: Operation): string[] {
  const bodies = (body?.content ?? []).map((content) => ({ place: `${id} request`, content }));
  const responseSchemas = responses.flatMap(({ status, content }) =>
    content.map((one) => ({ place: `${id} ${status}`, content: one })),
  );
  return [...bodies, ...responseSchemas]
    .filter(({ content }) => !isShown(content))
    .map(({ place, content }) => `${place} ${content.mediaType}`);
}

function isShown({ examples }: MediaType): boolean {
  return examples.some((example) => example.value !== undefined);
}

/** 101 is the success of opening a WebSocket, 304 tells a client that what it has is still right. */
function isSuccess({ status }: ApiResponse): boolean {
  return /^(?:2..|101)$/.test(status);
}

/** Error bodies that name a status, but not the one that they are an example of. */
function findOtherStatuses({ id, responses }: Operation): string[] {
  return responses.flatMap(({ status, content }) =>
    content.flatMap(({ examples }) =>
      examples.filter(({ value }) => !namesStatus(value, status)).map((example) => `${id} ${status} (${example.name})`),
    ),
  );
}

function namesStatus(body: unknown, status: string): boolean {
  if (!isRecord(body) || !/^[45]\d\d$/.test(status)) return true;
  const code = body['status'] ?? (isRecord(body['error']) ? body['error']['code'] : undefined);
  return typeof code !== 'number' || String(code).startsWith(status);
}

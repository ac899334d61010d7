import type { JournalEntry } from '../../sandbox/sandbox.js';
import type { BuiltRequest } from './build-request.js';

/** A recorded call as a test for Vitest. */
export function toTest(entry: JournalEntry, request: BuiltRequest, origin: string): string {
  const init = [
    `method: ${JSON.stringify(request.method)}`,
    `headers: ${JSON.stringify(request.headers)}`,
    ...(typeof request.body === 'string' ? [`body: ${JSON.stringify(request.body)}`] : []),
  ];
  return [
    `import { expect, it } from 'vitest';`,
    ``,
    `it(${JSON.stringify(`responds to ${entry.method} ${entry.path} with ${entry.status}`)}, async () => {`,
    `  const response = await fetch(${JSON.stringify(origin + request.target)}, { ${init.join(', ')} });`,
    `  expect(response.status).toBe(${entry.status});`,
    `});`,
    ``,
  ].join('\n');
}

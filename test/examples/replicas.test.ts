import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { isBuilt } from '../support/specmill-process.js';
import { hasRedis } from '../support/start-redis.js';
import { runExample } from './run-example.js';

const root = path.join(import.meta.dirname, '../..');

test.skipIf(!hasRedis || !isBuilt)(
  'the example serves one mock with three processes, also after one has died',
  async () => {
    expect(await runExample('replicas/run-without-docker.ts')).toEqual([
      'Redis, three mocks and a balancer serve',
      'mock 1 has it: Lease of Harbour Street 12',
      'mock 2 has it: Lease of Harbour Street 12',
      'mock 3 has it: Lease of Harbour Street 12',
      'after the loss of a mock: 1 case',
    ]);
  },
);

interface Compose {
  readonly services: {
    readonly mock: { readonly command: readonly string[]; readonly deploy: { readonly replicas: number } };
  };
}

test('the compose file starts three mocks with flags that exist, and the image checks their health', () => {
  const { services } = parse(readFileSync(path.join(root, 'examples/replicas/compose.yaml'), 'utf8')) as Compose;
  const help = readFileSync(path.join(root, 'cli/commands/mock.ts'), 'utf8');
  const { command, deploy } = services.mock;
  expect(deploy.replicas).toBe(3);
  for (const flag of command.filter((word) => word.startsWith('--')))
    expect(help).toMatch(new RegExp(`(?:'${flag.slice(2)}'|\\b${flag.slice(2)}): \\{`));
  const image = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  expect(image).toContain('/__specmill/health');
  expect(image).toMatch(/^USER node$/m);
});

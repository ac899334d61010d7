import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { describeCommands } from '../../cli/command.js';
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
  const flags = describeCommands()
    .get('mock')
    ?.flags.map(({ name }) => `--${name}`);
  const { command, deploy } = services.mock;
  expect(deploy.replicas).toBe(3);
  expect(flags).toEqual(expect.arrayContaining(command.filter((word) => word.startsWith('--'))));
  const image = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  expect(image).toContain('/__specmill/health');
  expect(image).toMatch(/^USER node$/m);
});

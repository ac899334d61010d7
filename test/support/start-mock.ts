import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type MockOptions, startMock as startPlainMock } from '../../entry/mock.js';

/** Where tests keep the state of mocks: `STORE=lmdb` or `STORE=redis`, else in memory. Redis is started by redis-setup.ts. */
const chosen = process.env['STORE'] ?? 'memory';

let folder: string | undefined;

/** `startMock`, with the state where the run of the tests has it. */
export const startMock = ((source: string, options: MockOptions = {}) =>
  startPlainMock(source, { ...whereState(), ...options })) as typeof startPlainMock;

/** A place for the state of one mock; nothing where it stays in memory. */
function whereState(): Pick<MockOptions, 'state' | 'store'> {
  if (chosen === 'memory') return {};
  if (chosen === 'lmdb') return { state: path.join(openFolder(), randomUUID()) };
  if (chosen === 'redis') return { store: `${process.env['REDIS_URL'] ?? ''}?prefix=${randomUUID()}` };
  throw new Error(`STORE is memory, lmdb or redis, and not ${chosen}.`);
}

function openFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(path.join(tmpdir(), 'specmill-state-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

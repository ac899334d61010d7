import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { findBuiltInSpecs, findSpecsServedWith } from '../../config/built-in-apis.js';
import { type DefinedMock, type MockOptions, startMock as startPlainMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { loadBuiltInBehaviour } from '../../server/load-behaviour.js';

/** Where tests keep the state of mocks: `STORE=lmdb` or `STORE=redis`, else in memory. Redis is started by redis-setup.ts. */
const chosen = process.env['STORE'] ?? 'memory';

let folder: string | undefined;

/** `startMock` of a built-in API, whose spec is read once for all tests, with the state where the run of the tests has it. */
export const startMock = (async (name: string, options: MockOptions = {}) => {
  const known = builtIn.get(name) ?? loadBuiltIn(name);
  builtIn.set(name, known);
  return startPlainMock(await known, { ...whereState(), ...options });
}) as typeof startPlainMock;

const builtIn = new Map<string, Promise<DefinedMock>>();

async function loadBuiltIn(name: string): Promise<DefinedMock> {
  const api = await loadApi([...(findBuiltInSpecs(name) ?? []), ...findSpecsServedWith(name)]);
  return { api, definition: (await loadBuiltInBehaviour(name)) ?? {} };
}

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

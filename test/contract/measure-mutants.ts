import { runContract } from '../../contract/index.js';
import { type Mock, startMock } from '../../mocks/index.js';
import { type Target, apiMutants } from './api-mutants.js';
import { CONTROL, type Mutant, plantMutant } from './mutants.js';

/** What the faults need to know of the APIs of ours that have items. */
export type MeasuredApi = 'signing' | 'tables' | 'generation' | 'notifications';

const TARGETS: Readonly<Record<MeasuredApi, Omit<Target, 'api'>>> = {
  signing: {
    create: 'createcase',
    read: 'getcase',
    list: 'findcases',
    change: 'updatecase',
    remove: 'deletecase',
    items: '',
    text: 'Name',
    number: 'ExpireAfterDays',
    choice: 'Visibility',
    id: 'Id',
    size: 'Take',
    step: 'Skip',
  },
  tables: {
    create: 'insertTable',
    read: 'getTable',
    list: 'listTables',
    change: 'patchTable',
    remove: 'deleteTable',
    items: 'tables',
    text: 'friendlyName',
    choice: 'defaultRoundingMode',
    required: 'tableReference',
    id: 'id',
    size: 'maxResults',
    step: 'pageToken',
  },
  generation: {
    create: 'createCachedContent',
    read: 'getCachedContent',
    list: 'listCachedContents',
    remove: 'deleteCachedContent',
    items: 'cachedContents',
    text: 'displayName',
    choice: 'createTime',
    required: 'model',
    id: 'name',
    size: 'pageSize',
    step: 'pageToken',
  },
  notifications: {
    read: 'getThread',
    list: 'listNotifications',
    remove: 'markThreadAsDone',
    items: '',
    text: 'id',
    choice: 'reason',
    required: 'subject',
    id: 'id',
    size: 'per_page',
    step: 'page',
  },
};

export interface Score {
  readonly planted: number;
  /** Names of the faults that were not found. */
  readonly missed: readonly string[];
  /** Findings where there is no fault. */
  readonly alarms: number;
}

/** Plants each fault in front of the mock of an API, and counts those that are found. */
export async function measureMutants(name: MeasuredApi, maxExamples: number): Promise<Score> {
  await using mock = await startMock(name, { noRateLimit: true });
  const mutants = apiMutants({ api: mock.api, ...TARGETS[name] });
  const missed: string[] = [];
  const alarms = await run(mock, CONTROL, maxExamples);
  for (const mutant of mutants) if ((await run(mock, mutant, maxExamples)) === 0) missed.push(mutant.name);
  return { planted: mutants.length, missed, alarms };
}

/** How much is found, up to the first finding. */
async function run(mock: Served, mutant: Mutant, maxExamples: number): Promise<number> {
  await mock.reset();
  if (mock.api.title.includes('otification')) await notify(mock);
  const stop = new AbortController();
  const onProgress = ({ findings }: { readonly findings: number }): void => {
    if (findings > 0) stop.abort();
    stop.signal.throwIfAborted();
  };
  const send = plantMutant(mutant, mock.fetch);
  const options = { api: mock.api, url: mock.url, fetch: send, maxExamples, maxTime: '60s', onProgress };
  return runContract(options).then(
    ({ findings }) => findings.length,
    (error: unknown) => {
      if (!stop.signal.aborted) throw error;
      return 1;
    },
  );
}

type Served = Pick<Mock, 'api' | 'url' | 'fetch' | 'reset'>;

/** An inbox is empty until something happens. */
async function notify({ url, fetch: send }: Served): Promise<void> {
  for (let count = 1; count <= 5; count += 1) {
    const input = { owner: 'octo', repo: 'harbour', title: `Thread ${count}`, type: 'Issue', reason: 'mention' };
    const headers = { 'content-type': 'application/json' };
    const response = await send(`${url}/__specmill/actions/notify`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}

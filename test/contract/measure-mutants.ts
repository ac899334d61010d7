import { runContract } from '../../entry/contract.js';
import { type Mock, startMock } from '../../entry/mock.js';
import { type Target, apiMutants } from './api-mutants.js';
import { notifyThreads } from '../support/notify-threads.js';
import { CONTROL, type Mutant, plantMutant } from './mutants.js';

/** Threads in the inbox of notifications. */
const INBOX = 5;

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
  /** How many findings there are without a fault. */
  readonly alarms: number;
}

/** Plants each fault, or one of so many, in front of the mock of an API, and counts those that are found. */
export async function measureMutants(name: MeasuredApi, maxExamples: number, oneOf = 1): Promise<Score> {
  await using mock = await startMock(name, { noRateLimit: true });
  const mutants = apiMutants({ api: mock.api, ...TARGETS[name] }).filter((_, index) => index % oneOf === 0);
  const missed: string[] = [];
  // An inbox is empty until something happens.
  const threads = name === 'notifications' ? INBOX : 0;
  const options = {
    maxExamples,
    touchExisting: name === 'notifications',
    prepare: () => notifyThreads(threads, mock.url, mock.fetch),
  };
  const alarms = await run(mock, CONTROL, options);
  for (const mutant of mutants) if ((await run(mock, mutant, options)) === 0) missed.push(mutant.name);
  return { planted: mutants.length, missed, alarms };
}

interface RunOptions {
  readonly maxExamples: number;
  readonly touchExisting: boolean;
  /** Puts things as they must be, after each reset. */
  readonly prepare: () => Promise<void>;
}

/** How much is found, up to the first finding. */
async function run(mock: Served, mutant: Mutant, { maxExamples, touchExisting, prepare }: RunOptions): Promise<number> {
  await mock.reset();
  await prepare();
  const stop = new AbortController();
  const onProgress = ({ findings }: { readonly findings: number }): void => {
    if (findings > 0) stop.abort();
    stop.signal.throwIfAborted();
  };
  const send = plantMutant(mutant, mock.fetch);
  // No operation of notifications creates threads.
  const target = { api: mock.api, url: mock.url, fetch: send, touchExisting };
  const options = { ...target, maxExamples, maxTime: '60s', onProgress };
  return runContract(options).then(
    ({ findings }) => findings.length,
    (error: unknown) => {
      if (!stop.signal.aborted) throw error;
      return 1;
    },
  );
}

type Served = Pick<Mock, 'api' | 'url' | 'fetch' | 'reset'>;

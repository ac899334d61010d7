import { startMock } from '../../entry/mock.js';
import { type Target, apiMutants } from './api-mutants.js';
import { notifyThreads } from '../support/notify-threads.js';
import { CONTROL, type Mutant } from './mutants.js';
import { type FaultTarget, testFault, untilFirstFinding } from './replay-findings.js';

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

export const MEASURED_APIS = Object.keys(TARGETS) as readonly MeasuredApi[];

/** The mock of an API, and the faults that are planted in front of it. */
export interface MeasuredTarget extends FaultTarget, AsyncDisposable {
  readonly faults: readonly Mutant[];
}

export async function startMeasured(name: MeasuredApi): Promise<MeasuredTarget> {
  const mock = await startMock(name, { noRateLimit: true });
  const isInbox = name === 'notifications';
  return {
    mock,
    faults: apiMutants({ api: mock.api, ...TARGETS[name] }),
    // No operation of notifications creates threads, and an inbox is empty until something happens.
    options: { maxExamples: 20, maxTime: '60s', touchExisting: isInbox },
    ...(isInbox ? { prepare: () => notifyThreads(INBOX, mock.url, mock.fetch) } : {}),
    [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose](),
  };
}

export interface Score {
  readonly planted: number;
  /** Names of the faults that were not found. */
  readonly missed: readonly string[];
  /** How many findings there are without a fault. */
  readonly alarms: number;
}

/** Plants each fault in front of the mock of an API, and counts those that are found. */
export async function measureMutants(name: MeasuredApi): Promise<Score> {
  await using target = await startMeasured(name);
  const count = async (fault: Mutant): Promise<number> =>
    (await testFault(target, fault, untilFirstFinding())).findings.length;
  const alarms = await count(CONTROL);
  const missed: string[] = [];
  for (const fault of target.faults) if ((await count(fault)) === 0) missed.push(fault.name);
  return { planted: target.faults.length, missed, alarms };
}

import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { type Mock, startMock } from '../../entry/mock.js';
import { startProxy } from '../../entry/start-proxy.js';
import type { Api } from '../../model/api.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ComparedDraft, compareDraft } from './compare-draft.js';

interface RecordedRun {
  /** The options that name the API or its spec. */
  readonly target: { readonly api: string } | { readonly spec: string };
  /** The mock that serves it. Default: its own. */
  readonly servedBy?: string;
  /** Adds what only the outside world can add, before the run. */
  readonly prepare?: (mock: Mock) => Promise<unknown>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly include?: readonly string[];
  /** Path parameters whose values name kinds of items. */
  readonly kinds?: readonly string[];
}

/** The most cases of an operation: few recorded calls, however fast the machine is. */
const MAX_EXAMPLES = 3;

/** Records a contract run against the mock of an API, drafts a spec from it, and compares it with the true one. */
export async function draftOfRun(run: RecordedRun): Promise<ComparedDraft> {
  const { target, servedBy, prepare, headers = {}, include = [], kinds = [] } = run;
  const folder = tempFolder();
  const record = path.join(folder, 'traffic.har');
  const source = 'api' in target ? target.api : target.spec;
  await using mock = await startMock(servedBy ?? source, { port: 0, seed: 1 });
  await prepare?.(mock);
  const { truth } = await recordCalls({ target, upstream: mock.url, record, headers, include });
  const { status, err } = await runCaptured(folder, 'draft', 'traffic.har', '--out', 'draft.yaml');
  if (status !== 0) throw new Error(err);
  return compareDraft(path.join(folder, 'draft.yaml'), { truth, recording: record, kinds });
}

async function recordCalls({
  target,
  upstream,
  record,
  ...run
}: Pick<RecordedRun, 'target' | 'headers' | 'include'> & {
  readonly upstream: string;
  readonly record: string;
}): Promise<{
  truth: Api;
}> {
  const proxy = await startProxy({ ...target, upstream, port: 0, record });
  const phases = ['examples', 'stateful'] as const;
  const { headers = {}, include = [] } = run;
  const only = include.length === 0 ? {} : { includeOperations: [...include] };
  await runContract({
    ...target,
    headers,
    ...only,
    url: proxy.url,
    seed: 1,
    touchExisting: true,
    phases,
    maxExamples: MAX_EXAMPLES,
    maxTime: '2m',
  });
  const truth = proxy.api;
  await proxy.close();
  return { truth };
}

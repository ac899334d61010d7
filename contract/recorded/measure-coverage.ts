import path from 'node:path';

import { writeOverlay } from '../../http/observations/overlay-document.js';
import { readOptions } from '../../config/read-options.js';
import type { Api, Operation } from '../../model/api.js';
import { createRouter, splitTarget } from '../../http/routing/router.js';
import type { CoverageReport } from '../../reports/contract/coverage-report.js';
import { describeCoverage } from '../findings/coverage.js';
import { type TargetOptions, findTarget } from '../load-api-under-test.js';
import { OperationKeywords } from './operation-keywords.js';
import { type RecordedExchange, type RecordedMessage, readExchanges } from '../../http/recording/read-exchanges.js';
import { DeprecatedUses, type SentRequest } from '../../http/observations/deprecated-uses.js';
import { observeText } from '../../http/observations/observed-call.js';
import { createRedact, type Redact } from '../../http/secrets/redaction.js';
import { RecordedObservations } from './observe-recording.js';
import { toRecordedCall } from './recorded-call.js';

/** An API and its recorded calls. */
export interface CoverageOptions extends TargetOptions {
  /**
   * The journal of a mock or proxy, or a HAR file: its path or URL, or the entries of a journal, such as
   * `await mock.requests()`. A URL without a path is that of a mock or proxy.
   */
  readonly journal: string | readonly unknown[];
  /** Sent if the journal is fetched from a URL. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of an OpenAPI Overlay to write, which makes the spec true to the recorded responses. */
  readonly writeOverlay?: string;
}

/**
 * Counts which operations, statuses and keywords of request schemas recorded calls exercised.
 *
 * @throws InputError if there is no such API or journal.
 * @throws SpecError if the spec cannot be used.
 * @example
 * const { operations } = await measureCoverage({ api: 'signing', journal: await mock.requests() });
 * expect(operations.filter(({ requests }) => requests === 0)).toEqual([]);
 */
export async function measureCoverage(options: CoverageOptions): Promise<CoverageReport> {
  const { cwd, headers = {}, journal, writeOverlay: file } = readOptions('CoverageOptions', options);
  const { name, api } = await findTarget(options);
  let journalLimit: number | undefined;
  const exchanges = readExchanges(journal, { cwd, headers, onFullJournal: (limit) => (journalLimit = limit) });
  const observations = file === undefined ? undefined : new RecordedObservations(api);
  const { calls, ...counted } = await countCalls(exchanges, api, observations);
  const overlay =
    file === undefined || observations === undefined
      ? undefined
      : await writeOverlay(path.resolve(cwd, file), observations.log);
  return {
    api: name,
    calls,
    ...(journalLimit === undefined ? {} : { journalLimit }),
    ...counted,
    ...(overlay === undefined ? {} : { overlay }),
  };
}

interface Counted {
  readonly operation: Operation;
  readonly statuses: Map<number, number>;
  readonly keywords: OperationKeywords;
}

type CountedCalls = Omit<CoverageReport, 'api' | 'journalLimit' | 'overlay'>;

async function countCalls(
  exchanges: AsyncIterable<RecordedExchange>,
  api: Api,
  observations: RecordedObservations | undefined,
): Promise<CountedCalls> {
  const findRoute = createRouter(api);
  const counted = new Map(
    api.operations.map((operation): [Operation, Counted] => [
      operation,
      { operation, statuses: new Map(), keywords: new OperationKeywords(operation, api) },
    ]),
  );
  const unknown = new UnknownCalls(api);
  const deprecated = new DeprecatedUses(api);
  let calls = 0;
  for await (const exchange of exchanges) {
    calls += 1;
    const call = toRecordedCall(exchange);
    const { path } = splitTarget(call.target);
    const match = findRoute(call.method, path);
    const known = match.kind === 'operation' ? counted.get(match.operation) : undefined;
    if (match.kind !== 'operation' || known === undefined) {
      unknown.add(call.method, path);
      continue;
    }
    known.statuses.set(call.status, (known.statuses.get(call.status) ?? 0) + 1);
    known.keywords.add(call, match.values);
    observations?.add(match.operation, exchange, match.values);
    deprecated.add(sentRequest(match.operation, exchange, deprecated));
  }
  return {
    calls,
    deprecated: deprecated.list(),
    unknown: unknown.list(),
    operations: [...counted.values()].map(({ operation, statuses }) => describeCoverage(operation, statuses)),
    ...countKeywords([...counted.values()]),
  };
}

/** The most different unknown calls that are told apart. */
const MOST_UNKNOWN = 10_000;

/** Counts the calls of no operation, without the credentials in their paths. */
class UnknownCalls {
  readonly #redact: Redact;
  readonly #counts = new Map<string, number>();

  constructor(api: Api) {
    this.#redact = createRedact(api);
  }

  add(method: string, path: string): void {
    const call = `${method} ${this.#redact.target(path)}`;
    const known = this.#counts.get(call);
    const line = known === undefined && this.#counts.size >= MOST_UNKNOWN ? `${method} (other paths)` : call;
    this.#counts.set(line, (this.#counts.get(line) ?? 0) + 1);
  }

  list(): CoverageReport['unknown'] {
    return [...this.#counts].map(([call, count]) => ({ call, count }));
  }
}

/** A call as far as it may use something deprecated. Other bodies are not read. */
function sentRequest(
  operation: Operation,
  { target, status, request, response, at }: RecordedExchange,
  uses: DeprecatedUses,
): SentRequest {
  const received = uses.readsResponse(operation, status) ? readJson(response) : {};
  return {
    ...{ operation, query: splitTarget(target).query, headers: request.headers, at },
    ...(uses.readsBody(operation) ? readJson(request) : {}),
    response: { status, headers: response.headers, ...received },
  };
}

function readJson({ headers, text, isBase64, value }: RecordedMessage): { readonly body?: unknown } {
  const read = value === undefined && !isBase64 ? observeText(text, headers) : undefined;
  const body = read?.kind === 'json' ? read.value : value;
  return body === undefined ? {} : { body };
}

function countKeywords(counted: readonly Counted[]): Pick<CoverageReport, 'keywords' | 'notExercised'> {
  const keywords = new Map<string, { places: number; exercised: number; broken: number }>();
  const notExercised: CoverageReport['notExercised'][number][] = [];
  for (const { operation, keywords: own } of counted) {
    for (const { keyword, place, exercised, broken } of own.places) {
      const sum = keywords.get(keyword) ?? { places: 0, exercised: 0, broken: 0 };
      keywords.set(keyword, {
        places: sum.places + 1,
        exercised: sum.exercised + Number(exercised),
        broken: sum.broken + Number(broken),
      });
      if (!exercised) notExercised.push({ operationId: operation.id, keyword, place });
    }
  }
  const sorted = [...keywords].sort(([one], [other]) => (one < other ? -1 : 1));
  return { keywords: Object.fromEntries(sorted), notExercised };
}

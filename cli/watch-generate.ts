import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { countOf } from '../reports/counts.js';
import type { FetchedInput, GenerateResult } from '../generator/generate.js';
import { EXIT, type ExitStatus, type Io } from './io.js';
import { printError } from './print-error.js';
import { watchFiles } from '../server/watch-files.js';
import { hashContent } from '../model/content-hash.js';
import { fetchDocument } from '../model/document/fetch-document.js';

export interface WatchContext {
  readonly io: Io;
  /** As given on the command line. */
  readonly configFile: string | undefined;
}

/**
 * Runs once, then again whenever a file or URL of the last run (or the configuration) changes, until the user stops it.
 * A failed run is reported, and the old output stays.
 *
 * @throws InputError if the first run cannot start: then there is nothing to watch.
 */
export async function watchRuns(run: () => Promise<GenerateResult>, context: WatchContext): Promise<ExitStatus> {
  const { io } = context;
  const signal = io.stopSignal();
  const urls = new UrlWatcher();
  let since = Date.now();
  let watched = watchedInputs(await run(), context);
  while (!signal.aborted) {
    io.err(`specmill: watching ${describeInputs(watched)} for changes\n`);
    if (!(await waitForChange(watched, { urls, since, signal }))) break;
    since = Date.now();
    watched = await runAgain(run, context, watched);
  }
  return EXIT.done;
}

/** The files that the last run read. */
interface WatchedInputs {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  readonly urls: readonly FetchedInput[];
}

interface WatchState {
  readonly urls: UrlWatcher;
  readonly since: number;
  readonly signal: AbortSignal;
}

/** Returns `false` when the user stops the command. */
async function waitForChange({ files, urls }: WatchedInputs, state: WatchState): Promise<boolean> {
  if (urls.length === 0) return watchFiles({ files, since: state.since, signal: state.signal });
  const ended = new AbortController();
  const signal = AbortSignal.any([state.signal, ended.signal]);
  try {
    return await Promise.race([
      watchFiles({ files, since: state.since, signal }),
      state.urls.waitForChange(urls, signal),
    ]);
  } finally {
    ended.abort();
  }
}

function describeInputs({ files, urls }: WatchedInputs): string {
  const count = (number: number, word: string): string[] => (number === 0 ? [] : [countOf(number, word)]);
  return [...count(files.size, 'file'), ...count(urls.length, 'URL')].join(' and ');
}

async function runAgain(
  run: () => Promise<GenerateResult>,
  context: WatchContext,
  watched: WatchedInputs,
): Promise<WatchedInputs> {
  try {
    const result = await run();
    const isBroken = result.apis.some(({ status }) => status === 'failed');
    const now = watchedInputs(result, context);
    // A broken spec may not lead to all of its files, so the old ones are still watched.
    return isBroken ? { files: new Set([...watched.files, ...now.files]), urls: [...watched.urls, ...now.urls] } : now;
  } catch (error) {
    printError(error, context.io, { isDebug: false, isJson: false });
    return watched;
  }
}

function watchedInputs(
  { apis, fetched, configFile }: GenerateResult,
  { io, configFile: named }: WatchContext,
): WatchedInputs {
  const config = configFile ?? (named === undefined ? undefined : path.resolve(io.cwd, named));
  const configs = config === undefined ? [] : [config];
  const inputs = apis.flatMap((api) => api.inputs).filter((file) => path.isAbsolute(file));
  return { files: new Set([...inputs, ...configs]), urls: fetched };
}

/** Milliseconds between two requests for the same URL. */
const POLL_INTERVAL = 3_000;

/** The last seen version of a document. */
interface SeenVersion {
  readonly etag: string | undefined;
  readonly hash: string;
}

/** Polls URLs for changes. Servers with entity tags send a document only if it has changed. */
export class UrlWatcher {
  readonly #interval: number;
  readonly #seen = new Map<string, SeenVersion>();

  /** @param interval - milliseconds. */
  constructor(interval: number = POLL_INTERVAL) {
    this.#interval = interval;
  }

  /**
   * Waits until one of the documents changes. Returns `false` if `signal` is aborted first. The first response for a
   * URL is not a change. A server that is temporarily unreachable is asked again.
   */
  async waitForChange(inputs: readonly FetchedInput[], signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      let isChanged = false;
      for (const input of inputs) isChanged = (await this.#poll(input)) || isChanged;
      if (isChanged && !signal.aborted) return true;
      await wait(this.#interval, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  async #poll({ url, headers }: FetchedInput): Promise<boolean> {
    const seen = this.#seen.get(url);
    const result = await fetchDocument(url, { headers, followsHosts: true, etag: seen?.etag });
    if (result.kind !== 'document') return false;
    const hash = hashContent(result.bytes);
    this.#seen.set(url, { etag: result.etag, hash });
    return seen !== undefined && seen.hash !== hash;
  }
}

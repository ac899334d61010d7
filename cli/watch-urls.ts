import { setTimeout as wait } from 'node:timers/promises';

import type { FetchedInput } from '../generator/generate.js';
import { hashContent } from '../model/content-hash.js';
import { fetchDocument } from '../model/document/fetch-document.js';

/** Milliseconds between two requests for the same URL. */
const POLL_INTERVAL = 3_000;

/** The version of a document that was seen last. */
interface SeenVersion {
  readonly etag: string | undefined;
  readonly hash: string;
}

/** Asks URLs again and again whether they have changed; a server with entity tags sends a document only if it has. */
export class UrlWatcher {
  readonly #interval: number;
  readonly #seen = new Map<string, SeenVersion>();

  /** @param interval - milliseconds. */
  constructor(interval: number = POLL_INTERVAL) {
    this.#interval = interval;
  }

  /**
   * Waits until one of the documents changes; returns `false` when `signal` is aborted before. A URL that was never asked
   * is not a change. A server that is out of reach for a while is asked again.
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

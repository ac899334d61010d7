import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { StartServer } from '../test/server/conformance/conformance-case.js';

const root = path.join(import.meta.dirname, '..');
const JITI = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

/** Plain Prism in its own processes: a new one where a request has ended the last. */
export class PlainPrism {
  #host: ChildProcess | undefined;

  /** Whether a request has ended the process since it was last asked to serve. */
  get hasDied(): boolean {
    return this.#host === undefined || this.#host.exitCode !== null || this.#host.signalCode !== null;
  }

  /** @throws Error if Prism cannot serve the document. */
  readonly start: StartServer = async (document) => {
    if (this.#host === undefined || this.hasDied)
      this.#host = fork(JITI, [path.join(import.meta.dirname, 'prism-host.ts')], { stdio: 'ignore' });
    this.#host.send(document);
    const [response] = (await once(this.#host, 'message')) as [{ readonly url?: string; readonly error?: string }];
    if (response.url === undefined) throw new Error(response.error ?? 'Prism did not start.');
    return { url: response.url, fetch, echoes: false, close: () => Promise.resolve() };
  };

  close(): void {
    this.#host?.disconnect();
  }
}

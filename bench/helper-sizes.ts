import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import type { Figure } from './measure.js';

/** What a user of each helper or feature imports from the runtime. */
const HELPERS: Readonly<Record<string, string>> = {
  'paging by offset': "export { pageByOffset } from './paging.ts';",
  'paging by link': "export { pageByLink } from './paging.ts';",
  'paging by token': "export { pageByToken } from './paging.ts';",
  streaming: "export { streamMessages } from './event-stream.ts';",
  'live session': "export { openLiveSession } from './live-session.ts';",
  'resumable upload': "export { upload } from './upload.ts';",
  'conditional polling': "export { pollChanges } from './helpers.ts';",
  limits: "export { waitForLimits } from './rate-limit.ts';",
  'read before write': "export { readChangeWrite } from './helpers.ts';",
  retries: "export { retries } from './middleware.ts';",
  'time limits of attempts': "export { attemptTimeouts } from './middleware.ts';",
  'renewal of credentials': "export { renewals } from './middleware.ts';",
  progress: "export { progress } from './middleware.ts';",
  'files as streams': "export { downloads } from './middleware.ts';",
  webhooks: "export { readWebhook } from './helpers.ts';",
  'OAuth2 tokens': "export { oauth2 } from './oauth.ts';",
  'results without exceptions': "export { safely } from './errors.ts';",
  expiry: "export { isPast, readExpiry } from './helpers.ts';",
};

/** A call alone, which every helper builds on. */
const CALL = "export { send } from './client.ts';";

/** Bytes that a helper may add. */
const BOUND = 2048;

/** What each helper adds to a bundle that makes calls already, minified and compressed. */
export async function benchHelpers(): Promise<Figure[]> {
  const call = await measure(CALL);
  const figures = await Promise.all(
    Object.entries(HELPERS).map(async ([helper, code]) => {
      const bytes = (await measure(`${CALL}\n${code}`)) - call;
      return { what: helper, value: kilobytes(bytes), bound: `under ${kilobytes(BOUND)}`, within: bytes < BOUND };
    }),
  );
  return [{ what: 'a call', value: kilobytes(call), bound: 'under 3.00 kB', within: call < 3000 }, ...figures];
}

async function measure(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(import.meta.dirname, '../runtime'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

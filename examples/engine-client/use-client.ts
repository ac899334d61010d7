/**
 * Generates a client from the mock of the engine with the configuration and the tables of this folder, and uses it.
 *
 *     npm run build && HARBOUR_DATABASE=none npx jiti examples/engine-client/use-client.ts
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { startMock } from 'specmill/mock';

interface Boat {
  readonly id: number;
  readonly name: string;
  readonly length_m?: number | null;
}

/** The part of the generated client that this program uses; a project imports its types from the output. */
interface Harbour {
  createHarbourClient(options: { baseUrl: string }): {
    createBoat(request: { body: Boat }): Promise<{ status: number; data: { value: readonly Boat[] } }>;
    listBoat(request: { query: { $filter: string } }): Promise<{ data: { value: readonly Boat[] } }>;
  };
}

const here = path.dirname(fileURLToPath(import.meta.url));
process.env['HARBOUR_DATABASE'] ??= 'none';
const out = mkdtempSync(path.join(tmpdir(), 'harbour-'));
const mock = await startMock('engine', {
  port: 0,
  cwd: here,
  engineConfig: 'harbour.config.json',
  engineSchema: 'harbour.sql',
});
try {
  const main = path.join(here, '../../dist/cli/main.js');
  const document = `${mock.url}/api/openapi`;
  await promisify(execFile)(process.execPath, [main, 'generate', document, '--out', 'harbour'], { cwd: out });
  const harbour = (await import(pathToFileURL(path.join(out, 'harbour/index.ts')).href)) as Harbour;
  const client = harbour.createHarbourClient({ baseUrl: `${mock.url}/api` });
  const { status } = await client.createBoat({ body: { id: 1, name: 'Teal', length_m: 9.5 } });
  console.log(`created: ${status}`);
  await client.createBoat({ body: { id: 2, name: 'Gull' } });
  const { data } = await client.listBoat({ query: { $filter: 'length_m gt 9' } });
  console.log(`long boats: ${data.value.map(({ name }) => name).join(', ')}`);
} finally {
  await mock.close();
  rmSync(out, { recursive: true, force: true });
}

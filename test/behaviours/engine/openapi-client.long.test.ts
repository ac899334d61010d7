import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { runCaptured } from '../../support/run-captured.js';
import { OutputFolder } from '../../support/output-folder.js';
import { runExample } from '../../examples/run-example.js';

const SQL = `
CREATE TABLE dbo.boats (id int PRIMARY KEY, name varchar(80) NOT NULL, length_m decimal(5, 1));
CREATE TABLE dbo.moorings (pier char(1), place int, boat_id int, PRIMARY KEY (pier, place));
`;
const permissions = [{ role: 'anonymous', actions: ['*'] }];
const CONFIGURATION = {
  'data-source': { 'database-type': 'mssql', 'connection-string': 'x' },
  entities: {
    Boat: { source: 'dbo.boats', permissions },
    Mooring: { source: 'dbo.moorings', rest: { path: 'harbour/moorings' }, permissions },
    CountBoats: {
      source: { object: 'dbo.count_boats', type: 'stored-procedure', parameters: [{ name: 'pier', required: false }] },
      rest: { methods: ['post'] },
      permissions: [{ role: 'anonymous', actions: ['execute'] }],
    },
  },
};
const PROGRAM = `
import { createHarbourClient, isHarbourError } from './harbour/index.js';

export async function run(baseUrl: string): Promise<readonly unknown[]> {
  const client = createHarbourClient({ baseUrl, validate: true });
  const { data } = await client.createBoat({ body: { id: 1, name: 'Teal', length_m: 9.5 } });
  const name: string | undefined = data.value[0]?.name;
  await client.updateBoat({ path: { id: 1 }, body: { name: 'Gull' } });
  const { data: read } = await client.getBoat({ path: { id: 1 } });
  await client.createMooring({ body: { pier: 'A', place: 7, boat_id: 1 } });
  const { data: mooring } = await client.getMooring({ path: { pier: 'A', place: 7 } });
  await client.executeCountBoats({ body: { pier: 'A' } });
  await client.deleteBoat({ path: { id: 1 } });
  const failed: unknown = await client.getBoat({ path: { id: 1 } }).catch((error: unknown) => error);
  const status = isHarbourError(failed, 'getBoat') ? failed.status : 0;
  // @ts-expect-error A column that the table does not have.
  void (() => client.createBoat({ body: { id: 1, name: 'a', colour: 'red' } }));
  return [name, read.value[0]?.name, mooring.value[0]?.boat_id, status];
}
`;

test('a client that is generated from the mock of the engine compiles and works against it', async () => {
  using output = new OutputFolder();
  output.write('harbour.sql', SQL);
  const engineSchema = path.join(output.folder, 'harbour.sql');
  await using mock = await startMock('engine', { port: 0, engineSchema, engineConfig: CONFIGURATION });
  const generated = await runCaptured(output.folder, 'generate', `${mock.url}/api/openapi`, '--out', 'harbour');
  expect([generated.status, generated.err]).toEqual([0, '']);
  output.write('program.ts', PROGRAM);
  expect(output.typeCheck()).toBe('');
  output.write(
    'main.ts',
    `import { run } from './program.ts';\nconsole.log(JSON.stringify(await run('${mock.url}/api')));\n`,
  );
  const jiti = path.resolve('node_modules/jiti/lib/jiti-cli.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, path.join(output.folder, 'main.ts')]);
  expect(JSON.parse(stdout)).toEqual(['Teal', 'Gull', 1, 404]);
});

test('the example generates a client of its own engine and uses it', async () => {
  expect(await runExample('engine-client/use-client.ts')).toEqual(['created: 201', 'long boats: Teal']);
});

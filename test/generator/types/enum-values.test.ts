import { expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { loadFiles } from '../../support/spec-folder.js';
import { OutputFolder } from '../../support/output-folder.js';

const SCHEMAS = {
  Status: { enum: ['draft', 'sent out', null], 'x-enum-descriptions': ['Not sent. */', 'On its way.', ''] },
  Level: { type: 'integer', enum: [1, 2], 'x-enum-varnames': ['Low', 'High'] },
  Unnamed: { type: 'integer', enum: [1, 2] },
  Wrong: { type: 'integer', enum: [1, 2], 'x-enum-varnames': ['Same', 'Same'] },
  Nasty: { enum: ['__proto__', "it's", '${x}', '*/'] },
};

it('a schema keeps its name even if a type of the runtime has the same', async () => {
  using output = new OutputFolder();
  const named = (name: string): object => ({ enum: [name] });
  const schemas = { Secret: named('s'), ClientContext: named('c'), BasicCredentials: named('b') };
  const securitySchemes = { token: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } };
  const paths = { '/a': { get: { operationId: 'a', responses: { 200: { description: 'D' } } } } };
  const info = { title: 'T', version: '1' };
  const components = { schemas, securitySchemes };
  const api = await loadFiles({ 'spec.json': { openapi: '3.1.0', info, paths, components } });
  const options = { apiName: 'test', emitters: new Set(['types', 'client']), report: () => undefined };
  await output.writeFiles([...(await typesEmitter.emit(api, options)), ...(await clientEmitter.emit(api, options))]);
  output.write(
    'use.ts',
    `import { Secret, ClientContext, BasicCredentials } from './types.js';
    import { createTestClient } from './client.js';
    const secret: Secret = Secret.s;
    createTestClient({ baseUrl: 'https://test', credentials: { token: secret, basic: { username: '', password: '' } } });
    export const facts: unknown = [secret, ClientContext.c, BasicCredentials.b];`,
  );
  expect(output.typeCheck()).toBe('');
});

it('exports the values of named enums as constants, which bundlers drop if unused', async () => {
  using output = new OutputFolder();
  const spec = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas: SCHEMAS } };
  const api = await loadFiles({ 'spec.json': spec });
  const options = { apiName: 'test', emitters: new Set(['types']), report: () => undefined };
  await output.writeFiles(await typesEmitter.emit(api, options));
  output.write(
    'use.ts',
    `import { Status, Level } from './types.js';
    const status: Status = Status['sent out'];
    const level: Level = Level.High;
    // @ts-expect-error: not a value
    const wrong: Level = 3;
    export const facts: unknown = [status, level, wrong];`,
  );
  output.write('none.ts', `import './types.js';`);
  expect(output.typeCheck()).toBe('');
  expect((await output.run<{ facts: unknown }>('use.ts')).facts).toEqual(['sent out', 2, 3]);
  const exported = await output.run<Record<string, object>>('types.ts');
  expect(Object.keys(exported).toSorted()).toEqual(['Level', 'Nasty', 'Status']);
  expect(Object.keys(exported['Nasty'] ?? {})).toEqual(SCHEMAS.Nasty.enum);
  expect((await output.bundle('none.ts')).trim()).toBe('');
});

import { clientEmitter } from '../../generator/client/emit-client.js';
import type { EmitOptions } from '../../generator/emitter.js';
import { typesEmitter } from '../../generator/types/emit-types.js';
import { validatorsEmitter } from '../../generator/validators/emit-validators.js';
import type { Api } from '../../model/api.js';
import type { OutputFolder } from './output-folder.js';

type ClientCall<Data> = (
  request?: object,
  options?: object,
) => Promise<{ readonly status: number; readonly data: Data }>;
export type TestClient<Data = unknown> = Readonly<Record<string, ClientCall<Data>>>;
export type CreateTestClient<Data = unknown> = (options: object) => TestClient<Data>;

const OPTIONS: EmitOptions = {
  apiName: 'test',
  emitters: new Set(['types', 'client', 'validators']),
  report: () => undefined,
};

/** Generates types, validators and client of an API, and gives the function that creates the client. */
export async function emitClient<Data = unknown>(api: Api, output: OutputFolder): Promise<CreateTestClient<Data>> {
  for (const emitter of [clientEmitter, typesEmitter, validatorsEmitter])
    await output.writeFiles(await emitter.emit(api, OPTIONS));
  const { createTestClient } = await output.run<{ readonly createTestClient: CreateTestClient<Data> }>('client.ts');
  return createTestClient;
}

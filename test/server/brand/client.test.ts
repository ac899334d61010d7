import path from 'node:path';

import { expect, it } from 'vitest';

import { generate } from '../../../generator/generate.js';
import { startMock } from '../../../entry/mock.js';
import { OutputFolder } from '../../support/output-folder.js';

/** What this test uses of the client that is generated for the vendor. */
interface Client {
  generateContent(request: object): Promise<{ readonly data: { readonly candidates: readonly object[] } }>;
  startUpload(request: object): Promise<{ readonly headers: Readonly<Record<string, string>> }>;
}
interface Output {
  readonly createGenerationClient: (options: object) => Client;
  readonly isGenerateContentResponse: (value: unknown) => boolean;
}

it(
  'a client that is generated for a vendor works against the mock of the same vendor',
  { timeout: 30_000 },
  async () => {
    using output = new OutputFolder();
    const vendor = 'acme,header=ac';
    const spec = path.resolve('specs/generation/openapi.yaml');
    await generate({
      config: { apis: { generation: { spec, output: 'out', only: ['types', 'client', 'validators'], vendor } } },
      cwd: output.folder,
    });
    const { createGenerationClient, isGenerateContentResponse } = await output.run<Output>('out/index.ts');
    await using mock = await startMock('generation', { vendor });
    const client = createGenerationClient({
      baseUrl: mock.url,
      fetch: mock.fetch,
      credentials: { apiKeyHeader: 'k' },
      validate: true,
    });
    const { data } = await client.generateContent({
      path: { model: 'sonata-2-flash' },
      body: { contents: [{ parts: [{ text: 'Where?' }] }], tools: [{ acmeMaps: { enableWidget: true } }] },
    });
    expect(data.candidates).toMatchObject([{ groundingMetadata: { acmeMapsWidgetContextToken: expect.anything() } }]);
    expect(isGenerateContentResponse(data)).toBe(true);
    const { headers } = await client.startUpload({
      headers: {
        'X-Ac-Upload-Protocol': 'resumable',
        'X-Ac-Upload-Command': 'start',
        'X-Ac-Upload-Header-Content-Length': 3,
        'X-Ac-Upload-Header-Content-Type': 'text/plain',
      },
      body: { file: {} },
    });
    expect(headers['x-ac-upload-url'] ?? headers['X-Ac-Upload-Url']).toMatch(/\/upload\/v1beta\//);
  },
);

import { onTestFinished } from 'vitest';

import { BytesVault } from '../../server/sandbox/bytes-vault.js';
import type { SandboxHost } from '../../server/sandbox/sandbox-host.js';
import { MockSandbox } from '../../server/sandbox/mock-sandbox.js';
import { createRedact } from '../../http/secrets/redaction.js';
import type { MockDefinition } from '../../server/mock-definition.js';
import type { Api } from '../../model/api.js';
import { documentWith, loadDocument } from './load-document.js';

const api: Api = await loadDocument(
  documentWith(
    { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
    {
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'query', name: 'key' },
          header: { type: 'apiKey', in: 'header', name: 'X-Key' },
        },
      },
    },
  ),
);

/** What sandboxes need, without a mock around them. */
export function sandboxHost(definition: MockDefinition = {}, more: Partial<SandboxHost> = {}): SandboxHost {
  return {
    api,
    definition,
    realName: (word) => word,
    vault: new BytesVault(),
    redact: createRedact(api),
    checkInferred: () => undefined,
    seed: 1,
    callbacks: 'loopback',
    options: {},
    config: undefined,
    fill: async () => {},
    ...more,
  };
}

/** A sandbox that is closed when the test is over. */
export function testSandbox(definition?: MockDefinition, more?: Partial<SandboxHost>): MockSandbox {
  const sandbox = new MockSandbox('default', sandboxHost(definition, more));
  onTestFinished(() => sandbox.close());
  return sandbox;
}

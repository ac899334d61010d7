import { describe, expect, test } from 'vitest';

import { createRenderError } from '../../../http/errors/render-error.js';
import { createPipeline } from '../../../server/pipeline/create-pipeline.js';
import { createFetch } from '../../../server/transport/in-process-fetch.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { createFakeSandbox } from '../conformance/fake-sandbox.js';

const APIS = ['signing', 'generation', 'dictionary', 'tables', 'notifications'];
const CALLER = { id: 'a', account: 'a', kind: 'user', scopes: [], schemes: [], properties: {} } as const;

/** The text of a parameter's example, where that is simple. */
function exampleText({ examples, schema }: Parameter): string | undefined {
  const value = examples[0]?.value ?? (typeof schema === 'object' ? schema.examples?.[0] : undefined);
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function targetOf({ path, parameters }: Operation): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent((parameter === undefined ? undefined : exampleText(parameter)) ?? '1');
  });
  const query = parameters.flatMap((one) => {
    const text = one.in === 'query' && one.required ? exampleText(one) : undefined;
    return text === undefined ? [] : [[one.name, text]];
  });
  return `${filled}?${new URLSearchParams(query).toString()}`;
}

function headersOf({ parameters }: Operation): [string, string][] {
  return parameters.flatMap((one): [string, string][] => {
    const text = one.in === 'header' && one.required ? exampleText(one) : undefined;
    return text === undefined ? [] : [[one.name, text]];
  });
}

function encodeBody({ mediaType, value }: { readonly mediaType: string; readonly value: unknown }): string {
  if (typeof value === 'string') return value;
  if (!mediaType.includes('urlencoded')) return JSON.stringify(value);
  const fields = Object.entries(value ?? {}).flatMap(([name, member]) =>
    [member].flat().map((one): [string, string] => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
  return new URLSearchParams(fields).toString();
}

describe.each(APIS)('%s, with responses of Prism only', (name) => {
  test('Prism accepts every example of a request, and its response matches the spec', async () => {
    const api = await loadApi(`specs/${name}/openapi.yaml`);
    const sandbox = createFakeSandbox(api);
    const handle = createPipeline({
      api,
      handlerOf: () => undefined,
      identify: () => ({ ok: true, caller: CALLER }),
      renderError: createRenderError(api),
      options: { validate: 'error', stateless: true, maxBodyBytes: 1_000_000, latencyMs: 0 },
    });
    const transport = createFetch({ handle, sandboxOf: () => sandbox });
    const problems: string[] = [];
    for (const operation of api.operations) {
      if (operation.extensions['x-websocket'] !== undefined) continue;
      const bodies =
        operation.body?.content.flatMap(({ mediaType, examples }) =>
          examples.map((example) => ({ mediaType, value: example.value })),
        ) ?? [];
      for (const body of bodies.length > 0 ? bodies : [undefined]) {
        const headers = headersOf(operation);
        const init =
          body === undefined
            ? { headers }
            : { headers: [...headers, ['content-type', body.mediaType] as [string, string]], body: encodeBody(body) };
        const response = await transport(`http://mock${targetOf(operation)}`, { method: operation.method, ...init });
        if (response.status >= 400)
          problems.push(`${operation.id} ${response.status} ${(await response.text()).slice(0, 400)}`);
      }
    }
    expect(problems).toEqual([]);
    expect(sandbox.calls.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

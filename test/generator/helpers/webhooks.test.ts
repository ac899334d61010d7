import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../../generator/generate.js';
import { documentWith } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const ACCEPTED = { responses: { 204: { description: 'Taken.' } } };
const json = (schema: object): object => ({ required: true, content: { 'application/json': { schema } } });
const ORDER = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

const HOOKS = {
  ...documentWith({}),
  webhooks: {
    paid: {
      post: {
        ...ACCEPTED,
        operationId: 'orderPaid',
        parameters: [
          { name: 'X-Attempt', in: 'header', required: true, schema: { type: 'integer' } },
          { name: 'test', in: 'query', schema: { type: 'boolean' } },
        ],
        requestBody: json(ORDER),
        security: [{ signature: [] }],
      },
    },
    pinged: { post: { ...ACCEPTED, operationId: 'pinged', requestBody: json({ type: 'string' }) } },
  },
  components: { securitySchemes: { signature: { type: 'apiKey', in: 'header', name: 'X-Signature' } } },
};

interface Exports {
  readonly parseWebhook: (name: string, request: Request, options?: object) => Promise<unknown>;
}

const folder = new OutputFolder();
let hooks: Exports;
let diagnostics: readonly unknown[];
afterAll(() => folder[Symbol.dispose]());
beforeAll(async () => {
  folder.write('openapi.json', JSON.stringify(HOOKS));
  const { apis } = await generate({
    cwd: folder.folder,
    config: { apis: { shop: { spec: 'openapi.json', output: 'shop' } } },
  });
  diagnostics = apis[0]?.diagnostics ?? ['none'];
  folder.write(
    'use.ts',
    `import { parseWebhook, WebhookError } from './shop/index.js';
export async function use(request: Request): Promise<number> {
  const { body, headers, query } = await parseWebhook('orderPaid', request, { secret: 's' });
  const test: boolean | undefined = query?.test;
  console.log(headers['X-Attempt'] + 1, test, WebhookError.name);
  // @ts-expect-error there is no such webhook
  await parseWebhook('orderLost', request);
  const text: string = (await parseWebhook('pinged', request)).body;
  return text.length + body.id;
}
`,
  );
  hooks = await folder.run<Exports>('shop/index.ts');
});

interface Sent {
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

function incoming({ body = '{"id":7}', headers, type = 'application/json' }: Sent = {}): Request {
  return new Request('https://me.test/hooks?test=true', {
    method: 'POST',
    headers: { 'content-type': type, 'x-attempt': '2', ...headers },
    body,
  });
}

const sign = (text: string, algorithm = 'sha256', encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string =>
  createHmac(algorithm, 'secret').update(text).digest(encoding);

const signed = (signature: string, sent: Sent = {}): Request =>
  incoming({ ...sent, headers: { 'x-signature': signature } });

it('the output of a spec that has only webhooks compiles under the strictest flags', () => {
  expect(diagnostics).toEqual([]);
  expect(folder.typeCheck()).toBe('');
});

describe('a webhook', () => {
  it.each([
    ['hexadecimal digits', sign('{"id":7}')],
    ['a prefix', `sha256=${sign('{"id":7}')}`],
    ['Base64', sign('{"id":7}', 'sha256', 'base64')],
    ['Base64 for URLs, after a version', `v1,${sign('{"id":7}', 'sha256', 'base64url')}`],
    ['several signatures', `v1=${sign('other')} v1=${sign('{"id":7}')}`],
  ])('a webhook is parsed if its signature is right: %s', async (_kind, signature) => {
    expect(await hooks.parseWebhook('orderPaid', signed(signature), { secret: 'secret' })).toEqual({
      body: { id: 7 },
      headers: { 'X-Attempt': 2 },
      query: { test: true },
    });
  });

  it.each([
    ['missing', undefined],
    ['of another body', sign('{"id":8}')],
    ['of another algorithm', `sha1=${sign('{"id":7}', 'sha1')}`],
    ['no signature', 'yes'],
    ['empty after its prefix', 'sha256='],
    ['long', 'a'.repeat(100_000)],
  ])('a webhook is refused if its signature is %s', async (_kind, signature) => {
    const request = signature === undefined ? incoming() : signed(signature);
    await expect(hooks.parseWebhook('orderPaid', request, { secret: 'secret' })).rejects.toMatchObject({
      name: 'WebhookError',
      reason: 'signature',
    });
  });

  it('a webhook may be signed with another algorithm, over other content and in another header', async () => {
    const content = (body: string, headers: Headers): string => `${headers.get('x-time')}.${body}`;
    const headers = { 'x-time': '99', 'x-own': sign('99."hello"', 'sha512') };
    const options = { secret: new TextEncoder().encode('secret'), algorithm: 'SHA-512', header: 'X-Own', content };
    expect(await hooks.parseWebhook('pinged', incoming({ body: '"hello"', headers }), options)).toEqual({
      body: 'hello',
    });
  });

  it.each([{}, { secret: undefined }, { secret: '' }])(
    'a webhook is never parsed unchecked by accident: %j',
    async (options) => {
      await expect(hooks.parseWebhook('orderPaid', signed(sign('{"id":7}')), options)).rejects.toThrow(TypeError);
    },
  );

  it('a webhook is parsed unchecked if the caller says so, or the document declares no signature', async () => {
    expect(await hooks.parseWebhook('orderPaid', incoming(), { secret: false })).toMatchObject({ body: { id: 7 } });
    expect(await hooks.parseWebhook('pinged', incoming({ body: '"x"' }))).toEqual({ body: 'x' });
  });

  it.each([
    ['invalid', '{"id":"7"}', 'invalid', 'The webhook orderPaid is invalid: /body/id must be integer.'],
    ['no JSON', '{"id":', 'body', 'The body of the webhook orderPaid is not JSON.'],
  ])('a webhook is refused if its body is %s', async (_kind, body, reason, message) => {
    const request = signed(sign(body), { body });
    await expect(hooks.parseWebhook('orderPaid', request, { secret: 'secret' })).rejects.toMatchObject({
      reason,
      message,
    });
  });

  it('a webhook is not validated if the caller says so', async () => {
    const request = signed(sign('{}'), { body: '{}' });
    expect(await hooks.parseWebhook('orderPaid', request, { secret: 'secret', validate: false })).toMatchObject({
      body: {},
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  ApiError,
  caseFixture,
  createSigningClient,
  isCase,
  isSigningError,
  validateCase,
} from '../../generated/signing/index.js';
import { createcaseExamples, findcasesExamples, getcaseExamples } from '../../generated/signing/examples.js';
import { ValidationFailure } from '../../generated/signing/runtime/validation.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';

const example = createcaseExamples.request.leaseAgreement;
const found = Object.values(findcasesExamples.responses[200])[0] ?? [];
const read = Object.values(getcaseExamples.responses[200])[0];
const id = '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901';
const refusal = { error: { errorCode: 'caseNotFound', message: 'There is no case with this id.' } };

/** A server that knows nothing of specmill: it answers by path alone. */
const RESPONSES: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  '/api/v2/createcase': [200, { Id: id }],
  '/api/v2/findcases': [200, found],
  '/api/v2/getcase': [200, read],
  '/api/v2/sendcase': [404, refusal],
  '/api/v2/getcasebytemporaryid': [200, { Id: 'no guid' }],
};

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer(({ url }, response) => {
    const [status, body] = RESPONSES[new URL(url, 'http://localhost').pathname] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

const clientOf = (account?: string): ReturnType<typeof createSigningClient> =>
  createSigningClient({ baseUrl: server.url, credentials: { basic: { key: 'key', secret: 'sec:ret', account } } });

function basicOf(header: string | undefined): string {
  return Buffer.from(String(header).replace('Basic ', ''), 'base64').toString('utf8');
}

describe('the signing client', () => {
  it('the signing client sends JSON with Basic credentials and returns typed data', async () => {
    const { status, data } = await clientOf().createcase({ body: example });
    expect([status, data.Id]).toEqual([200, id]);
    const { method, headers, body } = server.last();
    expect([method, headers['content-type'], basicOf(headers.authorization)]).toEqual([
      'POST',
      expect.stringContaining('application/json'),
      'key:sec:ret',
    ]);
    expect(JSON.parse(body.toString())).toEqual(example);
  });

  it('the signing client appends the sub account to the user name after two backslashes', async () => {
    await clientOf('4711').createcase({ body: {} });
    expect(basicOf(server.last().headers.authorization)).toBe(String.raw`key\\4711:sec:ret`);
  });

  it('writes dictionary filters as Metadata[key]', async () => {
    const { data } = await clientOf().findcases({
      query: { Status: 'draft', Take: 5, Metadata: { department: 'Lettings & co' } },
    });
    expect(data).toEqual(found);
    expect(decodeURIComponent(server.last().url)).toBe(
      '/api/v2/findcases?Status=draft&Take=5&Metadata[department]=Lettings & co',
    );
  });

  it('the signing client sends a form if the caller asks for one', async () => {
    await clientOf()
      .sendcase({ body: { id }, contentType: 'application/x-www-form-urlencoded' })
      .catch(() => undefined);
    expect(server.last().body.toString()).toBe(`id=${id}`);
  });

  it('throws a documented failure whose type narrows by status', async () => {
    const error: unknown = await clientOf()
      .sendcase({ body: { id } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    if (!isSigningError(error, 'sendcase') || error.status !== 404) throw error;
    expect(error.body.error.errorCode).toBe('caseNotFound');
    expect(JSON.stringify(error)).not.toContain('sec:ret');
  });

  it('validates responses if asked to, and reports violations with pointers', async () => {
    const call = { query: { id: 1234 } };
    await expect(clientOf().getcasebytemporaryid(call)).resolves.toMatchObject({ status: 200 });
    const error: unknown = await clientOf()
      .getcasebytemporaryid(call, { validate: true })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationFailure);
    expect((error as ValidationFailure).errors.map(({ pointer }) => pointer)).toContain('/Id');
  });
});

describe('the signing validators and fixtures', () => {
  it.each([0, 1, 2, 3, 4, 5])('the fixture makes a valid case with seed %i, the same each time', (seed) => {
    const value = caseFixture({ Name: 'Mine' }, { seed });
    expect(isCase(value)).toBe(true);
    expect(value).toEqual(caseFixture({ Name: 'Mine' }, { seed }));
    expect(value.Name).toBe('Mine');
  });

  it('the validator reports the pointer of an invalid value', () => {
    const result = validateCase({ Id: 'x', Parties: [{ Name: 1 }] });
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/Id', '/Parties/0/Name']);
  });
});

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { type Finding, runContract } from '../../entry/contract.js';
import { readViolations } from '../../contract/checks/read-violations.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const ORDER = {
  type: 'object',
  required: ['size', 'quantity'],
  properties: {
    size: { type: 'string', enum: ['small', 'large', 'huge'] },
    quantity: { type: 'integer', minimum: 1, maximum: 1_000 },
    code: { type: 'string', enum: ['A', 'B', 'C'] },
  },
};
const json = (schema: object): object => ({ 'application/json': { schema } });
const SPEC = documentWith({
  '/orders': {
    post: {
      operationId: 'placeOrder',
      requestBody: { required: true, content: json(ORDER) },
      responses: {
        201: {
          description: 'placed',
          content: json({ ...ORDER, required: ['id'], properties: { ...ORDER.properties, id: { type: 'string' } } }),
        },
        422: { description: 'refused' },
        400: { description: 'refused' },
      },
    },
  },
});

/** What a server says of a member that it refuses. */
type Form = (member: string, message: string) => { readonly status: number; readonly body: unknown };

const FORMS: Readonly<Record<string, Form>> = {
  'RFC 9457': (member, detail) => ({
    status: 422,
    body: { title: 'Invalid', errors: [{ detail, pointer: `#/${member}` }] },
  }),
  'RFC 7807': (name, reason) => ({ status: 400, body: { title: 'Invalid', 'invalid-params': [{ name, reason }] } }),
  'JSON:API': (member, detail) => ({
    status: 422,
    body: { errors: [{ status: '422', detail, source: { pointer: `/${member}` } }] },
  }),
  zod: (member, message) => ({
    status: 400,
    body: { success: false, error: { name: 'ZodError', issues: [{ code: 'custom', path: [member], message }] } },
  }),
  'zod, flattened': (member, message) => ({
    status: 400,
    body: { errors: { formErrors: [], fieldErrors: { [member]: [message] } } },
  }),
  FastAPI: (member, msg) => ({
    status: 422,
    body: { detail: [{ type: 'enum', loc: ['body', member], msg, input: 1 }] },
  }),
  Fastify: (member, message) => ({
    status: 400,
    body: { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: `body/${member} ${message}` },
  }),
  ajv: (member, message) => ({
    status: 400,
    body: { errors: [{ instancePath: `/${member}`, keyword: 'enum', message }] },
  }),
  'express-validator': (path, msg) => ({
    status: 400,
    body: { errors: [{ type: 'field', value: 1, msg, path, location: 'body' }] },
  }),
  'express-openapi-validator': (member, message) => ({
    status: 400,
    body: { message, errors: [{ path: `/body/${member}`, message }] },
  }),
  Joi: (member, message) => ({ status: 400, body: { details: [{ message, path: [member], type: 'any.only' }] } }),
  Laravel: (member, message) => ({
    status: 422,
    body: { message: 'The given data was invalid.', errors: { [member]: [message] } },
  }),
  'ASP.NET': (member, message) => ({ status: 400, body: { title: 'Invalid', errors: { [`$.${member}`]: [message] } } }),
};

interface Rule {
  /** The member that a body breaks, and why. */
  readonly breaks: (body: Readonly<Record<string, unknown>>) => readonly [member: string, message: string] | undefined;
}

async function findingsWith(form: Form, { breaks }: Rule): Promise<readonly Finding[]> {
  let count = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body = parse(text);
      const broken = body === undefined ? (['', 'must be an order'] as const) : (findBroken(body) ?? breaks(body));
      if (broken === undefined) return send(response, 201, { ...body, id: String((count += 1)) });
      const { status, body: error } = form(...broken);
      return send(response, status, error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { findings } = await runContract({
    api: await loadDocument(SPEC),
    url,
    phases: ['examples', 'boundary'],
    seed: 1,
  });
  return findings;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function findBroken({ size, quantity }: Readonly<Record<string, unknown>>): readonly [string, string] | undefined {
  if (!['small', 'large', 'huge'].includes(String(size))) return ['size', 'is no size'];
  const isCount = typeof quantity === 'number' && quantity >= 1 && quantity <= 1_000;
  return isCount ? undefined : ['quantity', 'is no quantity'];
}

describe.each(Object.entries(FORMS))('errors in the form of %s', (_name, form) => {
  test('show that the server refuses a value that the spec allows', async () => {
    const findings = await findingsWith(form, {
      breaks: ({ size }) => (size === 'huge' ? ['size', 'must be small or large'] : undefined),
    });
    expect(findings.map(({ check, pointer }) => [check, pointer])).toEqual([['valid input accepted', 'body /size']]);
  });

  test('cause no finding if the server is right, or has a reason that no schema can express', async () => {
    expect(await findingsWith(form, { breaks: () => undefined })).toEqual([]);
    const taken = new Set<unknown>();
    const isTaken: Rule = {
      breaks: ({ code }) => {
        if (code === undefined) return undefined;
        if (taken.has(code)) return ['code', 'has already been taken'];
        taken.add(code);
        return undefined;
      },
    };
    expect(await findingsWith(form, isTaken)).toEqual([]);
    const isSoldOut: Rule = {
      breaks: ({ quantity }) => (Number(quantity) > 900 ? ['quantity', 'is out of stock'] : undefined),
    };
    expect(await findingsWith(form, isSoldOut)).toEqual([]);
  });
});

test('a refused boundary value is found in any form of errors', async () => {
  const findings = await findingsWith(() => ({ status: 400, body: { oops: true } }), {
    breaks: ({ quantity }) => (quantity === 1_000 ? ['quantity', 'is too much'] : undefined),
  });
  expect(findings.map(({ check, pointer }) => [check, pointer])).toEqual([['valid input accepted', 'body /quantity']]);
});

test.each([
  [
    'a name with brackets stays one name',
    { errors: [{ source: { parameter: 'page[size]' }, detail: 'x' }] },
    ['/page[size]'],
  ],
  ['an index of a list is a step', { errors: [{ field: 'lines[0].sku', message: 'x' }] }, ['/lines/0/sku']],
  [
    'the part of the request is not part of the pointer',
    { detail: [{ loc: ['query', 'limit'], msg: 'x' }] },
    ['/limit'],
  ],
  ['an error without a place names none', { errors: [{ message: 'Out of stock' }], message: 'body is wrong' }, []],
  ['errors of a pointer with escapes', { errors: [{ pointer: '#/a~1b' }] }, ['/a~1b']],
  ['a body that is not an object names no member', 'no', []],
])('%s', (_name, body, pointers) => {
  expect(readViolations(body).map(({ pointer }) => pointer)).toEqual(pointers);
});

import { describe, expect, it } from 'vitest';

import type { EmitOptions, GeneratedFile } from '../../../generator/emitter.js';
import { clientEmitter } from '../../../generator/client/emit-client.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const OPTIONS: EmitOptions = { apiName: 'test', emitters: new Set(['types', 'client']), report: () => undefined };

async function emit(document: object): Promise<readonly GeneratedFile[]> {
  return await clientEmitter.emit(await loadDocument(document), OPTIONS);
}

async function textOf(files: readonly GeneratedFile[], path: string): Promise<string> {
  const contents = files.find((file) => file.path === path)?.contents ?? '';
  return typeof contents === 'string' ? contents : await contents();
}

const OK = {
  responses: { 200: { description: 'Fine.', content: { 'application/json': { schema: { type: 'object' } } } } },
};

describe('files', () => {
  it('the client emitter writes the functions, the client and the runtime modules that they need', async () => {
    const files = await emit(documentWith({ '/a': { get: { operationId: 'a', ...OK } } }));
    expect(files.map(({ path }) => path)).toEqual([
      'client.ts',
      'operations.ts',
      ...['client', 'context', 'credentials', 'errors', 'middleware', 'serialize'].map((name) => `runtime/${name}.ts`),
    ]);
  });

  it('an API without operations has no files', async () => {
    expect(await emit(documentWith({}, { components: { schemas: { A: { type: 'string' } } } }))).toEqual([]);
  });

  function manyOperations(description: string): object {
    const paths = Array.from({ length: 120 }, (_, index) => {
      const tags = index === 0 ? [] : [index % 2 === 0 ? 'Even/../x' : 'odd'];
      return [
        `/${index}`,
        { get: { operationId: `get${index}`, tags, description: index === 3 ? description : 'Same.', ...OK } },
      ];
    });
    return documentWith(Object.fromEntries(paths));
  }

  it('an API with many operations has one file for each tag', async () => {
    const files = await emit(manyOperations('a'));
    expect(files.map(({ path }) => path).filter((path) => path.startsWith('operations'))).toEqual([
      'operations/other.ts',
      'operations/odd.ts',
      'operations/even-x.ts',
      'operations.ts',
    ]);
    using output = new OutputFolder();
    await output.writeFiles([...files, ...(await typesEmitter.emit(await loadDocument(manyOperations('a')), OPTIONS))]);
    expect(output.typeCheck()).toBe('');
  });

  it.each(['v1', 'v1.1', 'v2-beta', 'v1beta1'])(
    'operations without tags below /%s are split by the next segment of the path',
    async (version) => {
      const paths = Array.from({ length: 101 }, (_, index) => [
        `/${version}/${index % 2 === 0 ? 'pets' : 'users'}/${index}`,
        { get: { operationId: `get${index}`, ...OK } },
      ]);
      const files = await emit(documentWith(Object.fromEntries(paths)));
      expect(files.map(({ path }) => path).filter((path) => path.startsWith('operations/'))).toEqual([
        'operations/pets.ts',
        'operations/users.ts',
      ]);
    },
  );
});

const NAMED = {
  content: {
    'application/json': { schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
  },
};

it.each([
  [
    'the 2xx where a 304 and a redirect are documented too',
    ['200', '304', '302'],
    'data.a.length; export const n: 200 = status;',
  ],
  ['all 2xx', ['200', '201', '3XX'], 'data.a.length; export const n: 200 | 201 = status;'],
  ['the default where no 2xx is documented', ['default', '304'], 'data.a.length; if (status === 204) data.a;'],
  [
    'the redirect of an operation that only redirects',
    ['302', '404'],
    'export const n: 302 = status; export const none: { a: string } = data;',
  ],
])('a call returns %s', async (_what, statuses, code) => {
  const responses = Object.fromEntries(statuses.map((status) => [status, { description: 'Is.', ...NAMED }]));
  const document = documentWith({ '/a': { get: { operationId: 'readIt', responses } } });
  using output = new OutputFolder();
  await output.writeFiles([
    ...(await emit(document)),
    ...(await typesEmitter.emit(await loadDocument(document), OPTIONS)),
  ]);
  const safe =
    "const safe = await createTestClient({ baseUrl: 'https://a.b' }).readIt.safe(); if (safe.status === 304) safe.error;";
  const imports = "import { readIt } from './operations.js';\nimport { createTestClient } from './client.js';\n";
  output.write(
    'app.ts',
    `${imports}const { data, status } = await readIt({ baseUrl: 'https://a.b' });\n${code}\n${safe}\n`,
  );
  expect(output.typeCheck()).toBe('');
});

describe('comments', () => {
  it('the comment of a function has the description, method and path', async () => {
    const operation = {
      servers: [{ url: 'https://up.test' }],
      operationId: 'a',
      summary: 'Short.',
      description: 'Long.\n\n@internal\n{@link x}',
      deprecated: true,
      ...OK,
    };
    const text = await textOf(await emit(documentWith({ '/a/{b}': { post: operation } })), 'operations.ts');
    expect(text).toContain(
      '/**\n * Short.\n *\n * Long.\n *\n * \\@internal\n * {\\@link x}\n *\n * `POST /a/{b}`\n *\n * Server: `https://up.test`, to be given as the `baseUrl` of the call.\n *\n * @deprecated\n */\nexport function a(',
    );
  });
});

describe('names', () => {
  const names = [
    'send',
    'writeJson',
    'types',
    'Types',
    'context',
    'request',
    'options',
    'fetch',
    'constructor',
    'toString',
    'import',
    'callOptions',
    'test',
  ];

  it('names of operations never clash with other names of the output', async () => {
    const paths = Object.fromEntries(
      names.map((operationId, index) => [
        `/${index}`,
        {
          post: {
            operationId,
            requestBody: { content: { 'application/json': { schema: { type: 'string' } } } },
            ...OK,
          },
        },
      ]),
    );
    const api = await loadDocument(documentWith(paths));
    using output = new OutputFolder();
    await output.writeFiles([...(await clientEmitter.emit(api, OPTIONS)), ...(await typesEmitter.emit(api, OPTIONS))]);
    expect(output.typeCheck()).toBe('');
    const { createTestClient } = await output.run<{
      createTestClient: (options: object) => Record<string, (request: object) => Promise<unknown>>;
    }>('client.ts');
    const urls: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      urls.push(`${new URL(request.url).pathname} ${await request.text()}`);
      return Response.json({});
    };
    const client = createTestClient({ baseUrl: 'https://test', fetch });
    for (const { name } of api.operations) await client[name]?.({ body: 'x' });
    expect(urls).toEqual(names.map((_, index) => `/${index} "x"`));
  });
});

describe('validate', () => {
  it('the client loads the validators of responses on demand, and reports violations', async () => {
    const api = await loadDocument(documentWith({ '/a': { get: { operationId: 'getA', ...OK } } }));
    const options = { ...OPTIONS, emitters: new Set(['types', 'client', 'validators']) };
    using output = new OutputFolder();
    await output.writeFiles([
      ...(await clientEmitter.emit(api, options)),
      ...(await typesEmitter.emit(api, OPTIONS)).filter(({ path }) => path === 'types.ts'),
    ]);
    output.write(
      'validators.ts',
      `import type { ValidationError } from './runtime/validation.js';
type Validator = (status: number, mediaType: string | undefined, data: unknown) => ValidationError[];
export const responseValidators: Readonly<Record<string, Validator>> = {
  getA: (status, mediaType, data) => [{ pointer: '/x', message: \`is \${status} \${mediaType} \${JSON.stringify(data)}\`, keyword: 'type', params: {} }],
};
`,
    );
    expect(output.typeCheck()).toBe('');
    const { createTestClient } = await output.run<{
      createTestClient: (options: object) => { getA: () => Promise<unknown> };
    }>('client.ts');
    const given = { baseUrl: 'https://test', fetch: () => Promise.resolve(Response.json({ a: 1 })) };
    await expect(createTestClient(given).getA()).resolves.toMatchObject({ data: { a: 1 } });
    await expect(createTestClient({ ...given, validate: true }).getA()).rejects.toMatchObject({
      name: 'ValidationFailure',
      message: 'getA responded 200: /x is 200 application/json {"a":1}',
      errors: [{ pointer: '/x' }],
    });
  });
});

describe('size', () => {
  const secured = documentWith(
    {
      '/a/{id}': {
        get: {
          operationId: 'getOne',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          ...OK,
        },
      },
      '/b': { post: { operationId: 'other', requestBody: { content: { 'multipart/form-data': {} } }, ...OK } },
    },
    { security: [{ bearer: [] }], components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } },
  );

  it('a bundle of one function with a token is less than 3 KiB, compressed, and contains no other function', async () => {
    using output = new OutputFolder();
    await output.writeFiles(await emit(secured));
    output.write(
      'app.ts',
      "import { getOne } from './operations.js';\nconsole.log(await getOne({ baseUrl: 'https://a.b', credentials: { bearer: 't' } }, { path: { id: 'x' } }));\n",
    );
    const code = await output.bundle('app.ts');
    const { size } = await new Response(new Blob([code]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
    expect(size).toBeLessThan(3 * 1024);
    expect(code).not.toMatch(/Content-Disposition|deepObject|"other"/);
  });

  it('a bundle of one function contains neither retries, token renewal, upload progress nor attempt timeouts', async () => {
    using output = new OutputFolder();
    await output.writeFiles([
      ...(await emit(secured)),
      ...(await typesEmitter.emit(await loadDocument(secured), OPTIONS)),
    ]);
    output.write('app.ts', "import { getOne } from './operations.js';\nconsole.log(getOne);\n");
    expect(await output.bundle('app.ts')).not.toMatch(/Retry-After|unauthorized|TransformStream|attemptTimeout/);
  });
});

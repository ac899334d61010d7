import { describe, expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const HOSTILE = [
  '*/ globalThis.pwned = 1; /*',
  "'; globalThis.pwned = 1; '",
  '"; globalThis.pwned = 1; "',
  '`; globalThis.pwned = 1; `',
  '${globalThis.pwned = 1}',
  '\n globalThis.pwned = 1; //',
  '\u2028 globalThis.pwned = 1; //',
  '\\',
  '</script><script>globalThis.pwned = 1</script>',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '{{pwned}}',
  '@deprecated',
  '}',
  ')] } };',
];

type Client = Record<string, (request: object) => Promise<unknown>>;
interface Output {
  readonly createTestClient: (options: object) => Client;
}

/** A document that has one text in every place that reaches the client. */
function documentOf(text: string): object {
  const schema = { type: 'array', items: { type: 'string' } };
  const operation = {
    operationId: `op ${text}`,
    summary: text,
    description: text,
    tags: [text],
    deprecated: true,
    security: [{ [text]: [] }, { [`${text}2`]: [] }],
    parameters: [
      { name: text, in: 'query', style: 'pipeDelimited', explode: false, schema, description: text },
      { name: `c${text}`, in: 'cookie', explode: false, schema },
    ],
    requestBody: {
      content: {
        [text]: {},
        'application/x-www-form-urlencoded': { encoding: { [text]: { style: 'deepObject' } } },
        'multipart/form-data': { encoding: { [text]: { contentType: text } } },
      },
    },
    responses: {
      200: {
        description: text,
        content: { 'application/json': {}, [`text/${text}`]: { schema: { type: 'string', format: 'binary' } } },
      },
      404: { description: text },
    },
  };
  const securitySchemes = {
    [text]: { type: 'apiKey', in: 'query', name: text, description: text },
    [`${text}2`]: { type: 'http', scheme: text, description: text },
  };
  return documentWith(
    { [`/p`]: { post: operation }, [`/${text}`]: { get: { tags: [text], responses: {} } } },
    { components: { securitySchemes }, info: { title: text, version: text } },
  );
}

describe('hostile texts of a document', () => {
  it('no text of a document becomes code, wherever it is', async () => {
    using output = new OutputFolder();
    for (const [index, text] of HOSTILE.entries()) {
      const api = await loadDocument(documentOf(text));
      const options = { apiName: 'test', emitters: new Set(['types', 'client']), report: () => undefined };
      const files = [...(await clientEmitter.emit(api, options)), ...(await typesEmitter.emit(api, options))];
      await output.writeFiles(files, `case-${index}`);
      const { createTestClient } = await output.run<Output>(`case-${index}/client.ts`);
      const urls: URL[] = [];
      const fetch = async (request: Request): Promise<Response> => {
        urls.push(new URL(request.url));
        return Promise.resolve(Response.json({}));
      };
      const own = (value: unknown): object =>
        JSON.parse(JSON.stringify([[text, value]]).replace(/^\[\[(.*),(.*)\]\]$/s, '{$1:$2}')) as object;
      const client = createTestClient({ baseUrl: 'https://test', fetch, credentials: own('k') });
      const name = api.operations.find(({ method }) => method === 'post')?.name ?? '';
      await client[name]?.({ query: Object.fromEntries([[text, ['a', 'b']]]) });
      expect([...(urls[0]?.searchParams ?? [])], `${JSON.stringify(text)} travels as it is`).toEqual([
        [text, 'a|b'],
        [text, 'k'],
      ]);
    }
    expect(output.typeCheck()).toBe('');
    expect(globalThis).not.toHaveProperty('pwned');
  });

  it('no file for a hostile tag is outside of the output folder', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `/${index}`,
        { get: { tags: [HOSTILE[index % HOSTILE.length]], responses: {} } },
      ]),
    );
    const files = await clientEmitter.emit(await loadDocument(documentWith(paths)), {
      apiName: 'test',
      emitters: new Set(['types', 'client']),
      report: () => undefined,
    });
    for (const { path } of files) expect(path).toMatch(/^(operations\/|runtime\/)?[a-z0-9-]+\.ts$/);
  });
});

import { describe, expect, it, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { createRedact } from '../../../http/secrets/redaction.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { LINEAR, growthOf } from '../../support/growth.js';

const SECRET = { type: 'string', format: 'password' };
const api = loadDocument(
  documentWith(
    {
      '/login': {
        post: {
          operationId: 'login',
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    name: { type: 'string' },
                    pin: SECRET,
                    old: { type: 'array', items: { $ref: '#/components/schemas/Secret' } },
                    deep: { type: 'object', properties: { passPhrase: { $ref: '#/components/schemas/Secret' } } },
                  },
                },
              },
              'text/plain': { schema: SECRET },
            },
          },
          responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
        },
      },
    },
    { components: { schemas: { Secret: SECRET } } },
  ),
);

async function redact(body: unknown, contentType: string, side: 'request' | 'response' = 'request'): Promise<unknown> {
  const headers = { 'content-type': contentType };
  return createRedact(await api).body(body, { operationId: 'login', side, headers });
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

describe('credentials in bodies', () => {
  test.each([
    ['of a member with the format password', { name: 'ann', pin: 'SECRET' }],
    ['of a list of passwords', { old: ['SECRET', 'SECRET'] }],
    ['of an inner object', { deep: { passPhrase: 'SECRET' } }],
    ['that the schema does not describe', { deep: [{ pin: { value: 'SECRET' } }] }],
    ['of a token endpoint', { access_token: 'SECRET', refreshToken: 'SECRET', expires_in: 60 }],
    ['of a log-in', { token: 'SECRET' }],
    ['whose name words have too', { user: [{ token: 'tok_SECRET-0123456', secret: '1|SECRET_SECRET_SECRET' }] }],
  ])('credentials in bodies are redacted in values, texts and truncated texts: those %s', async (_case, body) => {
    const text = JSON.stringify(body, undefined, 1);
    expect(JSON.stringify(await redact(body, JSON_TYPE))).not.toContain('SECRET');
    const shown = String(await redact(text, JSON_TYPE));
    expect(JSON.parse(shown)).toEqual(await redact(body, JSON_TYPE));
    for (let length = 0; length < text.length; length += 1)
      expect(await redact(text.slice(0, length), JSON_TYPE)).not.toMatch(/SE|CRET/);
  });

  test.each([
    ['grant_type=password&username=ann&password=SECRET', FORM],
    ['client_id=a&client%5Fsecret=SECRET&token=SECRET', FORM],
    ['SECRET', 'text/plain'],
    ['data: {"access_token":"SECRET"}\n\ndata: {"a":1}\n\n', 'text/event-stream'],
    ['data: {"user":{"token":"tok_SECRET-0123456"}}\n\n', 'text/event-stream'],
    ['{"token":"tok_SECRET-0123456"}\n{"a":{"secret":"tok_SECRET-0123456"}}\n', 'application/x-ndjson'],
    ['{"type":"hello","token":"tok_SECRET-0123456"}', ''],
    ['{"a":"{\\"token\\":\\"tok_SECRET-0123456\\"}"}', JSON_TYPE],
    ['<login><password>SECRET</password></login>', 'application/xml'],
    ['<a><token>\n<![CDATA[tok_SECRET-0123456]]></token></a>', 'application/xml'],
    ['<a><x:token>tok_SECRET-0123456</x:token><b secret="tok_SECRET-0123456"/></a>', 'application/xml'],
    ['<a><token>SECRET', 'application/xml'],
    ['<a token="SECRET', 'application/xml'],
    ['{"pass\\u0077ord":"SECRET"', JSON_TYPE],
    [
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nSECRET\r\n--b--',
      'multipart/form-data; boundary=b',
    ],
  ])('credentials in bodies are redacted in %j', async (text, contentType) => {
    expect(await redact(text, contentType)).not.toContain('SECRET');
  });

  test.each([
    ['{"name":"password","id":9007199254740993, "candidates":[{"token":"the"}],"max_tokens":5}', JSON_TYPE],
    ['page_token=5&username=ann', FORM],
    ['data: {"token":"the"}\n\n', 'text/event-stream'],
    ['{"token":"the"}\n{"token":" internationalization of"}\n{"token":"================"}\n', 'application/x-ndjson'],
    ['{"a":{"token":5,"secret":true,"secrets":[]},"b":{"token":{"id":12345678901234567}}}', JSON_TYPE],
    [
      '{"nextPageToken":"CAUQAAxxxxxxxxxxxx","pageToken":"CAUQAAxxxxxxxxxxxx","continuation_token":"CAUQAAxxxxxxxxxxxx","cursor":"CAUQAAxxxxxxxxxxxx"}',
      JSON_TYPE,
    ],
    ['<a><token>the</token><token/><b token="the" secret=1 /></a>', 'application/xml'],
    ['{"pin":null}', JSON_TYPE],
    ['<pinned>5</pinned><a passwordless="1"/>', 'application/xml'],
  ])('credentials in bodies: %j is not redacted', async (text, contentType) => {
    expect(await redact(text, contentType)).toBe(text);
  });

  it('redacts a text in linear time', async () => {
    const redactAll = async (size: number): Promise<void> => {
      for (const part of ['"', '"a":', '{"password":[', '{"token":"', '<a ', '<token>', '<token><![CDATA['])
        await redact(part.repeat(size), JSON_TYPE);
    };
    expect(await growthOf(redactAll, 12_000)).toBeLessThan(LINEAR);
  });

  it('credentials in bodies are not in the journal of a mock', async () => {
    await using mock = await startMock(await api);
    await mock.fetch('http://mock/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ann', pin: 'SECRET' }),
    });
    const [entry] = await mock.requests();
    expect(entry?.request.body).toEqual({ name: 'ann', pin: 'REDACTED' });
  });
});

test.each([
  '<a password="SECRET"/>',
  "<x:a x:password='SECRET'>1</x:a>",
  '<access_token><![CDATA[SECRET]]></access_token>',
  '<a><password><v>SECRET</v></password><b/></a>',
  '<password><![CDATA[</password>SECRET]]></password>',
  '<password>SEC<!-- a -->SECRET',
])('the credential in %j is redacted in a journal of a proxy', async (text) => {
  const redact = createRedact(await api);
  const shown = redact.text(text, { operationId: undefined, side: 'request', headers: { 'content-type': 'text/xml' } });
  expect(shown).not.toContain('SECRET');
  expect(shown).toContain('REDACTED');
});

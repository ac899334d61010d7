import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { type MockCall, startMock } from '../../entry/mock.js';
import { startProxy } from '../../entry/start-proxy.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { runCaptured } from '../support/run-captured.js';
import { CONTENT, JSON_TYPE, KINDS, OWN_COMPONENTS, OWN_PARAMETERS, SECRET } from '../support/secret-kinds.js';
import { harOf, type TestCall } from '../traffic/har-of.js';

const responses = { 200: { description: 'ok', content: { [JSON_TYPE]: {} } } };
const DOCUMENT = documentWith(
  {
    '/things': {
      post: { operationId: 'send', parameters: OWN_PARAMETERS, requestBody: { content: CONTENT }, responses },
    },
    '/secret/{it}': {
      post: {
        operationId: 'secret',
        parameters: [{ name: 'it', in: 'path', required: true, schema: SECRET }],
        requestBody: { content: CONTENT },
        responses,
      },
    },
  },
  { components: OWN_COMPONENTS },
);

const secretOf = (index: number): string => `HIDE${index}ME`;
/** Everything that is shown of all calls, by the place that shows it. */
const shown: Record<string, string> = {};

const folder = mkdtempSync(path.join(tmpdir(), 'specmill-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const api = await loadDocument(DOCUMENT);
  const calls: MockCall[] = [];
  const record = path.join(folder, 'traffic.har');
  const mock = await startMock(api, { port: 0, seed: 1, validate: 'off', onCall: (call) => void calls.push(call) });
  // Responds with what it gets, so that both directions have the secret.
  const echo = createServer((request, response) => {
    const back = request.headers.authorization ?? '';
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? 'text/plain', 'x-auth-token': back });
    request.pipe(response);
  });
  await new Promise<void>((done) => void echo.listen(0, '127.0.0.1', done));
  const upstream = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const proxied: object[] = [];
  const overlay = path.join(folder, 'overlay.yaml');
  const onCall = (call: object): void => void proxied.push(call);
  const proxy = await startProxy(api, { upstream, record, writeOverlay: overlay, onCall });
  const events = await fetch(`${mock.url}/__specmill/events`);
  let heard = '';
  const reading = (async (): Promise<void> => {
    for await (const text of events.body!.pipeThrough(new TextDecoderStream())) heard += text;
  })().catch(() => {});
  const all = Object.values(KINDS);
  for (const url of [mock.url, proxy.url])
    for (const [index, { target = '/things', headers = {}, type = JSON_TYPE, body: text = '{}' }] of all.entries()) {
      const fill = (value: string): string => value.replaceAll(/@(?!x\.)/g, secretOf(index));
      const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
      const init = { method: 'POST', headers: { 'content-type': type, ...filled }, body: fill(text) };
      await (await fetch(url + fill(target), init)).arrayBuffer();
    }
  await vi.waitUntil(() => proxied.length === all.length, { timeout: 10_000 });
  shown['journal of the mock'] = JSON.stringify(await mock.requests());
  shown['log of the mock'] = JSON.stringify(calls);
  shown['page of the mock'] = await (await fetch(`${mock.url}/__specmill/requests`)).text();
  shown['events of the mock'] = heard;
  shown['log of the proxy'] = JSON.stringify(proxied);
  shown['journal of the proxy'] = await (await fetch(`${proxy.url}/__specmill/requests`)).text();
  shown['report of the proxy'] = JSON.stringify(proxy.report());
  await Promise.all([mock.close(), proxy.close()]);
  shown['overlay of the proxy'] = readFileSync(overlay, 'utf8');
  await reading;
  echo.close();
  shown['recording of the proxy'] = readBack(record);
}, 60_000);

/** A recording, with its bodies in base64 as text too. */
function readBack(file: string): string {
  const text = readFileSync(file, 'utf8');
  const bytes = [...text.matchAll(/"text":\s?"([A-Za-z0-9+/]{16,}=*)"/g)].map(([, one = '']) =>
    Buffer.from(one, 'base64'),
  );
  return text + Buffer.concat(bytes).toString('latin1');
}

/** The same API without the parameters, the second operation and the documented media types. */
const CHANGED = documentWith(
  {
    '/things': {
      post: {
        operationId: 'send',
        requestBody: { content: { 'text/csv': {} } },
        responses: { 200: { description: 'ok', content: { 'text/csv': {} } } },
      },
    },
  },
  { components: OWN_COMPONENTS },
);

/** Calls as another tool recorded them, with all credentials. Each is there five times, enough for an overlay. */
function recordedElsewhere(): readonly TestCall[] {
  const calls = Object.values(KINDS).map(
    ({ target = '/things', headers = {}, type = JSON_TYPE, body = '{}' }, index) => {
      const fill = (text: string): string => text.replaceAll(/@(?!x\.)/g, secretOf(index));
      const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
      const shared = { headers: { 'User-Agent': 'app/1', ...filled, 'Content-Type': type }, body: fill(body) };
      return {
        method: 'POST',
        path: fill(target),
        ...shared,
        responseHeaders: { ...filled, 'Content-Type': type },
        response: fill(body),
      };
    },
  );
  return Array.from({ length: 5 }, () => calls).flat();
}

beforeAll(async () => {
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('traffic-elsewhere.har', harOf(recordedElsewhere()));
  write('old.json', JSON.stringify(DOCUMENT));
  write('new.json', JSON.stringify(CHANGED));
  for (const format of ['text', 'markdown', 'github', 'json']) {
    const words = ['old.json', 'new.json', '--traffic', 'traffic-elsewhere.har', '--format', format];
    const { out, err } = await runCaptured(folder, 'diff', ...words);
    shown[`diff as ${format}`] = out + err;
  }
  const recorded = ['old.json', '--journal', 'traffic-elsewhere.har', '--write-overlay', 'coverage.yaml'];
  const { out, err } = await runCaptured(folder, 'coverage', ...recorded, '--json');
  shown['coverage'] = out + err;
  shown['overlay of coverage'] = readFileSync(path.join(folder, 'coverage.yaml'), 'utf8');
}, 60_000);

test('all places show the calls', () => {
  expect(Object.keys(KINDS).length).toBeGreaterThanOrEqual(160);
  for (const [place, text] of Object.entries(shown)) {
    expect(text.length, place).toBeGreaterThan(1_000);
    if (place.startsWith('diff')) expect(text, place).toMatch(/app\/1/);
  }
});

test.each(Object.keys(KINDS).map((kind, index) => [kind, index] as const))('%s is shown nowhere', (_kind, index) => {
  expect(Object.keys(shown).filter((place) => shown[place]?.includes(secretOf(index)))).toEqual([]);
});

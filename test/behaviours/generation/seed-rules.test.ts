import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, generate, start, type GenerationMock, type Target } from './calls.js';

let mock: GenerationMock;
beforeAll(async () => {
  mock = await start({ port: 0 });
});
afterAll(() => mock.close());

/** A rule of the documentation, a request that is about it, and the place that a refusal names; `true`: it is accepted. */
type Row = readonly [rule: string, request: object, verdict: true | string];

const request = (rule: string, more: object, verdict: true | string = true): Row => [
  rule,
  { ...ask('hello'), ...more },
  verdict,
];
const config = (rule: string, settings: object, verdict: true | string = true): Row =>
  request(rule, { generationConfig: settings }, verdict === true ? true : `/generationConfig${verdict}`);
const part = (rule: string, one: object, verdict: true | string = true): Row => [
  rule,
  { contents: [{ role: 'user', parts: [one] }] },
  verdict === true ? true : `/contents/0/parts/0${verdict}`,
];
const tool = (rule: string, one: object, verdict: true | string = true): Row =>
  request(rule, { tools: [one] }, verdict === true ? true : `/tools/0${verdict}`);
const declare = (rule: string, more: object, verdict: true | string = true): Row =>
  tool(
    rule,
    { functionDeclarations: [{ name: 'f', description: 'd', ...more }] },
    verdict === true ? true : `/functionDeclarations/0${verdict}`,
  );

const setting = { category: 'HARM_CATEGORY_JAILBREAK', threshold: 'OFF' };
const video = { fileData: { mimeType: 'video/mp4', fileUri: 'https://elsewhere.example/film.mp4' } };
const json = 'application/json';
const time = '2026-01-01T00:00:00Z';

const REQUESTS: readonly Row[] = [
  ['contents are required', {}, ''],
  ['contents have one item at least', { contents: [] }, '/contents'],
  ['contents are a list', { contents: { parts: [{ text: 'a' }] } }, '/contents'],
  ['a role may be missing', { contents: [{ parts: [{ text: 'a' }] }] }, true],
  request('unknown members are ignored', { colour: 'red' }),
  request('one spelling for each member', { generationConfig: {}, generation_config: {} }, '/generation_config'),
  request('the instruction is text', { systemInstruction: { parts: [{ text: 'a' }] } }),
  request('the instruction is text only', { systemInstruction: { parts: [video] } }, '/systemInstruction/parts/0'),
  request('one setting for a category', { safetySettings: [setting] }),
  request('not two settings for one category', { safetySettings: [setting, setting] }, '/safetySettings'),
  request('only these categories', { safetySettings: [{ ...setting, category: 'X' }] }, '/safetySettings/0/category'),
  request('enum values as they are written', { serviceTier: 'PRIORITY' }, '/serviceTier'),
  request('the name of cached content has a form', { cachedContent: 'story' }, '/cachedContent'),
  request('store is a boolean', { store: 'yes' }, '/store'),
  part('inline media', { inlineData: { mimeType: 'image/png', data: 'aGk=' } }),
  part('inline media in snake_case', { inline_data: { mime_type: 'image/png', data: 'aGk=' } }),
  part('inline media is base64', { inlineData: { mimeType: 'image/png', data: '***' } }, '/inlineData/data'),
  part('a file elsewhere', video),
  part('one kind of part', { text: 'a', ...video }, ''),
  part('some kind of part', { thought: true }, ''),
  part('a result has an outcome', { codeExecutionResult: { output: 'x' } }, '/codeExecutionResult'),
  part('a tool call has a type', { toolCall: { id: 'a' } }, '/toolCall'),
  part('a tool response has a type', { toolResponse: { toolType: 'SHELL' } }, '/toolResponse/toolType'),
  part('24 frames', { ...video, videoMetadata: { fps: 24, startOffset: '3.5s' } }),
  part('not 0 frames', { ...video, videoMetadata: { fps: 0 } }, '/videoMetadata/fps'),
  part('not more than 24 frames', { ...video, videoMetadata: { fps: 24.1 } }, '/videoMetadata/fps'),
  part('a duration has its unit', { ...video, videoMetadata: { endOffset: '3.5' } }, '/videoMetadata/endOffset'),
  part('a level of resolution', { ...video, mediaResolution: { level: 'LOW' } }, '/mediaResolution/level'),
];

const CONFIG: readonly Row[] = [
  config('5 stop sequences', { stopSequences: [...'abcde'] }),
  config('not 6 stop sequences', { stopSequences: [...'abcdef'] }, '/stopSequences'),
  config('temperature 0', { temperature: 0 }),
  config('temperature 2', { temperature: 2 }),
  config('temperature above 2', { temperature: 2.1 }, '/temperature'),
  config('temperature below 0', { temperature: -0.1 }, '/temperature'),
  config('20 logprobs', { responseLogprobs: true, logprobs: 20 }),
  config('0 logprobs', { responseLogprobs: true, logprobs: 0 }),
  config('not 21 logprobs', { responseLogprobs: true, logprobs: 21 }, '/logprobs'),
  config('logprobs only where they are returned', { responseLogprobs: false, logprobs: 1 }, '/responseLogprobs'),
  config('logprobs not alone', { logprobs: 1 }, ''),
  config('a media type of three', { responseMimeType: 'text/html' }, '/responseMimeType'),
  config('a schema needs its media type', { responseSchema: { type: 'STRING' } }, ''),
  config(
    'a schema needs a compatible media type',
    { responseSchema: { type: 'STRING' }, responseMimeType: 'text/plain' },
    '/responseMimeType',
  ),
  config('a JSON Schema needs a media type', { responseJsonSchema: {} }, ''),
  config(
    'one schema of the two',
    { responseSchema: { type: 'STRING' }, responseJsonSchema: {}, responseMimeType: json },
    '',
  ),
  config(
    'the older name, with the same rules',
    { _responseJsonSchema: {}, responseJsonSchema: {}, responseMimeType: json },
    '',
  ),
  config('a schema has a type', { responseSchema: { properties: {} }, responseMimeType: json }, '/responseSchema'),
  config('no modalities are text', { responseModalities: [] }),
  config('modalities that match nothing', { responseModalities: ['TEXT', 'IMAGE'] }, '/responseModalities'),
  config('no images without a model for them', { imageConfig: {} }, '/imageConfig'),
  config('thinking on a model that thinks', { thinkingConfig: { thinkingBudget: 0 } }),
  config('integers', { candidateCount: 1.5 }, '/candidateCount'),
  config('a level of resolution for all', { mediaResolution: 'MEDIA_RESOLUTION_LOW' }),
];

const TOOLS: readonly Row[] = [
  declare('every character of a name', { name: 'aZ0_:.-' }),
  declare('a name of 128', { name: 'a'.repeat(128) }),
  declare('no name of 129', { name: 'a'.repeat(129) }, '/name'),
  declare('no space in a name', { name: 'a b' }, '/name'),
  declare('a description', { description: undefined }, ''),
  declare('a behaviour', { behavior: 'SLOW' }, '/behavior'),
  declare('parameters in one form', { parameters: { type: 'OBJECT' }, parametersJsonSchema: {} }, ''),
  declare('a response in one form', { response: { type: 'OBJECT' }, responseJsonSchema: {} }, ''),
  tool('a range of time', { vendorSearch: { timeRangeFilter: { startTime: time, endTime: time } } }),
  tool('both ends of it', { vendorSearch: { timeRangeFilter: { startTime: time } } }, '/vendorSearch/timeRangeFilter'),
  tool('types of search', { vendorSearch: { searchTypes: { webSearch: {}, imageSearch: {} } } }),
  tool('an environment', { computerUse: { environment: 'ENVIRONMENT_MOBILE', disabledSafetyPolicies: [] } }),
  tool('an environment is required', { computerUse: {} }, '/computerUse'),
  tool('stores are required', { fileSearch: {} }, '/fileSearch'),
  tool(
    'the names of stores have a form',
    { fileSearch: { fileSearchStoreNames: ['a'] } },
    '/fileSearch/fileSearchStoreNames/0',
  ),
  tool('tools without fields', { codeExecution: {}, urlContext: {} }),
  tool('maps', { vendorMaps: { enableWidget: false } }),
  tool('a server of tools', {
    mcpServers: [{ name: 'a', streamableHttpTransport: { url: 'https://a.example', timeout: '3s' } }],
  }),
  tool(
    'its durations',
    { mcpServers: [{ streamableHttpTransport: { sseReadTimeout: 3 } }] },
    '/mcpServers/0/streamableHttpTransport/sseReadTimeout',
  ),
];

describe.each([
  ['socket', (): Target => ({ url: mock.url, fetch })],
  ['process', (): Target => ({ url: mock.url, fetch: mock.fetch })],
])('every rule of the seed holds through the %s', (_transport, target) => {
  test.each([...REQUESTS, ...CONFIG, ...TOOLS])(
    'the rules of the documentation hold: %s: %j',
    async (_rule, body, verdict) => {
      const received = await generate(target(), body);
      if (verdict === true)
        expect(received).toMatchObject({ status: 200, body: { candidates: [{ finishReason: 'STOP' }] } });
      else {
        expect(received).toMatchObject({ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } });
        expect(received.body.error?.violations?.map(({ pointer }) => pointer)).toContain(verdict);
      }
    },
  );
});

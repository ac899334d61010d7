import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type DictionaryClient,
  type LookupResult,
  createDictionaryClient,
  isDictionaryError,
} from '../../../generated/dictionary/index.js';
import type { Mock } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';
import { LANGUAGES, readBuiltInWords } from '../../../mocks/dictionary/word-list.js';
import { tempFolder } from '../../support/temp-folder.js';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock('dictionary', { port: 0 });
});
afterAll(async () => mock.close());

const clientOf = (transport: 'socket' | 'process', key = 'k1'): DictionaryClient =>
  createDictionaryClient({
    baseUrl: mock.url,
    credentials: { subscriptionKey: key },
    validate: true,
    ...(transport === 'process' ? { fetch: mock.fetch } : {}),
  });

const query = (from: string, to: string): { 'api-version': '3.0'; from: string; to: string } => ({
  'api-version': '3.0',
  from,
  to,
});

async function failure(call: Promise<unknown>): Promise<{ status: number; code: number }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isDictionaryError(error, 'lookupDictionary')) throw error;
  return { status: error.status, code: error.body.error.code };
}

describe.each(['socket', 'process'] as const)('the dictionary through the %s', (transport) => {
  it('a lookup returns one result for each term, in their order', async () => {
    const body = [{ Text: 'House' }, { text: 'zzz' }, { Text: 'fly' }];
    const { data } = await clientOf(transport).lookupDictionary({ query: query('en', 'de'), body });
    expect(data.map(({ normalizedSource }) => normalizedSource)).toEqual(['house', 'zzz', 'fly']);
    expect(data[1]).toEqual({ normalizedSource: 'zzz', displaySource: 'zzz', translations: [] });
    expect(data[0]?.translations[0]).toMatchObject({
      normalizedTarget: 'haus',
      displayTarget: 'Haus',
      prefixWord: 'das',
      posTag: 'NOUN',
    });
  });

  it('knows a word of both parts of speech, with confidences that fall and stay within 1', async () => {
    const { data } = await clientOf(transport).lookupDictionary({ query: query('en', 'es'), body: [{ Text: 'fly' }] });
    const translations = data[0]?.translations ?? [];
    expect(new Set(translations.map(({ posTag }) => posTag))).toEqual(new Set(['NOUN', 'VERB']));
    const confidences = translations.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    expect(confidences.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.001);
  });

  it('repeats the trace id of the header, or else of the query', async () => {
    const [inQuery, inHeader] = ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae8'];
    const request = { query: { ...query('en', 'es'), ClientTraceId: inQuery }, body: [{ Text: 'fly' }] };
    const first = await clientOf(transport).lookupDictionary(request);
    const second = await clientOf(transport).lookupDictionary({ ...request, headers: { 'X-ClientTraceId': inHeader } });
    expect([first.headers['x-clienttraceid'], second.headers['x-clienttraceid']]).toEqual([inQuery, inHeader]);
  });

  const term = { Text: 'fly' };
  const refusals: readonly (readonly [
    rule: string,
    request: Parameters<DictionaryClient['lookupDictionary']>[0],
    status: number,
  ])[] = [
    ['at most 10 terms', { query: query('en', 'es'), body: Array.from({ length: 11 }, () => term) }, 400],
    ['at most 100 characters', { query: query('en', 'es'), body: [{ Text: 'a'.repeat(101) }] }, 400],
    ['a source in scope', { query: query('fi', 'en'), body: [term] }, 400],
    ['a target in scope', { query: query('en', 'ja'), body: [term] }, 400],
    ['English on one side', { query: query('es', 'de'), body: [term] }, 400],
    ['English on one side only', { query: query('en', 'en'), body: [term] }, 400],
  ];
  it.each(refusals)('demands %s', async (_rule, request, status) => {
    await expect(failure(clientOf(transport).lookupDictionary(request))).resolves.toMatchObject({ status });
  });

  it('accepts 10 terms and a term of 100 characters', async () => {
    const body = Array.from({ length: 10 }, () => ({ Text: 'a'.repeat(100) }));
    const { data } = await clientOf(transport).lookupDictionary({ query: query('en', 'sv'), body });
    expect(data).toHaveLength(10);
  });

  it('responds 401 without a valid credential', async () => {
    const request = { query: query('en', 'es'), body: [term] };
    const none = createDictionaryClient({ baseUrl: mock.url, fetch: transport === 'process' ? mock.fetch : undefined });
    await expect(failure(none.lookupDictionary(request))).resolves.toMatchObject({ status: 401 });
    await expect(failure(clientOf(transport, 'invalid').lookupDictionary(request))).resolves.toMatchObject({
      status: 401,
    });
  });
});

describe('the word list', () => {
  const entries = readBuiltInWords();

  it('the word list has at least 150 headwords, each with all four languages', () => {
    expect(new Set(entries.map(({ english }) => english)).size).toBeGreaterThanOrEqual(150);
    for (const { english, translations } of entries)
      for (const language of LANGUAGES) expect(translations[language].length, english).toBeGreaterThan(0);
  });

  it('the word list gives each German noun one determiner', () => {
    for (const language of LANGUAGES) {
      const known = new Map<string, string>();
      for (const { pos, translations } of entries.filter((entry) => entry.pos === 'NOUN')) {
        for (const { text, prefix } of translations[language]) {
          expect(prefix, `${text} (${pos})`).not.toBe('');
          expect(known.get(text) ?? prefix, text).toBe(prefix);
          known.set(text, prefix);
        }
      }
    }
  });

  it('the word list is symmetric: each translation translates back with the same frequency', async () => {
    const client = clientOf('process');
    const lookUp = async (from: string, to: string, terms: readonly string[]): Promise<LookupResult[]> => {
      const results: LookupResult[] = [];
      for (let at = 0; at < terms.length; at += 10) {
        const body = terms.slice(at, at + 10).map((Text) => ({ Text }));
        results.push(...(await client.lookupDictionary({ query: query(from, to), body })).data);
      }
      return results;
    };
    /** Each pair of words, in English first, with its part of speech and its figures. */
    const pairsOf = (results: readonly LookupResult[], isReverse: boolean): string[] =>
      results.flatMap(({ normalizedSource, translations }) =>
        translations.map(({ normalizedTarget, posTag, backTranslations }) => {
          const back = backTranslations.find(({ normalizedText }) => normalizedText === normalizedSource);
          const words = [normalizedSource, normalizedTarget];
          return [...(isReverse ? words.toReversed() : words), posTag, back?.frequencyCount, back?.numExamples].join(
            ' ',
          );
        }),
      );
    for (const language of LANGUAGES) {
      const found = await lookUp('en', language, [...new Set(entries.map(({ english }) => english))]);
      const targets = found.flatMap(({ translations }) => translations.map((one) => one.normalizedTarget));
      const reverse = await lookUp(language, 'en', [...new Set(targets)]);
      expect(pairsOf(reverse, true).toSorted()).toEqual(pairsOf(found, false).toSorted());
      expect(pairsOf(found, false).filter((pair) => /undefined/.test(pair))).toEqual([]);
    }
  });

  it("the word list takes a user's own words and names the line of an invalid one", async () => {
    const file = path.join(tempFolder(), 'words.txt');
    writeFileSync(file, '\uFEFF# mine\nspanner|NOUN|la llave|der Schraubenschlüssel|la clé|en skiftnyckel\n');
    await using own = await startMock('dictionary', { words: file });
    const client = createDictionaryClient({
      baseUrl: own.url,
      fetch: own.fetch,
      credentials: { subscriptionKey: 'k' },
    });
    const { data } = await client.lookupDictionary({
      query: query('en', 'sv'),
      body: [{ Text: 'spanner' }, { Text: 'house' }],
    });
    expect(data.map(({ translations }) => translations[0]?.displayTarget)).toEqual(['skiftnyckel', 'hus']);
    writeFileSync(file, '# mine\nspanner|TOOL|a|b|c|d\n');
    await expect(startMock('dictionary', { words: file })).rejects.toMatchObject({ place: { line: 2 } });
  });
});

it('the path is accepted in any letter case, as the older client library writes it', async () => {
  const send = (path: string): Promise<Response> => {
    const headers = { 'content-type': 'application/json', 'vendor-subscription-key': 'k1', authorization: 'Bearer t' };
    const target = `${mock.url}${path}?api-version=3.0&from=en&to=es`;
    return mock.fetch(target, { method: 'POST', headers, body: '[{"Text":"fly"}]' });
  };
  const paths = ['/dictionary/lookup', '/Dictionary/Lookup', '/DICTIONARY/lookup/', '/dictionary/lookups'];
  const statuses = await Promise.all(paths.map(async (path) => (await send(path)).status));
  expect(statuses).toEqual([200, 200, 200, 404]);
});

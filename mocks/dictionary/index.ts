import { type Call, type DefinedMock, type HandlerResponse, defineMock } from 'specmill/mock';

import type { DictionaryOperations, LookupResult } from '../../generated/dictionary/types.js';
import { finishResponses, requestHeaders } from './finish-responses.js';
import { Lexicon, type Lookup, type Translation, normalizeTerm } from './lexicon.js';
import { LANGUAGES, type Language, readBuiltInWords, readWords } from './word-list.js';

type LookupCall = Call<DictionaryOperations['lookupDictionary']>;

/** The dictionary: a bilingual word list, looked up from either side (document 2, part B). */
export const mock: DefinedMock = defineMock<DictionaryOperations>('dictionary', {
  prepare: (options) => {
    readLexicon(options);
    return { files: typeof options['words'] === 'string' ? [options['words']] : [] };
  },
  operations: { lookupDictionary },
  middleware: finishResponses,
});

function lookupDictionary(call: LookupCall): HandlerResponse {
  // Other mocks read a body without a media type as JSON; this API requires the header.
  if (call.request.headers['content-type'] === undefined)
    return call.refuse(415, 'The Content-Type header is missing or not valid.');
  const { from, to } = call.input.query;
  const scope = readScope(from, to);
  if (typeof scope !== 'object') return call.refuse(400, SCOPE_REFUSALS[scope], { code: scope });
  const lexicon = call.memory('lexicon', () => readLexicon(call.options));
  const results = call.input.body.map((item) => {
    // If both spellings are present, `Text` wins (x-assumption in the spec).
    const term = item.Text ?? item.text ?? '';
    return describe(term, lexicon.look(term, scope.language, scope.direction));
  });
  return call.respond(200, results, requestHeaders(call));
}

const SCOPE_REFUSALS = {
  400023: 'The pair of languages is not in dictionary scope: exactly one side must be English.',
  400035: 'The source language is not in dictionary scope.',
  400036: 'The target language is not in dictionary scope.',
} as const;

interface Scope {
  readonly language: Language;
  readonly direction: 'from-english' | 'to-english';
}

function readScope(from: string, to: string): Scope | keyof typeof SCOPE_REFUSALS {
  const [source, target] = [from.toLowerCase(), to.toLowerCase()];
  if (source !== 'en' && !isLanguage(source)) return 400035;
  if (target !== 'en' && !isLanguage(target)) return 400036;
  if (source === 'en' && isLanguage(target)) return { language: target, direction: 'from-english' };
  if (target === 'en' && isLanguage(source)) return { language: source, direction: 'to-english' };
  return 400023;
}

function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

let builtIn: Lexicon | undefined;

/** The lexicon of a mock: the built-in list, then the user's own words. */
function readLexicon(options: Readonly<Record<string, unknown>>): Lexicon {
  const { words } = options;
  if (typeof words === 'string') return new Lexicon([...readBuiltInWords(), ...readWords(words)]);
  builtIn ??= new Lexicon(readBuiltInWords());
  return builtIn;
}

/** Only common pairs have examples. */
const EXAMPLES_PER_COUNT = 1 / 400;
const MAX_EXAMPLES = 15;

function describe(term: string, found: Lookup | undefined): LookupResult {
  const translations = (found?.translations ?? []).map((translation) => describeTranslation(translation));
  return { normalizedSource: normalizeTerm(term), displaySource: found?.display ?? term, translations };
}

function describeTranslation({ word, pos, confidence, back }: Translation): LookupResult['translations'][number] {
  return {
    normalizedTarget: normalizeTerm(word.text),
    displayTarget: word.text,
    posTag: pos,
    confidence,
    prefixWord: word.prefix,
    backTranslations: back.map((one) => ({
      normalizedText: normalizeTerm(one.word.text),
      displayText: one.word.text,
      numExamples: Math.min(MAX_EXAMPLES, Math.floor(one.count * EXAMPLES_PER_COUNT)),
      frequencyCount: one.count,
    })),
  };
}

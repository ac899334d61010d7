import {
  ABSENT,
  type EndpointRow,
  type MemberRow,
  type ValueRow,
  type SeedRules,
  named,
} from '../support/seed-rules.js';

const ENDPOINTS: readonly EndpointRow[] = [['POST', '/dictionary/lookup', ['200']]];

const terms = (count: number): unknown => Array.from({ length: count }, (_, index) => ({ Text: `term ${index}` }));

const REQUEST: readonly ValueRow[] = [
  ['a body is sent', 'lookupDictionary body', ABSENT, false],
  ['an array of objects with a text', 'lookupDictionary body', [{ Text: 'harbour' }], true],
  ['text in lower case too', 'lookupDictionary body', [{ text: 'harbour' }], true],
  ['an array, not one object', 'lookupDictionary body', { Text: 'harbour' }, false],
  ['objects, not texts', 'lookupDictionary body', ['harbour'], false],
  ['each item has a text', 'lookupDictionary body', [{}], false],
  ['the text is a string', 'lookupDictionary body', [{ Text: 7 }], false],
  ['at most 10 elements', 'lookupDictionary body', terms(10), true],
  ['at most 10 elements', 'lookupDictionary body', terms(11), false],
  ['at most 100 characters', 'lookupDictionary body', [{ Text: 'x'.repeat(100) }], true],
  ['at most 100 characters', 'lookupDictionary body', [{ Text: 'x'.repeat(101) }], false],
  ['at most 100 characters', 'lookupDictionary body', [{ text: 'x'.repeat(101) }], false],
  ['spaces count', 'lookupDictionary body', [{ Text: `${'x '.repeat(50)}x` }], false],
  ['characters are counted, not bytes', 'lookupDictionary body', [{ Text: 'ö'.repeat(100) }], true],
];

const PARAMETERS: readonly ValueRow[] = [
  ['the version is required', 'lookupDictionary query api-version', ABSENT, false],
  ['the version is 3.0', 'lookupDictionary query api-version', '3.0', true],
  ['the version is 3.0', 'lookupDictionary query api-version', '2.0', false],
  ['the version is 3.0', 'lookupDictionary query api-version', '3', false],
  ['the source language is required', 'lookupDictionary query from', ABSENT, false],
  ['a language', 'lookupDictionary query from', 'en', true],
  ['a language with its script', 'lookupDictionary query to', 'zh-Hans', true],
  ['the target language is required', 'lookupDictionary query to', ABSENT, false],
  ['a language', 'lookupDictionary query to', '', false],
  ['the trace id is optional', 'lookupDictionary header X-ClientTraceId', ABSENT, true],
  ['the trace id is a GUID', 'lookupDictionary header X-ClientTraceId', '7c9e6679-7425-40de-944b-e07fc1f90ae7', true],
  ['the trace id is a GUID', 'lookupDictionary header X-ClientTraceId', 'abc', false],
  ['the trace id can be a query parameter', 'lookupDictionary query ClientTraceId', ABSENT, true],
  ['the trace id is a GUID', 'lookupDictionary query ClientTraceId', '7c9e6679-7425-40de-944b-e07fc1f90ae7', true],
  ['the trace id is a GUID', 'lookupDictionary query ClientTraceId', 'abc', false],
];

const BACK = { normalizedText: 'harbour', displayText: 'harbour', numExamples: 3, frequencyCount: 120 };
const TRANSLATION = {
  normalizedTarget: 'puerto',
  displayTarget: 'puerto',
  posTag: 'NOUN',
  confidence: 0.7,
  prefixWord: 'el',
  backTranslations: [BACK],
};

const response = (translations: readonly unknown[]): unknown => [
  { normalizedSource: 'harbour', displaySource: 'harbour', translations },
];
const translated = (change: object): unknown => response([{ ...TRANSLATION, ...change }]);
const backTranslated = (change: object): unknown => translated({ backTranslations: [{ ...BACK, ...change }] });

const RESPONSE: readonly ValueRow[] = [
  ['a result for each item', 'lookupDictionary 200', response([TRANSLATION]), true],
  ['an unknown term has no translations', 'lookupDictionary 200', response([]), true],
  [
    'translations are there, be it empty',
    'lookupDictionary 200',
    [{ normalizedSource: 'x', displaySource: 'x' }],
    false,
  ],
  ['an array', 'lookupDictionary 200', { translations: [] }, false],
  ['unknown members are tolerated', 'lookupDictionary 200', translated({ register: 'formal' }), true],
  ...['ADJ', 'ADV', 'CONJ', 'DET', 'MODAL', 'NOUN', 'PREP', 'PRON', 'VERB', 'OTHER'].map((posTag): ValueRow => [
    'part-of-speech tags',
    'lookupDictionary 200',
    translated({ posTag }),
    true,
  ]),
  ['part-of-speech tags', 'lookupDictionary 200', translated({ posTag: 'noun' }), false],
  ['part-of-speech tags', 'lookupDictionary 200', translated({ posTag: 'NUM' }), false],
  ['confidence is 0.0 to 1.0', 'lookupDictionary 200', translated({ confidence: 0 }), true],
  ['confidence is 0.0 to 1.0', 'lookupDictionary 200', translated({ confidence: 1 }), true],
  ['confidence is 0.0 to 1.0', 'lookupDictionary 200', translated({ confidence: 1.01 }), false],
  ['confidence is 0.0 to 1.0', 'lookupDictionary 200', translated({ confidence: -0.1 }), false],
  ['confidence is a number', 'lookupDictionary 200', translated({ confidence: '0.5' }), false],
  ['the prefix word may be empty', 'lookupDictionary 200', translated({ prefixWord: '' }), true],
  ['the prefix word is a text', 'lookupDictionary 200', translated({ prefixWord: null }), false],
  ['targets are texts', 'lookupDictionary 200', translated({ normalizedTarget: 1 }), false],
  ['targets are texts', 'lookupDictionary 200', translated({ displayTarget: 1 }), false],
  ['back-translations are a list', 'lookupDictionary 200', translated({ backTranslations: BACK }), false],
  [
    'back-translations always hold the source word',
    'lookupDictionary 200',
    translated({ backTranslations: [] }),
    false,
  ],
  ['the number of examples is an integer', 'lookupDictionary 200', backTranslated({ numExamples: 0 }), true],
  ['the number of examples is an integer', 'lookupDictionary 200', backTranslated({ numExamples: 1.5 }), false],
  ['the frequency is an integer', 'lookupDictionary 200', backTranslated({ frequencyCount: 12 }), true],
  ['the frequency is an integer', 'lookupDictionary 200', backTranslated({ frequencyCount: '12' }), false],
  ['texts of a back-translation', 'lookupDictionary 200', backTranslated({ normalizedText: 3 }), false],
  ['texts of a back-translation', 'lookupDictionary 200', backTranslated({ displayText: 3 }), false],
];

const MEMBERS: readonly MemberRow[] = [
  ...named('LookupResult', 'normalizedSource displaySource translations'),
  ...named('Translation', 'normalizedTarget displayTarget posTag confidence prefixWord backTranslations'),
  ...named('BackTranslation', 'normalizedText displayText numExamples frequencyCount'),
];

export const DICTIONARY_RULES: SeedRules = {
  endpoints: ENDPOINTS,
  members: MEMBERS,
  values: [...REQUEST, ...PARAMETERS, ...RESPONSE],
};

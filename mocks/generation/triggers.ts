import { type HttpError, stringifyExactJson } from 'specmill/mock';

import {
  BlockReason,
  type Content,
  FinishReason,
  type FunctionResponse,
  type HarmBlockThreshold,
  HarmCategory,
  type HarmProbability,
  type SafetyRating,
  type SafetySetting,
} from '../../generated/generation/types.js';
import { foldContents } from './fold-contents.js';
import { refuseMember } from './refusal.js';

/**
 * Commands to the mock in brackets within a text (x-assumption at generateContent in the spec):
 * `[block:HARM_CATEGORY_HARASSMENT]`, `[block:HARM_CATEGORY_HARASSMENT:LOW]` rate the prompt, and block it if the
 * rating reaches the threshold; `[block:BLOCKLIST]` blocks it; `[harm:HARM_CATEGORY_HARASSMENT:MEDIUM]` rates the
 * candidates; `[finish:RECITATION]` ends them; `[error:503]` fails; a stream fails after its first piece.
 */
export interface Triggers {
  readonly blockReason?: BlockReason;
  readonly promptHarm: ReadonlyMap<HarmCategory, HarmProbability>;
  readonly candidateHarm: ReadonlyMap<HarmCategory, HarmProbability>;
  readonly finishReason?: FinishReason;
  readonly error?: 500 | 503;
}

const TRIGGER = /\[(block|harm|finish|error):([A-Z0-9_]+)(?::(NEGLIGIBLE|LOW|MEDIUM|HIGH))?\]/g;

/** Whether a trigger can ask for a value of an enum of the spec. */
function isValueOf<Values extends object>(values: Values, text: string): text is keyof Values & string {
  return Object.hasOwn(values, text) && !text.endsWith('_UNSPECIFIED');
}

/** Refuses an unknown trigger: a typo would make a test pass for the wrong reason. */
function refuseTrigger(verb = '', value: string): HttpError {
  return refuseMember('/contents', `The trigger [${verb}:${value}]`, 'must have a value that the mock knows');
}

function findTriggers({ role, parts = [] }: Content): readonly RegExpExecArray[] {
  return role === 'model' ? [] : parts.flatMap(({ text = '' }) => [...text.matchAll(TRIGGER)]);
}

/**
 * Reads the triggers in the user's texts.
 *
 * @throws HttpError 400 for a trigger with an unknown value
 */
export const readTriggers: (contents: readonly Content[]) => Triggers = foldContents<Triggers>(
  { promptHarm: new Map(), candidateHarm: new Map() },
  (found, content) => findTriggers(content).reduce(addTrigger, found),
);

function addTrigger(found: Triggers, [, verb, value = '', level = 'HIGH']: RegExpExecArray): Triggers {
  if (isValueOf(HarmCategory, value)) {
    const name = verb === 'block' ? 'promptHarm' : 'candidateHarm';
    return { ...found, [name]: new Map([...found[name], [value, level as HarmProbability]]) };
  }
  if (verb === 'block' && isValueOf(BlockReason, value)) return { ...found, blockReason: value };
  if (verb === 'finish' && isValueOf(FinishReason, value))
    return value === 'STOP' ? found : { ...found, finishReason: value };
  if (verb === 'error' && (value === '500' || value === '503')) return { ...found, error: value === '500' ? 500 : 503 };
  throw refuseTrigger(verb, value);
}

function withoutTriggers(text: string): string {
  return text.replace(TRIGGER, '').replace(/ {2,}/g, ' ').trim();
}

const LEVELS: readonly HarmProbability[] = ['NEGLIGIBLE', 'LOW', 'MEDIUM', 'HIGH'];

/** The level from which content is blocked; `undefined`: never. */
const BLOCKED_FROM: Readonly<Record<HarmBlockThreshold, HarmProbability | undefined>> = {
  HARM_BLOCK_THRESHOLD_UNSPECIFIED: 'MEDIUM',
  BLOCK_LOW_AND_ABOVE: 'LOW',
  BLOCK_MEDIUM_AND_ABOVE: 'MEDIUM',
  BLOCK_ONLY_HIGH: 'HIGH',
  BLOCK_NONE: undefined,
  OFF: undefined,
};

/** Rates content: one rating for each category that a setting or a trigger names, and whether one of them blocks. */
export function rate(
  harm: ReadonlyMap<HarmCategory, HarmProbability>,
  settings: readonly SafetySetting[],
): { readonly ratings: SafetyRating[]; readonly isBlocked: boolean } {
  const categories = new Set([...settings.map(({ category }) => category), ...harm.keys()]);
  const ratings = [...categories].map((category): SafetyRating => {
    const probability = harm.get(category) ?? 'NEGLIGIBLE';
    const threshold =
      settings.find((setting) => setting.category === category)?.threshold ?? 'HARM_BLOCK_THRESHOLD_UNSPECIFIED';
    const from = BLOCKED_FROM[threshold];
    const isBlocked = from !== undefined && LEVELS.indexOf(probability) >= LEVELS.indexOf(from);
    return { category, probability, ...(isBlocked ? { blocked: true } : {}) };
  });
  return { ratings, isBlocked: ratings.some(({ blocked }) => blocked === true) };
}

export interface LastTurn {
  /** Its text, without triggers. */
  readonly text: string;
  /** Media types of its media. */
  readonly media: readonly string[];
  readonly functionResponses: readonly FunctionResponse[];
}

/** The last turn that is not the model's own. */
export function readLastTurn(contents: readonly Content[]): LastTurn {
  const parts = contents.findLast(({ role }) => role !== 'model')?.parts ?? [];
  return {
    text: withoutTriggers(
      parts.flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text])).join('\n'),
    ),
    media: parts.flatMap(({ inlineData, fileData }) => {
      if (inlineData !== undefined) return [inlineData.mimeType];
      return fileData === undefined ? [] : [fileData.mimeType ?? 'a file'];
    }),
    functionResponses: parts.flatMap(({ functionResponse }) => functionResponse ?? []),
  };
}

/** The text of the mock, which repeats the last turn. The first candidate is plain. */
export function writeResponseText({ text, media, functionResponses }: LastTurn, index: number): string {
  const sentences = [
    ...(functionResponses.length > 0
      ? functionResponses.map(({ name, response }) => `${name} answered ${stringifyExactJson(response)}.`)
      : []),
    ...(text === '' ? [] : [`You said: ${text}`]),
    ...(media.length > 0 ? [`You sent: ${media.join(', ')}.`] : []),
  ];
  const mockResponse = sentences.length === 0 ? 'You said nothing.' : sentences.join(' ');
  return index === 0 ? mockResponse : `${mockResponse} (candidate ${index + 1})`;
}

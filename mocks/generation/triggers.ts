import type {
  BlockReason,
  Content,
  FinishReason,
  HarmCategory,
  HarmProbability,
} from '../../generated/generation/types.js';

/**
 * What a text asks the mock to do, in brackets (x-assumption at generateContent in the spec):
 * `[block:HARM_CATEGORY_HARASSMENT]`, `[block:HARM_CATEGORY_HARASSMENT:LOW]` rate the prompt, and block it where that
 * reaches the threshold; `[block:BLOCKLIST]` blocks it; `[harm:HARM_CATEGORY_HARASSMENT:MEDIUM]` rates the candidates;
 * `[finish:RECITATION]` ends them; `[error:503]` fails, a stream in its middle.
 */
export interface Triggers {
  readonly blockReason?: BlockReason;
  readonly promptHarm: ReadonlyMap<HarmCategory, HarmProbability>;
  readonly candidateHarm: ReadonlyMap<HarmCategory, HarmProbability>;
  readonly finishReason?: FinishReason;
  readonly error?: 500 | 503;
}

const TRIGGER = /\[(block|harm|finish|error):([A-Z0-9_]+)(?::(NEGLIGIBLE|LOW|MEDIUM|HIGH))?\]/g;
const CATEGORIES: ReadonlySet<string> = new Set(
  ['HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'HARASSMENT', 'CIVIC_INTEGRITY', 'JAILBREAK'].map(
    (name) => `HARM_CATEGORY_${name}`,
  ),
);
const BLOCK_REASONS: ReadonlySet<string> = new Set([
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
]);
const FINISH_REASONS: ReadonlySet<string> = new Set([
  ...[
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'OTHER',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'MALFORMED_FUNCTION_CALL',
    'IMAGE_SAFETY',
  ],
  ...[
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_OTHER',
    'NO_IMAGE',
    'IMAGE_RECITATION',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
  ],
  ...['MISSING_THOUGHT_SIGNATURE', 'MALFORMED_RESPONSE', 'ESCALATION'],
]);

/** Reads the triggers of what the user has said. */
export function readTriggers(contents: readonly Content[]): Triggers {
  const found: { -readonly [Key in keyof Triggers]: Triggers[Key] } = {
    promptHarm: new Map(),
    candidateHarm: new Map(),
  };
  const [prompt, candidates] = [new Map<HarmCategory, HarmProbability>(), new Map<HarmCategory, HarmProbability>()];
  const texts = contents
    .filter(({ role }) => role !== 'model')
    .flatMap(({ parts = [] }) => parts.map(({ text = '' }) => text));
  for (const [, verb, value = '', level = 'HIGH'] of texts.flatMap((text) => [...text.matchAll(TRIGGER)])) {
    if (CATEGORIES.has(value))
      (verb === 'block' ? prompt : candidates).set(value as HarmCategory, level as HarmProbability);
    else if (verb === 'block' && BLOCK_REASONS.has(value)) found.blockReason = value as BlockReason;
    else if (verb === 'finish' && FINISH_REASONS.has(value)) found.finishReason = value as FinishReason;
    else if (verb === 'error' && (value === '500' || value === '503')) found.error = value === '500' ? 500 : 503;
  }
  return { ...found, promptHarm: prompt, candidateHarm: candidates };
}

/** A text without its triggers. */
export function withoutTriggers(text: string): string {
  return text.replace(TRIGGER, '').replace(/ {2,}/g, ' ').trim();
}

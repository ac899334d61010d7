import type { Content, FunctionResponse } from '../../generated/generation/types.js';
import { withoutTriggers } from './triggers.js';

/** What the last turn of a conversation holds. */
export interface LastTurn {
  /** Its text, without triggers. */
  readonly text: string;
  /** Media types of what it shows. */
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

/** The reply that the mock writes: it says what it was told. The first candidate is the plain one. */
export function writeReply({ text, media, functionResponses }: LastTurn, index: number): string {
  const sentences = [
    ...(functionResponses.length > 0
      ? functionResponses.map(({ name, response }) => `${name} answered ${JSON.stringify(response)}.`)
      : []),
    ...(text === '' ? [] : [`You said: ${text}`]),
    ...(media.length > 0 ? [`You sent: ${media.join(', ')}.`] : []),
  ];
  const reply = sentences.length === 0 ? 'You said nothing.' : sentences.join(' ');
  return index === 0 ? reply : `${reply} (candidate ${index + 1})`;
}

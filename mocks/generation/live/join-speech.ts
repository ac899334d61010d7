import type { Part } from '../../../generated/generation/types.js';

/** The pieces of an audio stream are one piece of speech. */
export function joinSpeech(parts: readonly Part[]): Part[] {
  const speech = parts.flatMap(({ inlineData }) =>
    inlineData?.mimeType.startsWith('audio/') === true ? [inlineData] : [],
  );
  const [first] = speech;
  if (first === undefined) return [...parts];
  const data = Buffer.concat(speech.map((one) => Buffer.from(one.data, 'base64'))).toString('base64');
  const others = parts.filter(({ inlineData }) => inlineData === undefined || !speech.includes(inlineData));
  return [{ inlineData: { mimeType: first.mimeType, data } }, ...others];
}

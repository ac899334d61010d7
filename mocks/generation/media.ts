import type { BlobModel } from '../../generated/generation/types.js';

/** A picture of one point, PNG. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const AUDIO_TYPE = 'audio/L16;codec=pcm;rate=24000';
/** Samples for each character: a hundredth of a second. */
const SAMPLES_PER_CHARACTER = 240;
const MAX_CHARACTERS = 500;

export function makeImage(): BlobModel {
  return { mimeType: 'image/png', data: IMAGE };
}

/** Speech: a tone whose pitch follows the characters of the text, 16 bit PCM at 24 kHz. */
export function makeSpeech(text: string, mimeType: string = AUDIO_TYPE): BlobModel {
  const characters = [...text].slice(0, MAX_CHARACTERS);
  const samples = new Int16Array(characters.length * SAMPLES_PER_CHARACTER);
  characters.forEach((character, place) => {
    const period = 20 + ((character.codePointAt(0) ?? 0) % 100);
    for (let index = 0; index < SAMPLES_PER_CHARACTER; index += 1) {
      samples[place * SAMPLES_PER_CHARACTER + index] = index % period < period / 2 ? 6_000 : -6_000;
    }
  });
  return { mimeType, data: Buffer.from(samples.buffer).toString('base64') };
}

import { encode, type PairWriter, type TextWriter } from './serialize.js';

/** A query or cookie parameter that travels as a JSON document. */
export const writeJsonPair: PairWriter = (name, value, encoder = encode) => [
  `${encode(name)}=${encoder(JSON.stringify(value))}`,
];

/** A path or header parameter that travels as a JSON document. */
export const writeJsonText: TextWriter = (_name, value, encoder = encode) => encoder(JSON.stringify(value));

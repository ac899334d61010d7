import { encode, type Encode, items, members, parts, type TextWriter, toText } from './serialize.js';

function pairs(value: unknown, encoder: Encode): string[] {
  return members(value).map(([name, member]) => `${encoder(name)}=${encoder(toText(member))}`);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Style `simple` with `explode`: `R=100,G=200`. */
export const writeSimpleExploded: TextWriter = (_name, value, encoder = encode) =>
  (isRecord(value) ? pairs(value, encoder) : parts(value, encoder)).join(',');

/** Style `label`: `.blue,black`, `.R,100,G,200`. */
export const writeLabel: TextWriter = (_name, value, encoder = encode) => `.${parts(value, encoder).join(',')}`;

/** Style `label` with `explode`: `.blue.black`, `.R=100.G=200`. */
export const writeLabelExploded: TextWriter = (_name, value, encoder = encode) =>
  `.${(isRecord(value) ? pairs(value, encoder) : parts(value, encoder)).join('.')}`;

/** Style `matrix`: `;color=blue,black`, `;color=R,100,G,200`. */
export const writeMatrix: TextWriter = (name, value, encoder = encode) =>
  matrixPair(encode(name), parts(value, encoder).join(','));

/** Style `matrix` with `explode`: `;color=blue;color=black`, `;R=100;G=200`. */
export const writeMatrixExploded: TextWriter = (name, value, encoder = encode) => {
  const named: [string, unknown][] = Array.isArray(value)
    ? items(value).map((item) => [name, item])
    : isRecord(value)
      ? members(value)
      : [[name, value]];
  return named.map(([key, member]) => matrixPair(encode(key), encoder(toText(member)))).join('');
};

/** An empty value has no `=` (RFC 6570, section 3.2.7). */
function matrixPair(name: string, text: string): string {
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

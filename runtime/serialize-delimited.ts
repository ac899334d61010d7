import { encode, type PairWriter, parts } from './serialize.js';

function writeDelimited(delimiter: string): PairWriter {
  return (name, value, encoder = encode) => {
    const texts = parts(value, encoder);
    return texts.length === 0 ? [] : [`${encode(name)}=${texts.join(delimiter)}`];
  };
}

/** Style `form` without `explode`: `color=blue,black`, `color=R,100,G,200`. */
export const writeFormJoined: PairWriter = /* @__PURE__ */ writeDelimited(',');

/** Style `spaceDelimited` without `explode`: `color=blue%20black`. */
export const writeSpaceDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%20');

/** Style `pipeDelimited` without `explode`: `color=blue%7Cblack`. */
export const writePipeDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%7C');

/** OpenAPI 2.0 `collectionFormat: tsv`: `color=blue%09black`. */
export const writeTabDelimited: PairWriter = /* @__PURE__ */ writeDelimited('%09');

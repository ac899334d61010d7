import { describe, expect, it } from 'vitest';

import { encodeReserved, encodeReservedInPath } from '../../runtime/serialize.js';
import { writeDeepObject } from '../../runtime/serialize.js';
import {
  writeFormJoined,
  writePipeDelimited,
  writeSpaceDelimited,
  writeTabDelimited,
} from '../../runtime/serialize.js';
import { writeJsonPair, writeJsonText } from '../../runtime/serialize.js';
import {
  writeLabel,
  writeLabelExploded,
  writeMatrix,
  writeMatrixExploded,
  writeSimpleExploded,
} from '../../runtime/serialize.js';
import { encode, writeCookie, writeForm, writePairs, writeSimple } from '../../runtime/serialize.js';

const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** OpenAPI 3.1.1, "Style Examples": empty, string, array, object. `undefined`: the specification says n/a. */
const TEXT_STYLES = [
  ['matrix', writeMatrix, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  [
    'matrix, exploded',
    writeMatrixExploded,
    ';color',
    ';color=blue',
    ';color=blue;color=black;color=brown',
    ';R=100;G=200;B=150',
  ],
  ['label', writeLabel, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label, exploded', writeLabelExploded, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', writeSimple, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple, exploded', writeSimpleExploded, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
] as const;

const PAIR_STYLES = [
  ['form', writeFormJoined, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form, exploded', writeForm, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  [
    'spaceDelimited',
    writeSpaceDelimited,
    undefined,
    undefined,
    'color=blue%20black%20brown',
    'color=R%20100%20G%20200%20B%20150',
  ],
  [
    'pipeDelimited',
    writePipeDelimited,
    undefined,
    undefined,
    'color=blue%7Cblack%7Cbrown',
    'color=R%7C100%7CG%7C200%7CB%7C150',
  ],
  ['tabDelimited (OpenAPI 2.0 tsv)', writeTabDelimited, undefined, undefined, 'color=blue%09black%09brown', undefined],
  [
    'deepObject',
    writeDeepObject,
    undefined,
    undefined,
    undefined,
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
  ],
] as const;

describe('styles of OpenAPI', () => {
  it.each(TEXT_STYLES)('styles of OpenAPI: %s', (_style, write, ...wanted) => {
    expect(['', 'blue', LIST, OBJECT].map((value) => write('color', value))).toEqual(wanted);
  });

  it.each(PAIR_STYLES)('styles of OpenAPI: %s', (_style, write, ...wanted) => {
    const given = ['', 'blue', LIST, OBJECT].map((value) => write('color', value).join('&'));
    expect(given.filter((_, index) => wanted[index] !== undefined)).toEqual(
      wanted.filter((text) => text !== undefined),
    );
  });
});

describe('values', () => {
  it.each([
    ['unreserved characters stay', 'aZ09-._~', 'aZ09-._~'],
    [
      'all others are encoded, also those that encodeURIComponent leaves',
      "!*'();:@&=+$,/?#[] %",
      '%21%2A%27%28%29%3B%3A%40%26%3D%2B%24%2C%2F%3F%23%5B%5D%20%25',
    ],
    ['UTF-8', 'å€😀', '%C3%A5%E2%82%AC%F0%9F%98%80'],
  ])('values: %s', (_rule, value, wanted) => {
    expect(encode(value)).toBe(wanted);
  });

  it.each([
    ['delimiters inside items are encoded, so they never split one', writeSimple('x', ['a,b', 'c']), 'a%2Cb,c'],
    ['numbers and booleans', writeSimple('x', [1, 1e21, false]), '1,1e%2B21,false'],
    ['big integers', writeSimple('x', 2n ** 64n), '18446744073709551616'],
    ['undefined and null members are left out', writeSimple('x', { a: 1, b: undefined, c: null }), 'a,1'],
    ['undefined and null items are left out', writeForm('x', ['a', undefined, null, 'b']).join('&'), 'x=a&x=b'],
    ['an empty list has no pairs', writeForm('x', []).join('&'), ''],
    ['an empty list is not joined either', writeFormJoined('x', []).join('&'), ''],
    ['names are encoded', writeForm('filter[a]&b', 'x').join('&'), 'filter%5Ba%5D%26b=x'],
    ['objects inside lists are JSON', writeFormJoined('x', [{ a: 1 }]).join('&'), 'x=%7B%22a%22%3A1%7D'],
    [
      'deep objects and lists',
      writeDeepObject('f', { a: { b: 1 }, c: ['x', 'y'] })
        .map(decodeURIComponent)
        .join('&'),
      'f[a][b]=1&f[c][0]=x&f[c][1]=y',
    ],
    [
      'a list as deepObject',
      writeDeepObject('expand', ['a', 'b']).map(decodeURIComponent).join('&'),
      'expand[0]=a&expand[1]=b',
    ],
    ['JSON in a query', writeJsonPair('q', { a: [1, null] }).join('&'), 'q=%7B%22a%22%3A%5B1%2Cnull%5D%7D'],
    ['JSON in a header', writeJsonText('q', { a: 1 }, String), '{"a":1}'],
  ])('values: %s', (_rule, given, wanted) => {
    expect(given).toBe(wanted);
  });

  it.each([
    ['reserved characters pass', ":/?@!$'()*,;=", ":/?@!$'()*,;="],
    ['those that would change the query do not', '#[]&+', '%23%5B%5D%26%2B'],
    ['percent-encoded triples pass, other percent signs do not', '%2F 100%', '%2F%20100%25'],
    ['a triple that is encoded twice stays so', '%252F', '%252F'],
  ])('allowReserved: %s', (_rule, value, wanted) => {
    expect(encodeReserved(value)).toBe(wanted);
  });

  it('allowReserved in a path still encodes a question mark', () => {
    expect(encodeReservedInPath('a/b?c#d')).toBe('a/b%3Fc%23d');
  });
});

describe('writePairs', () => {
  it('writes members by their own writers, the rest as exploded forms', () => {
    expect(writePairs({ a: [1, 2], b: [1, 2], none: undefined, nil: null }, { b: writeFormJoined })).toEqual([
      'a=1',
      'a=2',
      'b=1,2',
    ]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'a member named %s does not use an inherited function as its writer',
    (name) => {
      expect(writePairs(JSON.parse(`{"${name}":"x"}`), { b: writeFormJoined })).toEqual([`${name}=x`]);
    },
  );
});

describe('writeCookie', () => {
  it('writes each member of an object as a cookie', () => {
    expect(writeCookie('c', { a: 1, b: 'two words' })).toEqual(['a=1', 'b=two words']);
  });

  it.each([';', '=', ' ', '\t', '\r\n', '\0', '\u0085'])(
    'refuses a cookie with %j in its name or its value',
    (text) => {
      expect(() => writeCookie('c', { [`a${text}b`]: 1 })).toThrow('The name of a cookie contains');
      if (text !== '=' && text !== ' ')
        expect(() => writeCookie('c', { a: `x${text}y` })).toThrow('The cookie a contains a semicolon or a control');
    },
  );
});

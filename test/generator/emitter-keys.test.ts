import { expect, it } from 'vitest';

import { fixturesKey, validatorsKey } from '../../generator/emitter-keys.js';
import { changingSpec } from '../support/changing-spec.js';
import { loadDocument } from '../support/load-document.js';

async function keysOf(text: string): Promise<readonly [validators: string, fixtures: string]> {
  const api = await loadDocument(JSON.parse(text) as object);
  return [validatorsKey(api), fixturesKey(api)];
}

it.each<[string, string, string, validators: 'same' | 'other', fixtures: 'same' | 'other']>([
  ['nothing, in another folder', '', '', 'same', 'same'],
  ['what is said of a schema', 'A pet.', 'Some pet.', 'same', 'same'],
  ['what is said of a member', 'How much.', 'How much it is.', 'same', 'same'],
  ['what is said of an operation', 'One pet.', 'A single pet.', 'same', 'same'],
  ['what is said of an answer', 'The pet.', 'A pet it is.', 'same', 'same'],
  ['where the API is', 'example.com', 'example.org', 'same', 'same'],
  ['an example', '"name":"Rex","kind"', '"name":"Max","kind"', 'same', 'other'],
  ['what is said of a member in the type of an example', 'Its name.', 'The name.', 'same', 'other'],
  ['a bound', '"minLength":1', '"minLength":2', 'other', 'other'],
  ['a default', '"default":"Ann"', '"default":"Bob"', 'other', 'other'],
  ['a name', '"operationId":"getPet"', '"operationId":"readPet"', 'other', 'other'],
])('keys of emitters after a change of %s', async (_what, from, to, validators, fixtures) => {
  const text = JSON.stringify(changingSpec());
  const [before, after] = [await keysOf(text), await keysOf(text.replaceAll(from, to))];
  expect(text).toContain(from);
  expect(after.map((key, index) => (key === before[index] ? 'same' : 'other'))).toEqual([validators, fixtures]);
});

import { valueAtPath } from '../../model/document/pointer.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { KeyCondition } from '../stores/store.js';
import { textOrEmpty } from './json-path.js';

/** The condition that a member has a value, written as a text. */
export function hasText(path: readonly string[], text: string): KeyCondition {
  const keysOf = (item: unknown): readonly string[] => [textOrEmpty(valueAtPath(item, path))];
  return { name: `text ${stringifyExactJson(path)}`, keysOf, test: 'equals', values: [text] };
}

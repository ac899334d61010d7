export { diffApis } from './diff-apis.js';
export { changeKinds, isChangeKind } from './judge.js';
export type { ChangeKind } from './kinds.js';
export { diffToMarkdown } from '../reports/diff/markdown.js';
export { diffToText } from '../reports/diff/text.js';
export { type ChangeSelection, selectChanges } from './select-changes.js';
export type { ApiDiff, Change, Level, Position, TouchedOperation } from './types.js';

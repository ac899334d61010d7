export { type ApiComparison, type DiffOptions, compareApis, diffApis } from './diff-apis.js';
export type { ChangePlaces } from './raw-change.js';
export type { DiffPolicy, DiffWaiver } from './policy.js';
export { changeKinds, isChangeKind } from './severity.js';
export type { ChangeKind } from './change-catalog.js';
export { diffToGithub, diffToHtml, diffToJunit, diffToMarkdown, diffToText } from '../reports/diff/render-diff.js';
export { type ChangeSelection, selectChanges } from './select-changes.js';
export type { ApiDiff, Change, Level, Position, TouchedOperation } from './api-diff.js';

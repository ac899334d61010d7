/** What generated checks call. One module, so that they need one import; each part of it is dropped where it is not used. */
export { isEqual, isListedInAnyCase } from './equal.js';
export { findDuplicate } from './find-duplicate.js';
export { escapePointer, hasOwn, isBytes, isObject } from './json-types.js';
export { isMultipleOf } from './multiple-of.js';
export { ucs2Length } from './ucs2-length.js';
export { type ResponseRule, type ResponseView, findResponseErrors, validateResponse } from './check-response.js';
export { assertValid, fail, findErrors, passes, require, validate } from './validation.js';
export type { Check, ValidationError, ValidationResult } from './validation.js';

/** What generated checks call. One module, so that they need one import; each part of it is dropped where it is not used. */
export { allow, allowAnyCase, maxLength, minLength, require } from './check-keywords.js';
export { isEqual } from './equal.js';
export { findDuplicate } from './find-duplicate.js';
export { escapePointer, hasOwn, isBytes, isObject } from './json-types.js';
export { isMultipleOf } from './multiple-of.js';
export { type ResponseRule, type ResponseView, findResponseErrors, validateResponse } from './check-response.js';
export { assertValid, fail, failType, findErrors, passes, validate } from './validation.js';
export type { Check, Out, ValidationError, ValidationResult } from './validation.js';

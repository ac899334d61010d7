/** What generated checks call. One module, so that they need one import; each part of it is dropped where it is not used. */
export { isListed, isLonger, isShorter } from './check-keywords.js';
export { isEqual, isListedInAnyCase } from './equal.js';
export { countValid } from './evaluated.js';
export { findDuplicate } from './find-duplicate.js';
export { isBytes, isObject, toPointerSegment } from './json-types.js';
export { isMultipleOf } from './multiple-of.js';
export { descend, descendOnce } from './recursion.js';
export { failUnion } from './union.js';
export { createResponseValidator, findResponseErrors } from './check-response.js';
export type { DataValidator, ResponseRule, ResponseValidator, ResponseView } from './check-response.js';
export { createRequestValidator, createValidator } from './validator.js';
export type { RequestValidator, Validator } from './validator.js';
export { assertValid, fail, failRequired, failType, findErrors } from './validation.js';
export type { Check, Evaluated, Out, ValidationError, ValidationResult } from './validation.js';

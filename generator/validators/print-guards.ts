import type { Api, ApiResponse, MediaType, Operation } from '../../model/api.js';
import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { isItemStream } from '../media-kind.js';
import type { TypeValidators } from './name-validators.js';
import { dataSchema, headersSchema } from './operation-schemas.js';

/** Prints the functions for the values of one type. `tagTest`: what its guard tests besides the check. */
export function printTypeValidators(
  { type, is, assert, validate }: TypeValidators,
  check: string,
  tagTest: string | undefined,
): string {
  const subject = toStringLiteral(type);
  const test = tagTest === undefined ? '' : ` && ${tagTest}`;
  const assertTag = tagTest === undefined ? '' : `  rt.assertTag(${is}(value), ${subject});\n`;
  return `/** Whether a value is a \`${type}\`. */
export function ${is}(value: unknown): value is ${type} {
  return !${check}(value)${test};
}

/** Throws a \`ValidationFailure\` for a value that is not a \`${type}\`. */
export function ${assert}(value: unknown): asserts value is ${type} {
  rt.assertValid(${check}, value, ${subject});
${assertTag}}

/** Checks that a value is a \`${type}\`. */
export const ${validate}: rt.Validator<${type}> = /* @__PURE__ */ rt.createValidator(${check});
`;
}

export interface OperationNames {
  readonly requestType: string;
  readonly request: string;
  readonly response: string;
  /** The constant with the rules of its responses. */
  readonly rules: string;
}

/** The validators of an operation. `checkOf` gives the name of the function that checks a schema of a response. */
export function printOperationValidators(
  operation: Operation,
  names: OperationNames,
  { request, checkOf, api }: { request: string; checkOf: (schema: Schema) => string; api: Api },
): string {
  const rules = operation.responses.map((response) => printRule(response, checkOf, api));
  return `const ${names.rules}: readonly rt.ResponseRule[] = [\n${rules.join('')}];

/** Checks a \`${names.requestType}\`. */
export const ${names.request}: rt.RequestValidator<${names.requestType}> = /* @__PURE__ */ rt.createRequestValidator(${request});

/** Checks that a response is documented, with its data and headers. */
export const ${names.response}: rt.ResponseValidator = /* @__PURE__ */ rt.createResponseValidator(${names.rules});
`;
}

/** Returns the mark that a check is for one item. */
function markOf(media: MediaType): string[] {
  return isItemStream(media) && media.sequence.schema !== true ? ["'items'"] : [];
}

function printRule(response: ApiResponse, checkOf: (schema: Schema) => string, api: Api): string {
  const uses = (schema: Schema | undefined): string[] =>
    schema === undefined || schema === true ? [] : [checkOf(schema)];
  const media = response.content.map(
    (one) =>
      `[${[toStringLiteral(one.mediaType), ...uses(dataSchema(one, response.content, api)), ...markOf(one)].join(', ')}]`,
  );
  const parts = [toStringLiteral(response.status), `[${media.join(', ')}]`, ...uses(headersSchema(response, api))];
  return `  [${parts.join(', ')}],\n`;
}

/** The module that the client loads when it first validates a response. */
export function printResponseValidators(
  operations: readonly { readonly name: string; readonly rules: string }[],
): string {
  const members = operations.map(
    ({ name, rules }) =>
      `  ${toPropertyKey(name)}: (status, contentType, data) =>\n    rt.findResponseErrors(${rules}, { status, contentType, data }),\n`,
  );
  return `/** Finds the errors of the data of a response of each operation. */
export const responseValidators: Readonly<Record<string, rt.DataValidator>> = {
${members.join('')}};
`;
}

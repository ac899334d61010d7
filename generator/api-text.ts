import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../model/api.js';
import { printSchemaText } from './schema-text.js';
import { allOperations } from './type-names.js';

const known = new WeakMap<Api, string>();

/**
 * An API as a text without examples, places and what is said to people: where the text is the same, so is all that
 * checks and values are made of. What the model gains is in it, unless it is left out here by name.
 */
export function printApiText(api: Api): string {
  let text = known.get(api);
  if (text === undefined) {
    const schemas = [...api.schemas.values()].map(({ name, inputName, schema }) => {
      return `${JSON.stringify([name, inputName])}${printSchemaText(schema)}`;
    });
    text = [api.rootSchema ?? '', ...schemas, ...allOperations(api).map(printOperation), ...listOwn(api)].join('\n');
    known.set(api, text);
  }
  return text;
}

/** Which operations are the API's own: callbacks and webhooks are called by others. */
function listOwn({ operations }: Api): string[] {
  return operations.map(({ name }) => name);
}

function printOperation(operation: Operation): string {
  const { parameters, body, responses } = operation;
  const parts = [...parameters.map(printParameter), ...responses.map(printResponse)];
  if (body !== undefined)
    parts.push(printRest(body, 'content', 'description', 'source'), ...body.content.map(printMedia));
  return [printRest(operation, ...OPERATION_PARTS), ...parts].join();
}

const OPERATION_PARTS = [
  ...(['parameters', 'body', 'responses', 'callbacks'] as const),
  ...(['summary', 'description', 'servers', 'source'] as const),
] as const;

const texts = new WeakMap<object, string>();

/** What many operations refer to is one object, and printed once. */
function once<T extends object>(print: (part: T) => string): (part: T) => string {
  return (part) => {
    let text = texts.get(part);
    if (text === undefined) {
      text = print(part);
      texts.set(part, text);
    }
    return text;
  };
}

const printParameter = once((parameter: Parameter) => {
  return printRest(parameter, 'schema', 'examples', 'description', 'source') + printSchemaText(parameter.schema);
});

function printResponse(response: ApiResponse): string {
  return [
    printRest(response, 'headers', 'content', 'links', 'description', 'source'),
    ...response.headers.map(printHeader),
    ...response.content.map(printMedia),
  ].join();
}

function printHeader(header: Header): string {
  return printRest(header, 'schema', 'examples', 'description', 'source') + printSchemaText(header.schema);
}

const printMedia = once((media: MediaType) => {
  const encoding = [...media.encoding].map(
    ([name, one]) => `${JSON.stringify(name)}${printRest(one, 'headers')}${one.headers.map(printHeader).join()}`,
  );
  const schema = media.schema === undefined ? '' : printSchemaText(media.schema);
  return `${printRest(media, 'schema', 'encoding', 'examples', 'source')}${schema}${encoding.join()}`;
});

/** All of a part of the model but these members. */
export function printRest<T extends object>(part: T, ...left: readonly (keyof T)[]): string {
  const rest: Partial<T> = {};
  for (const member in part) if (!left.includes(member)) rest[member] = part[member];
  return JSON.stringify(rest);
}

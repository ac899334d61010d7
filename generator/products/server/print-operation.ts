import type { CodecCode, EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import { type OperationScope, type UsedModules, useCodec } from './operation-scope.js';
import { printFailure } from './print-failure.js';
import { mayBeWide, printEncoding, printParameters } from './print-parameters.js';

type Response = EmitterOperation['responses'][number];
type Media = Response['content'][number];

/** Of an operation that is not implemented. */
const NO_CODECS: CodecCode = { responses: {}, items: {}, isExact: false };

/** Prints the imports of a file with operations. */
export function printImports(
  operations: readonly EmitterOperation[],
  { kit, checksResponses, isImplemented }: OperationScope,
  up: string,
  modules: UsedModules,
): string {
  const validators = operations.filter(isImplemented).flatMap((operation) => {
    const { validateRequest, validateResponse } = kit.names.operation(operation);
    return [validateRequest.name, ...(checksResponses ? [validateResponse.name] : [])].filter((name) => name !== '');
  });
  const isSplit = up !== './';
  return [
    `import ${isSplit ? 'type ' : ''}* as rt from '${up}${kit.runtime('server').slice(2)}';\n`,
    modules.print(kit, up),
    validators.length === 0 ? '' : `import { ${validators.join(', ')} } from '${up}validators.js';\n`,
  ].join('');
}

/** Prints an operation as data. */
export function printOperation(operation: EmitterOperation, scope: OperationScope): string {
  const { api, kit, checksResponses, isImplemented } = scope;
  const { print } = kit;
  const { name, method, path, security } = operation;
  const { validateRequest, validateResponse } = kit.names.operation(operation);
  const rules = api.pathRules(operation);
  const isServed = isImplemented(operation);
  const codecs = isServed ? print.codecs(operation, useCodec(scope)) : NO_CODECS;
  const members: (readonly [string, string | undefined])[] = [
    ['name', print.literal(name)],
    ['method', print.literal(/^[a-z]+$/.test(method) ? method.toUpperCase() : method)],
    ['path', print.literal(path)],
    ['pathRules', rules.length === 0 ? undefined : print.literal(rules)],
    ['parameters', isServed ? printParameters(operation.parameters, scope) : undefined],
    ['body', isServed ? printBody(operation, scope) : undefined],
    ['security', isServed && security.length > 0 ? print.literal(security) : undefined],
    ['responses', printResponses(operation, codecs, scope)],
    ['check', isServed && validateRequest.name !== '' ? validateRequest.name : undefined],
    ['checkResponse', isServed && checksResponses && validateResponse.name !== '' ? validateResponse.name : undefined],
    ['converter', isServed ? printConverter(operation, codecs, scope) : undefined],
    ['write', isServed && !isPlainJson(operation, codecs, scope) ? `${scope.use('contents')}.chooseWriter` : undefined],
  ];
  return `  {\n${members.flatMap(([key, code]) => (code === undefined ? [] : [`    ${key}: ${code},\n`])).join('')}  },\n`;
}

/** Prints what converts the values of an operation; `undefined` if they are those of JSON. */
function printConverter(
  operation: EmitterOperation,
  { request, responses }: CodecCode,
  scope: OperationScope,
): string | undefined {
  if (request !== undefined) return `${scope.use('values')}.codecConverter(${request})`;
  const isRounded = operation.parameters.some((one) => mayBeWide(one, scope)) || Object.keys(responses).length > 0;
  return isRounded ? `${scope.use('values')}.roundingConverter` : undefined;
}

/** Whether each response of an operation is a value in one media type of JSON, written by `JSON.stringify`. */
function isPlainJson({ responses }: EmitterOperation, codecs: CodecCode, { api }: OperationScope): boolean {
  return responses.every(
    (response) =>
      response.content.length <= 1 &&
      response.content.every(
        (media) =>
          api.bodyShape(media, response.content).kind === 'json' &&
          media.schema !== undefined &&
          // A value of any type may be a stream.
          api.textShape(media.schema) !== undefined,
      ) &&
      !(codecs.isExact && codecs.responses[response.status] !== undefined),
  );
}

function printBody({ body }: EmitterOperation, scope: OperationScope): string | undefined {
  if (body === undefined) return undefined;
  const isJson = ({ mediaType }: Media): boolean => /[/+]json\b/i.test(mediaType);
  const ordered = [...body.content.filter(isJson), ...body.content.filter((media) => !isJson(media))];
  const content = ordered.map(
    (media) => `[${scope.kit.print.literal(media.mediaType)}, ${printReader(media, body.content, scope)}]`,
  );
  return `{ ${body.required ? 'required: true, ' : ''}content: [${content.join(', ')}] }`;
}

function printReader(media: Media, content: readonly Media[], scope: OperationScope): string {
  const { api, kit, use } = scope;
  const { kind, plan } = api.bodyShape(media, content);
  const bodies = use('bodies');
  const shape = media.schema === undefined ? undefined : api.textShape(media.schema);
  switch (kind) {
    case 'json':
      return `${bodies}.jsonBody(${isExact(kit) ? `${use('integers')}.parseExactJson` : ''})`;
    case 'form':
    case 'multipart': {
      if (kind === 'multipart' && !/^multipart\/form-data/i.test(media.mediaType)) return `${bodies}.streamBody`;
      const encoding = media.encoding.size === 0 ? [] : [printEncoding(media.encoding, kit)];
      const args = [shape === undefined ? 'undefined' : kit.print.literal(shape), ...encoding];
      return `${bodies}.${kind}Body(${args.join(', ')})`;
    }
    case 'text':
      return `${bodies}.textBody`;
    case 'any':
      return `${bodies}.anyBody`;
    case 'xml':
      return `${bodies}.structuredBody((text) => ${use('xml')}.readXmlText(text, ${kit.print.literal(plan)}))`;
    case 'items':
      return `${bodies}.itemsBody(${printPlan(plan, scope)})`;
    case 'parts':
      return `${bodies}.partsBody(${printPlan(plan, scope)})`;
    default:
      return `${bodies}.streamBody`;
  }
}

function isExact({ types }: EmitterKit): boolean {
  return types.int64 !== 'number';
}

/** Prints the plan of a stream; functions of parts are left out. */
function printPlan(plan: object | undefined, { kit, use }: OperationScope): string {
  const literal = kit.print.literal(JSON.parse(JSON.stringify(plan ?? {})));
  if (!isExact(kit)) return literal;
  const integers = use('integers');
  return `{ ...${literal}, parse: ${integers}.parseExactJson, stringify: ${integers}.stringifyExactJson }`;
}

function printResponses(operation: EmitterOperation, codecs: CodecCode, scope: OperationScope): string {
  const printed = operation.responses.map(
    (response) => `      ${scope.kit.print.key(response.status)}: ${printResponse(response, codecs, scope)},\n`,
  );
  return `{\n${printed.join('')}    }`;
}

function printResponse(response: Response, codecs: CodecCode, scope: OperationScope): string {
  const { kit, api } = scope;
  const content = response.content.map((media) => {
    const writer = printWriter(media, response, codecs, scope);
    return `[${kit.print.literal(media.mediaType)}${writer === undefined ? '' : `, ${writer}`}]`;
  });
  const codec = codecs.responses[response.status];
  const fail = printFailure(response, api, kit);
  const members = [
    ...(content.length === 0 ? [] : [`content: [${content.join(', ')}]`]),
    ...(fail === undefined ? [] : [`fail: ${fail}`]),
    ...(codec === undefined ? [] : [`codec: ${codec}`]),
  ];
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function printWriter(
  media: Media,
  { status, content }: Response,
  codecs: CodecCode,
  scope: OperationScope,
): string | undefined {
  const { api, kit, use } = scope;
  const { kind, plan } = api.bodyShape(media, content);
  if (kind === 'xml')
    return `${use('writers')}.structuredWriter((value) => ${use('xml')}.writeXmlText(value, ${kit.print.literal(plan)}))`;
  if (kind === 'stream') return `${use('writers')}.eventsWriter`;
  if (kind !== 'items' && kind !== 'parts') return undefined;
  const codec = kind === 'items' ? codecs.items[status] : undefined;
  return `${use('writers')}.itemsWriter(${printPlan(plan, scope)}${codec === undefined ? '' : `, ${codec}`})`;
}

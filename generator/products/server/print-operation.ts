import type { BodyShape, EmitterApi, EmitterKit, EmitterOperation, OutputName } from '../../emitter-kit/contract.js';
import { printFailure } from './print-failure.js';

/** What the data of operations is printed with. */
export interface OperationScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit;
  readonly checksResponses: boolean;
  readonly isImplemented: (operation: EmitterOperation) => boolean;
}

type Response = EmitterOperation['responses'][number];
type Media = Response['content'][number];

/** Modules of the runtime that data refers to, by local name. */
const MODULES = {
  bodies: 'server-bodies',
  writers: 'server-writers',
  codecs: 'codecs',
  integers: 'json-integers',
  xml: 'xml',
} as const;

/** Prints the imports of a file with operations. */
export function printImports(
  operations: readonly EmitterOperation[],
  { kit, checksResponses, isImplemented }: OperationScope,
  up: string,
  text: string,
): string {
  const runtime = (module: string): string => `${up}${kit.runtime(module).slice(2)}`;
  const modules = Object.entries(MODULES).flatMap(([local, module]) =>
    text.includes(`${local}.`) ? [`import * as ${local} from '${runtime(module)}';\n`] : [],
  );
  const validators = operations.filter(isImplemented).flatMap((operation) => {
    const { validateRequest, validateResponse } = kit.names.operation(operation);
    return [validateRequest.name, ...(checksResponses ? [validateResponse.name] : [])].filter((name) => name !== '');
  });
  const isSplit = up !== './';
  return [
    `import ${isSplit ? 'type ' : ''}* as rt from '${runtime('server')}';\n`,
    ...modules,
    text.includes('Codecs.') ? `import * as Codecs from '${up}codecs.js';\n` : '',
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
  const codec = print.codecs(operation, useCodec).request;
  const members: (readonly [string, string | undefined])[] = [
    ['name', print.literal(name)],
    ['method', print.literal(/^[a-z]+$/.test(method) ? method.toUpperCase() : method)],
    ['path', print.literal(path)],
    ['pathRules', rules.length === 0 ? undefined : print.literal(rules)],
    ['parameters', isServed ? printParameters(operation, scope) : undefined],
    ['body', isServed ? printBody(operation, scope) : undefined],
    ['security', isServed && security.length > 0 ? print.literal(security) : undefined],
    ['responses', printResponses(operation, scope)],
    ['check', isServed && validateRequest.name !== '' ? validateRequest.name : undefined],
    ['checkResponse', isServed && checksResponses && validateResponse.name !== '' ? validateResponse.name : undefined],
    ['codec', isServed ? codec : undefined],
  ];
  return `  {\n${members.flatMap(([key, code]) => (code === undefined ? [] : [`    ${key}: ${code},\n`])).join('')}  },\n`;
}

/** The local name of a codec. */
function useCodec({ name, module }: OutputName): string {
  return module === './codecs.js' ? `Codecs.${name}` : `codecs.${name}`;
}

function printParameters({ parameters }: EmitterOperation, { api, kit }: OperationScope): string | undefined {
  if (parameters.length === 0) return undefined;
  const printed = parameters.map((parameter) => {
    const { name, in: place, style, explode, allowEmptyValue, mediaType, encoding } = parameter;
    const usual = place === 'path' || place === 'header' ? 'simple' : 'form';
    const shape = api.textShape(parameter.schema);
    const members: (readonly [string, string | undefined])[] = [
      ['name', kit.print.literal(name)],
      ['in', kit.print.literal(place)],
      ['style', style === usual ? undefined : kit.print.literal(style)],
      ['explode', explode === (style === 'form' || style === 'cookie') ? undefined : String(explode)],
      ['allowEmptyValue', allowEmptyValue ? 'true' : undefined],
      ['mediaType', mediaType === undefined ? undefined : kit.print.literal(mediaType)],
      ['encoding', encoding === undefined || encoding.size === 0 ? undefined : printEncoding(encoding, kit)],
      ['shape', shape === undefined ? undefined : kit.print.literal(shape)],
    ];
    return `{ ${members.flatMap(([key, code]) => (code === undefined ? [] : [`${key}: ${code}`])).join(', ')} }`;
  });
  return `[\n${printed.map((one) => `      ${one},\n`).join('')}    ]`;
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

function printReader(media: Media, content: readonly Media[], { api, kit }: OperationScope): string {
  const { kind, plan } = api.bodyShape(media, content);
  const shape = media.schema === undefined ? undefined : api.textShape(media.schema);
  switch (kind) {
    case 'json':
      return isExact(kit) ? 'bodies.jsonBody(integers.parseExactJson)' : 'bodies.jsonBody()';
    case 'form':
    case 'multipart': {
      if (kind === 'multipart' && !/^multipart\/form-data/i.test(media.mediaType)) return 'bodies.streamBody';
      const encoding = media.encoding.size === 0 ? [] : [printEncoding(media.encoding, kit)];
      const args = [shape === undefined ? 'undefined' : kit.print.literal(shape), ...encoding];
      return `bodies.${kind}Body(${args.join(', ')})`;
    }
    case 'text':
      return 'bodies.textBody';
    case 'any':
      return 'bodies.anyBody';
    case 'xml':
      return `bodies.structuredBody((text) => xml.readXmlText(text, ${kit.print.literal(plan)}))`;
    case 'items':
      return `bodies.itemsBody(${printPlan(plan, kit)})`;
    case 'parts':
      return `bodies.partsBody(${printPlan(plan, kit)})`;
    default:
      return 'bodies.streamBody';
  }
}

function isExact({ types }: EmitterKit): boolean {
  return types.int64 !== 'number';
}

/** Prints the plan of a stream; functions of parts are left out. */
function printPlan(plan: object | undefined, kit: EmitterKit): string {
  const literal = kit.print.literal(JSON.parse(JSON.stringify(plan ?? {})));
  return isExact(kit)
    ? `{ ...${literal}, parse: integers.parseExactJson, stringify: integers.stringifyExactJson }`
    : literal;
}

function printEncoding(encoding: Media['encoding'], kit: EmitterKit): string {
  const entries = [...encoding].map(([name, { contentType, style, explode, nested }]) => {
    const members = [
      ...(contentType === undefined ? [] : [`contentType: ${kit.print.literal(contentType)}`]),
      `style: ${kit.print.literal(style)}`,
      `explode: ${explode}`,
      ...(nested === undefined ? [] : [`nested: { encoding: ${printEncoding(nested.encoding, kit)} }`]),
    ];
    return `[${kit.print.literal(name)}, { ${members.join(', ')} }]`;
  });
  return `new Map([${entries.join(', ')}])`;
}

function printResponses(operation: EmitterOperation, scope: OperationScope): string {
  const printed = operation.responses.map((response) => printResponse(response, scope));
  return `[\n${printed.map((one) => `      ${one},\n`).join('')}    ]`;
}

function printResponse(response: Response, scope: OperationScope): string {
  const { kit, api } = scope;
  const content = response.content.map((media) => {
    const writer = printWriter(media, response.content, scope);
    return `[${kit.print.literal(media.mediaType)}${writer === undefined ? '' : `, ${writer}`}]`;
  });
  const data = response.content.find((media) => DATA.has(api.bodyShape(media, response.content).kind));
  const codec = data?.schema === undefined ? undefined : kit.print.codec(data.schema, useCodec);
  const fail = printFailure(response, api, kit);
  const members = [
    `status: ${kit.print.literal(response.status)}`,
    ...(content.length === 0 ? [] : [`content: [${content.join(', ')}]`]),
    ...(fail === undefined ? [] : [`fail: ${fail}`]),
    ...(codec === undefined ? [] : [`codec: ${codec}`]),
  ];
  return `{ ${members.join(', ')} }`;
}

const DATA: ReadonlySet<BodyShape['kind']> = new Set(['json', 'form', 'any', 'xml', 'parts']);

function printWriter(media: Media, content: readonly Media[], { api, kit }: OperationScope): string | undefined {
  const { kind, plan, items } = api.bodyShape(media, content);
  if (kind === 'xml') return `writers.structuredWriter((value) => xml.writeXmlText(value, ${kit.print.literal(plan)}))`;
  if (kind === 'stream') return 'writers.eventsWriter';
  if (kind !== 'items' && kind !== 'parts') return undefined;
  const codec = items === undefined ? undefined : kit.print.codec(items, useCodec);
  return `writers.itemsWriter(${printPlan(plan, kit)}${codec === undefined ? '' : `, ${codec}`})`;
}

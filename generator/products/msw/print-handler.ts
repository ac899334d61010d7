import type { EmitterOperation, OutputName } from '../../emitter-kit/contract.js';
import {
  type HandlerScope,
  PURE,
  defaultResponse,
  essenceOf,
  isJson,
  preferredContent,
  printData,
  sampleHeaders,
} from './response-data.js';
import { printBodyReaders, printParameters } from './print-readers.js';

/** Prints the constant of an operation's handler. @param factory - the function that makes it. */
export function printHandler(operation: EmitterOperation, scope: HandlerScope, factory: string): string {
  const { kit } = scope;
  const names = kit.names.operation(operation);
  const { status } = defaultResponse(operation);
  const at = factory === 'handler' ? '' : 'base.';
  const types = `<${kit.print.literal(operation.name)}, ${status}>`;
  const plan = printPlan(operation, scope);
  const { summary, description } = operation;
  const comment = kit.print.comment(`The handler of \`${operation.name}\`.`, summary ?? description).trimEnd();
  const constant = names.constant('Handler');
  return `${comment}\nexport const ${constant}: ${at}${kit.names.api}Handler${types} = /* @__PURE__ */ ${factory}({\n${plan}});\n`;
}

/** The members of a plan in `runtime/msw.ts`; those with the default value are left out. */
function printPlan(operation: EmitterOperation, scope: HandlerScope): string {
  const { kit, uses } = scope;
  const { literal } = kit.print;
  const success = defaultResponse(operation);
  const method = wireMethod(operation.method);
  const unlessEmpty = (record: object): string | undefined =>
    Object.keys(record).length === 0 ? undefined : literal(record);
  const codecs = kit.print.codecs(operation, (name) => uses.use(name));
  const converts = codecs.request !== undefined || Object.keys(codecs.responses).length > 0;
  const integers = (name: string): string => uses.use({ name, module: kit.runtime('json-integers') });
  if (converts) kit.runtime('codecs');
  const content = operation.body?.content ?? [];
  const members: Readonly<Record<string, string | undefined>> = {
    op: literal(operation.name),
    method: method === 'GET' ? undefined : literal(method),
    path: literal(operation.path.replace(/[?#].*$/s, '')),
    status: success.status === 200 ? undefined : String(success.status),
    types: unlessEmpty(responseTypes(operation)),
    writers: printWriters(operation, scope),
    headers: unlessEmpty(sampleHeaders(success, scope)),
    data: printData(success, scope),
    ids: unlessEmpty(kit.helpers.itemMembers(operation)),
    parameters: printParameters(operation, scope),
    content: content.length > 1 ? literal(content.map(({ mediaType }) => mediaType)) : undefined,
    body: printBodyReaders(operation, scope),
    codec: codecs.request,
    codecs: printCode(codecs.responses, scope),
    parse: converts && codecs.isExact ? integers('parseExactJson') : undefined,
    stringify: converts && codecs.isExact ? integers('stringifyExactJson') : undefined,
    check: printCheck(operation, scope),
  };
  return Object.entries(members)
    .flatMap(([name, code]) => (code === undefined ? [] : [`  ${name}: ${code},\n`]))
    .join('');
}

/** Prints an object whose members are code. */
function printCode(record: Readonly<Record<string, string>>, { kit }: HandlerScope): string | undefined {
  const entries = Object.entries(record).map(([key, code]) => `${kit.print.key(key)}: ${code}`);
  return entries.length === 0 ? undefined : `{ ${entries.join(', ')} }`;
}

const STANDARD: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
]);

/** A method as it is sent: standard methods in capitals, others as written. */
function wireMethod(method: string): string {
  return STANDARD.has(method.toLowerCase()) ? method.toUpperCase() : method;
}

/** The media types of responses that are not `application/json`, by status. */
function responseTypes({ responses }: EmitterOperation): Readonly<Record<string, string>> {
  return Object.fromEntries(
    responses.flatMap((response) => {
      const mediaType = preferredContent(response)?.mediaType;
      if (mediaType === undefined || mediaType === 'application/json') return [];
      // The actual type of a range is that of made-up data.
      const type = mediaType.includes('*') ? rangeType(mediaType) : mediaType;
      return type === 'application/json' ? [] : [[response.status, type] as const];
    }),
  );
}

function rangeType(range: string): string {
  const essence = essenceOf(range);
  if (essence === '*/*' || essence === 'application/*') return 'application/json';
  return essence.startsWith('text/') ? 'text/plain' : essence.replace('*', 'octet-stream');
}

/** Prints the writers of streams, forms and XML. */
function printWriters({ responses }: EmitterOperation, { api, kit, uses }: HandlerScope): string | undefined {
  const { key, literal } = kit.print;
  const of = (name: string, module: string): string => uses.use({ name, module: kit.runtime(module) });
  const writers = new Map<string, string>();
  for (const { content } of responses)
    for (const media of content) {
      if (isJson(media.mediaType)) continue;
      const xml = kit.samples.xml(media, content);
      const items = kit.samples.items(media);
      if (items !== undefined)
        writers.set(media.mediaType, `${PURE}${of('writeItems', 'items')}(${literal(items.plan)})`);
      else if (xml !== undefined) writers.set(media.mediaType, `${PURE}${of('writeXml', 'xml')}(${literal(xml)})`);
      else if (api.bodyShape(media, content).kind === 'form')
        writers.set(media.mediaType, of('writeFormBody', 'serialize'));
      else if (api.bodyShape(media, content).kind === 'multipart')
        writers.set(media.mediaType, of('writeMultipart', 'serialize'));
    }
  if (writers.size === 0) return undefined;
  return `{ ${[...writers].map(([type, code]) => `${key(type)}: ${code}`).join(', ')} }`;
}

/** Prints the check of requests. */
function printCheck(operation: EmitterOperation, { kit, uses }: HandlerScope): string | undefined {
  if (!kit.options.validate) return undefined;
  const validator: OutputName = kit.names.operation(operation).validateRequest;
  const refuse = uses.use({ name: 'refuseInvalid', module: kit.runtime('msw-validation') });
  const status = operation.responses.some((one) => one.status === '422') ? 422 : 400;
  const content = (operation.body?.content ?? []).map(({ mediaType }) => mediaType);
  const refusal = { ...(status === 400 ? {} : { status }), ...(content.length === 0 ? {} : { content }) };
  const more = Object.keys(refusal).length === 0 ? '' : `, ${kit.print.literal(refusal)}`;
  return `${PURE}${refuse}(${uses.use(validator)}${more})`;
}

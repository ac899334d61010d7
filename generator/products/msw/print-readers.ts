import type { EmitterOperation } from '../../emitter-kit/contract.js';
import { type HandlerScope, PURE, essenceOf, isJson } from './response-data.js';

type Parameter = EmitterOperation['parameters'][number];
type MediaType = NonNullable<EmitterOperation['body']>['content'][number];

/** Prints the reader of parameters; `undefined` if there are only texts in the path. */
export function printParameters(operation: EmitterOperation, scope: HandlerScope): string | undefined {
  const { kit, uses } = scope;
  const kinds = operation.parameters.map((parameter) => plainKind(parameter, scope));
  if (kinds.every((kind) => kind !== undefined)) return printFields(operation.parameters, kinds, scope);
  const parameters = operation.parameters.flatMap((parameter) => describeParameter(parameter, scope));
  const read = uses.use({ name: 'readParameters', module: kit.runtime('msw-parameters') });
  return `${PURE}${read}([${parameters.join(', ')}])`;
}

const GROUPS = { path: 'path', query: 'query', header: 'headers' } as const;
type Kind = 'text' | 'number' | 'boolean';

/** The kind of a parameter that is a plain value, or a list of them that repeats its name; `undefined` for others. */
function plainKind(parameter: Parameter, { api, kit }: HandlerScope): Kind | readonly [Kind] | undefined {
  const { in: place, style, explode, allowEmptyValue, mediaType } = parameter;
  if (!Object.hasOwn(GROUPS, place) || mediaType !== undefined || allowEmptyValue) return undefined;
  if (style !== (place === 'query' ? 'form' : 'simple')) return undefined;
  const shape = api.textShape(parameter.schema);
  const kindOf = (one: typeof shape): Kind | undefined => {
    const types = one?.types.join() ?? 'string';
    if (types === 'string') return 'text';
    if (types === 'boolean') return 'boolean';
    const isExact = one?.wide === true && kit.types.int64 !== 'number';
    return (types === 'integer' || types === 'number') && !isExact ? 'number' : undefined;
  };
  if (shape?.types.join() !== 'array') return kindOf(shape);
  const item = kindOf(shape.items);
  return place === 'query' && explode && item !== undefined ? [item] : undefined;
}

function printFields(
  parameters: readonly Parameter[],
  kinds: readonly (Kind | readonly [Kind] | undefined)[],
  { kit, uses }: HandlerScope,
): string | undefined {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [index, { name, in: place }] of parameters.entries()) {
    const kind = kinds[index];
    if (place !== 'path' || kind !== 'text') (groups[GROUPS[place as keyof typeof GROUPS]] ??= {})[name] = kind;
  }
  if (Object.keys(groups).length === 0) return undefined;
  const read = uses.use({ name: 'readFields', module: kit.runtime('msw-fields') });
  return `${PURE}${read}(${kit.print.literal(groups)})`;
}

/** A parameter as data of `readParameters`. */
function describeParameter(parameter: Parameter, scope: HandlerScope): string[] {
  const { api, kit } = scope;
  const { name, in: place, style, explode, allowEmptyValue, mediaType } = parameter;
  if (place === 'querystring') return [describeQuerystring(parameter, scope)];
  const shape = api.textShape(parameter.schema);
  const isText = shape === undefined || (shape.types.join() === 'string' && shape.anyText === true);
  const isSimple = place === 'path' || place === 'header';
  const usual = isSimple ? 'simple' : 'form';
  if (place === 'path' && (shape === undefined || shape.types.join() === 'string') && style === usual && !mediaType)
    return [];
  const usualExplode = style === 'form' || style === 'cookie';
  return [
    kit.print.literal({
      ...{ name, in: place },
      ...(style === usual ? {} : { style }),
      ...(explode === usualExplode ? {} : { explode }),
      ...(allowEmptyValue ? { allowEmptyValue } : {}),
      ...(mediaType !== undefined && isJson(mediaType) ? { isJson: true } : {}),
      ...(isText ? {} : { shape }),
    }),
  ];
}

/** The whole query as one value. */
function describeQuerystring({ name, schema, mediaType, encoding }: Parameter, scope: HandlerScope): string {
  const { api, kit, uses } = scope;
  const read = uses.use({ name: 'readQuerystring', module: kit.runtime('msw-bodies') });
  const shape = kit.print.literal(api.textShape(schema) ?? { types: [] });
  const encodings = kit.print.literal(Object.fromEntries(encoding ?? []));
  return `{ name: ${kit.print.literal(name)}, in: 'query', readQuery: ${PURE}${read}(${kit.print.literal(mediaType ?? '')}, ${shape}, ${encodings}) }`;
}

/** Prints the readers of bodies by media type; `undefined` if all are JSON, text or files. */
export function printBodyReaders({ body }: EmitterOperation, scope: HandlerScope): string | undefined {
  const content = body?.content ?? [];
  const readers = content.flatMap((media) => {
    const code = printBodyReader(media, content, scope);
    return code === undefined ? [] : [`${scope.kit.print.key(essenceOf(media.mediaType))}: ${PURE}${code}`];
  });
  if (readers.length === 0) return undefined;
  const read = scope.uses.use({ name: 'readBodies', module: scope.kit.runtime('msw-bodies') });
  return `${PURE}${read}({ ${readers.join(', ')} })`;
}

function printBodyReader(media: MediaType, content: readonly MediaType[], scope: HandlerScope): string | undefined {
  const { api, kit, uses } = scope;
  const of = (name: string): string => uses.use({ name, module: kit.runtime('msw-bodies') });
  const { kind } = api.bodyShape(media, content);
  const xml = kit.samples.xml(media, content);
  const items = kind === 'items' ? kit.samples.items(media) : undefined;
  if (items !== undefined) return `${of('readItemBody')}(${kit.print.literal(items.plan)})`;
  if (xml !== undefined) return `${of('readXmlBody')}(${kit.print.literal(xml)})`;
  if (kind !== 'form' && kind !== 'multipart') return undefined;
  const shape = kit.print.literal((media.schema && api.textShape(media.schema)) ?? { types: ['object'] });
  const encodings = Object.fromEntries([...media.encoding].map(([name, one]) => [name, describeEncoding(one)]));
  const more = media.encoding.size === 0 ? '' : `, ${kit.print.literal(encodings)}`;
  return `${of(kind === 'form' ? 'readForm' : 'readMultipart')}(${shape}${more})`;
}

function describeEncoding({
  contentType,
  style,
  explode,
}: NonNullable<ReturnType<MediaType['encoding']['get']>>): object {
  return { ...(contentType === undefined ? {} : { contentType }), style, explode };
}

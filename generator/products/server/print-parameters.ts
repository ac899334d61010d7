import type { EmitterOperation, EmitterKit } from '../../emitter-kit/contract.js';
import type { OperationScope } from './operation-scope.js';

type Parameter = EmitterOperation['parameters'][number];
type TextShape = NonNullable<ReturnType<OperationScope['api']['textShape']>>;
type Encoding = NonNullable<EmitterOperation['body']>['content'][number]['encoding'];

/** Prints how the parameters of an operation are read; `undefined` if it has none. */
export function printParameters(parameters: readonly Parameter[], scope: OperationScope): string | undefined {
  if (parameters.length === 0) return undefined;
  return `[\n${parameters.map((one) => `      ${printParameter(one, scope)},\n`).join('')}    ]`;
}

function printParameter(parameter: Parameter, { api, kit, use }: OperationScope): string {
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
    ['decoder', `${use('parameters')}.${decoderOf(parameter, shape)}`],
  ];
  return `{ ${members.flatMap(([key, code]) => (code === undefined ? [] : [`${key}: ${code}`])).join(', ')} }`;
}

/** The smallest function of `server-parameters.ts` that reads a parameter. */
function decoderOf({ in: place, style, mediaType }: Parameter, shape: TextShape | undefined): string {
  if (place === 'cookie') return 'cookieParameter';
  if (mediaType !== undefined || place === 'querystring') return 'anyParameter';
  if (place !== 'query') {
    if (style !== 'simple' || !isScalar(shape)) return 'anyParameter';
    return shape?.types.some((type) => type === 'number' || type === 'integer') === true ? 'numberText' : 'plainText';
  }
  if (shape?.wide === true || shape?.items?.wide === true) return 'anyParameter';
  if (style === 'deepObject') return 'anyParameter';
  if (isScalar(shape)) return 'plainField';
  return isListOfScalars(shape) ? 'listField' : 'anyParameter';
}

/** Whether a value is never a list or an object. */
function isScalar(shape: TextShape | undefined): boolean {
  return shape?.types.every((type) => type !== 'array' && type !== 'object') ?? true;
}

function isListOfScalars(shape: TextShape | undefined): boolean {
  return shape?.types.every((type) => type === 'array' || type === 'null') === true && isScalar(shape.items);
}

/** Whether a parameter may be an integer beyond the precision of numbers. */
export function mayBeWide({ in: place, schema, mediaType }: Parameter, { api }: OperationScope): boolean {
  const shape = api.textShape(schema);
  if (shape === undefined) return mediaType !== undefined;
  if (shape.types.every((type) => type === 'string' || type === 'boolean')) return false;
  return place !== 'query' || shape.wide === true || !isScalar(shape);
}

/** Prints the encodings of a form. */
export function printEncoding(encoding: Encoding, kit: EmitterKit): string {
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

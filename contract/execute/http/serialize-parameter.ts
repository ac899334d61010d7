import type { Encoding, Parameter } from '../../../model/api.js';
import { toJsonText } from './bigint-json.js';

type Style = Pick<Parameter, 'name' | 'style' | 'explode'> & { readonly allowReserved?: boolean };
type Escape = (text: string) => string;

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

/** A scalar as it is written in a parameter. */
export function scalarText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return toJsonText(value);
  return typeof value === 'string' ? value : `${value as number | bigint | boolean}`;
}

/** A path parameter, with the sign that its style puts before it. */
export function writePathParameter({ name, style, explode }: Style, value: unknown): string {
  const escape: Escape = (text) => encodeURIComponent(text).replace(/[!'()*]/g, percent);
  if (style === 'label') return `.${joinValue(value, explode ? '.' : ',', { explode, escape })}`;
  if (style !== 'matrix') return joinValue(value, ',', { explode, escape });
  if (!explode || typeof value !== 'object' || value === null)
    return `;${escape(name)}=${joinValue(value, ',', { explode: false, escape })}`;
  const pairs = Array.isArray(value) ? value.map((item): [string, unknown] => [name, item]) : Object.entries(value);
  return pairs.map(([key, item]) => `;${escape(key)}=${escape(scalarText(item))}`).join('');
}

/** A header or, in the simple style, anything whose text is not escaped. */
export function writeHeader({ explode }: Pick<Style, 'explode'>, value: unknown): string {
  return joinValue(value, ',', { explode, escape: (text) => text });
}

/** The fields of a query, a form or a cookie: escaped names and values. */
export function writeFields(style: Style, value: unknown): (readonly [string, string])[] {
  const escape: Escape = (text) => encodeURIComponent(text).replace(/[!'()*]/g, percent);
  const { name } = style;
  if (typeof value !== 'object' || value === null) return [[escape(name), escape(scalarText(value))]];
  if (Array.isArray(value)) {
    if (style.explode && style.style !== 'deepObject')
      return value.map((item) => [escape(name), escape(scalarText(item))]);
    if (value.length === 0) return [];
    return [[escape(name), value.map((item) => escape(scalarText(item))).join(SEPARATORS[style.style] ?? ',')]];
  }
  if (style.style === 'deepObject') return deepFields(name, value).map(([key, item]) => [escape(key), escape(item)]);
  if (style.explode) return Object.entries(value).flatMap(([key, item]) => writeFields({ ...style, name: key }, item));
  return [
    [
      escape(name),
      Object.entries(value)
        .flatMap(([key, item]) => [escape(key), escape(scalarText(item))])
        .join(','),
    ],
  ];
}

/** How a member of a form travels where the spec does not say it. */
export function formStyle(name: string, encoding: Encoding | undefined): Style {
  return { name, style: encoding?.style ?? 'form', explode: encoding?.explode ?? true };
}

function deepFields(name: string, value: object): [string, string][] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, string][] => {
    if (Array.isArray(item)) return item.map((one) => [`${name}[${key}]`, scalarText(one)]);
    return typeof item === 'object' && item !== null
      ? deepFields(`${name}[${key}]`, item)
      : [[`${name}[${key}]`, scalarText(item)]];
  });
}

function joinValue(
  value: unknown,
  separator: string,
  { explode, escape }: { readonly explode: boolean; readonly escape: Escape },
): string {
  if (Array.isArray(value)) return value.map((item) => escape(scalarText(item))).join(separator);
  if (typeof value !== 'object' || value === null) return escape(scalarText(value));
  const glue = explode ? '=' : separator;
  return Object.entries(value)
    .map(([key, item]) => `${escape(key)}${glue}${escape(scalarText(item))}`)
    .join(separator);
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

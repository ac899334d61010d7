import { DecodeError } from './decode-error.js';
import { createFieldDecoder } from './field-decoder.js';
import { type Fields, decodeFormText, decodePercent, keepText, parseCookies, parseFields } from './fields.js';
import { decodeJson } from './decode-json.js';
import type { MockViolation, RequestSource, ReadValues } from './msw.js';
import { setMember } from './json-integers.js';
import { decodeText, type ValueStyle } from './text-decoder.js';
import { readShape, type TextShape } from './text-shape.js';

/** A parameter of an operation; absent members have the defaults of OpenAPI. */
export interface MockParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style?: ValueStyle;
  readonly explode?: boolean;
  readonly allowEmptyValue?: boolean;
  /** Whether the value is sent as JSON. */
  readonly isJson?: boolean;
  /** Absent: text. */
  readonly shape?: TextShape;
  /** Reads the value from the whole query. */
  readonly readQuery?: (query: string) => unknown;
}

const GROUPS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
const TEXT: TextShape = { types: ['string'], anyText: true };

interface Sources extends RequestSource {
  readonly fields: Fields;
  readonly cookies: Fields;
}

/** Makes the reader of the parameters of an operation. */
export function readParameters(parameters: readonly MockParameter[]): (source: RequestSource) => ReadValues {
  const readers = parameters.map((one) => ({ ...one, read: createReader(one, parameters) }));
  return (source) => {
    const values: Record<string, Record<string, unknown>> = {};
    const violations: MockViolation[] = [];
    const cookie = source.request.headers.get('cookie');
    const sources = { ...source, fields: parseFields(source.query), cookies: parseCookies(cookie ?? '') };
    for (const { name, in: place, read } of readers) {
      const group = (values[GROUPS[place]] ??= {});
      try {
        const value = read(sources);
        if (value !== undefined) setMember(group, name, value);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        violations.push({
          in: place,
          pointer: `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`,
          message: error.message,
        });
      }
    }
    return { values, violations };
  };
}

function createReader(parameter: MockParameter, all: readonly MockParameter[]): (sources: Sources) => unknown {
  const { name, in: place, isJson, allowEmptyValue = false, readQuery } = parameter;
  if (readQuery !== undefined) return ({ query }) => (query === '' ? undefined : readQuery(query));
  const isText = place === 'path' || place === 'header';
  const style = parameter.style ?? (isText ? 'simple' : 'form');
  const explode = parameter.explode ?? (style === 'form' || style === 'cookie');
  const shape = readShape(parameter.shape ?? TEXT);
  if (isText) {
    const rule = { name, style, explode, shape, decode: place === 'path' ? decodePercent : keepText };
    return ({ path, request }) => {
      const raw = place === 'path' ? path.get(name) : (request.headers.get(name) ?? undefined);
      if (raw === undefined) return undefined;
      return isJson === true ? decodeJson(rule.decode(raw)) : decodeText(rule, raw);
    };
  }
  const fieldsOf = ({ fields, cookies }: Sources): Fields => (place === 'query' ? fields : cookies);
  if (isJson === true)
    return (sources) => {
      const raw = fieldsOf(sources).get(name)?.at(-1);
      return raw === undefined ? undefined : decodeJson(decodeFormText(raw));
    };
  const taken = new Set(all.filter((one) => one.in === place).map((one) => one.name));
  const decode = createFieldDecoder({
    ...{ name, style, explode, shape, taken, allowEmptyValue },
    decode: style === 'cookie' ? keepText : decodeFormText,
  });
  return (sources) => decode(fieldsOf(sources));
}

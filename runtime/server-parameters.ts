import { type CoerceOptions, coerceScalar } from './coerce-text.js';
import { decodeFormText, decodePercent, parseCookies } from './fields.js';
import { type DecodeParameter, type ParameterRule, createParameterDecoder } from './parameter-decoder.js';
import { toExactNumber } from './json-integers.js';
import { type ScalarRule, readPlain, readScalar } from './plain-field.js';
import type { MakeDecoder, ServerParameter } from './server-types.js';
import { type TextShape, readShape } from './text-shape.js';

/** Reads a boolean or text of a path or a header. */
export const plainText: MakeDecoder = (parameter) => makeText(parameter, { anyCase: false });

/** {@link plainText} that may be a number. */
export const numberText: MakeDecoder = (parameter) => makeText(parameter, { anyCase: false, exact: toExactNumber });

function makeText({ in: place, name, shape }: ServerParameter, options: CoerceOptions): DecodeParameter {
  const hints = scalarHints(shape);
  const isPath = place === 'path';
  return ({ path, header }) => {
    const raw = isPath ? path.get(name) : header(name.toLowerCase());
    return raw === undefined ? undefined : coerceScalar(isPath ? decodePercent(raw) : raw, hints, options);
  };
}

/** Reads a boolean, a text or a number of the usual precision from a query. */
export const plainField: MakeDecoder = ({ name, shape, allowEmptyValue = false }) => {
  const rule = { shape: scalarHints(shape), decode: decodeFormText, allowEmptyValue };
  return ({ fields }) => {
    const raws = fields.get(name);
    return raws && readScalar(rule, raws);
  };
};

/** Reads a list of values of {@link plainField}. */
export const listField: MakeDecoder = (parameter) => {
  const shared = { taken: new Set<string>(), decode: decodeFormText };
  const rule = { ...withDefaults(parameter), shape: readShape(parameter.shape), ...shared };
  return ({ fields }) => {
    const raws = fields.get(parameter.name);
    return raws && readPlain(rule, raws);
  };
};

/** The hints of a value that is neither a list nor an object. Absent: any text. */
function scalarHints({ types, anyText }: TextShape = { types: [], anyText: true }): ScalarRule['shape'] {
  return { types: new Set(types), anyText: anyText === true, wide: false };
}

/** Reads a parameter of any place but cookies, in any style. */
export const anyParameter: MakeDecoder = (parameter, all) => {
  const taken = new Set(all.filter((one) => one.in === parameter.in).map((one) => one.name));
  return createParameterDecoder(withDefaults(parameter), readShape(parameter.shape), taken);
};

/** Reads a cookie. */
export const cookieParameter: MakeDecoder = (parameter, all) => {
  const decode = anyParameter(parameter, all);
  return (sources) => decode({ ...sources, fields: parseCookies(sources.header('cookie') ?? '') });
};

function withDefaults(parameter: ServerParameter): ParameterRule {
  const isText = parameter.in === 'path' || parameter.in === 'header';
  const { style = isText ? 'simple' : 'form' } = parameter;
  return { allowEmptyValue: false, explode: style === 'form' || style === 'cookie', ...parameter, style };
}

import { setMember } from '../../model/document/records.js';
import type { ParameterStyle } from '../../model/api.js';
import { coerceText } from './coerce-text.js';
import { readDeepFields } from './deep-fields.js';
import type { DecodeText, Fields } from './fields.js';
import type { DecodeHints } from './decode-hints.js';

/** How one named value travels among fields. */
export interface FieldRule {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly shape: DecodeHints;
  readonly allowEmptyValue: boolean;
  /** Names that belong to others: an exploded object with free members does not take them. */
  readonly taken: ReadonlySet<string>;
  readonly decode: DecodeText;
}

/** Reads one value out of the fields; `undefined` where it is not there. @throws DecodeError */
export type DecodeField = (fields: Fields) => unknown;

const ANY_CASE = { anyCase: true } as const;

/** The separator of the items in a joined value. A `+` and `%20` are the same in a query. */
const DELIMITERS: Readonly<Partial<Record<ParameterStyle, RegExp>>> = {
  form: /,/,
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7C|\|/i,
  tabDelimited: /%09|\t/,
};
const ENCODED_COMMA = /,|%2C/i;

export function createFieldDecoder(rule: FieldRule): DecodeField {
  if (rule.style === 'deepObject')
    return (fields) => readDeepFields(rule.name, fields, rule.shape) ?? readPlain(rule, fields);
  if (isOnly(rule.shape, 'object') && rule.explode && rule.style === 'form')
    return (fields) => readExplodedObject(rule, fields);
  return (fields) => readPlain(rule, fields);
}

/** Whether a value is sure to be of one type, `null` aside. */
function isOnly({ types }: DecodeHints, type: 'array' | 'object'): boolean {
  return types.has(type) && [...types].every((one) => one === type || one === 'null');
}

function readPlain(rule: FieldRule, fields: Fields): unknown {
  const { name, shape, decode } = rule;
  const raws = fields.get(name);
  if (raws === undefined) return undefined;
  const raw = raws.at(-1) ?? '';
  if (raw === '' && raws.length === 1 && rule.allowEmptyValue && !shape.types.has('string'))
    return shape.types.has('boolean') ? true : undefined;
  if (shape.types.has('array') && (raws.length > 1 || isOnly(shape, 'array') || !rule.explode))
    return readList(rule, raws);
  if (raws.length > 1) return raws.map((one) => coerceText(decode(one), shape, ANY_CASE));
  if (isOnly(shape, 'object')) return readJoinedObject(rule, raw);
  return coerceText(decode(raw), shape, ANY_CASE);
}

function readList(rule: FieldRule, raws: readonly string[]): unknown {
  const { shape, decode } = rule;
  const [only = ''] = raws;
  // Several styles are written out as if exploded by common clients, whatever the document says.
  const split = raws.length === 1 && !(rule.explode && rule.style === 'form');
  if (raws.length === 1 && only === '') return rule.explode && shape.item().types.has('string') ? [''] : [];
  const delimiter =
    rule.style === 'form' && shape.item().plain ? ENCODED_COMMA : (DELIMITERS[rule.style] ?? ENCODED_COMMA);
  const pieces = split ? only.split(delimiter) : raws;
  return pieces.map((piece, index) => coerceText(decode(piece), shape.item(index), ANY_CASE));
}

/** `color=R,100,G,200`, or a JSON text, which is how many clients write it. */
function readJoinedObject({ shape, decode, style }: FieldRule, raw: string): unknown {
  const text = decode(raw);
  if (text.startsWith('{')) return coerceText(text, shape, ANY_CASE);
  const pieces = raw.split(DELIMITERS[style] ?? /,/).map(decode);
  if (pieces.length % 2 === 1) return text;
  const out: Record<string, unknown> = {};
  for (let index = 0; index < pieces.length; index += 2) {
    const name = pieces[index] ?? '';
    setMember(out, name, coerceText(pieces[index + 1] ?? '', shape.member(name), ANY_CASE));
  }
  return out;
}

/** `R=100&G=200`: the members stand among the other fields. */
function readExplodedObject(rule: FieldRule, fields: Fields): unknown {
  const { shape, taken, name: own, decode } = rule;
  let out: Record<string, unknown> | undefined;
  for (const [name, raws] of fields) {
    if (!shape.names.has(name) && (!shape.free || taken.has(name))) continue;
    const member = shape.member(name);
    const value = readPlain(
      { name, style: 'form', explode: true, shape: member, allowEmptyValue: false, taken, decode },
      new Map([[name, raws]]),
    );
    out ??= {};
    setMember(out, name, value);
  }
  return out ?? readPlain({ ...rule, name: own, explode: false }, fields);
}

import type { Header, Parameter } from '../../model/api.js';
import type { SchemaType } from '../../model/schema-types.js';
import type { OperationPair } from '../diff-context.js';
import { SpecLocation, bothLocations, whereAdded, whereRemoved } from '../location.js';
import { matchByKey } from '../match-by-key.js';
import { describeDeprecation, quoteShort, showTypes } from '../phrases.js';
import type { EffectiveSchema } from '../schemas/effective-schema.js';
import type { LocatedSchema } from '../schemas/schema-location.js';
import type { Side } from '../schemas/scope.js';
import { compareWords } from './compare-words.js';

/** Compares parameters: those of a path by position, all others by location and name. */
export function compareParameters(pair: OperationPair): void {
  const same = matchByKey(pair.old.parameters, pair.new.parameters, keyIn(pair.old.path), keyIn(pair.new.path));
  const moved = matchByKey(same.removed, same.added, ({ name }) => name);
  for (const [was, is] of moved.pairs)
    pair.reportInRequest({
      kind: 'parameter-moved',
      message: `The parameter ${quoteShort(is.name)} is in the ${is.in}, was in the ${was.in}`,
      ...bothLocations(was, is),
    });
  for (const [was, is] of [...same.pairs, ...moved.pairs]) compareParameter(pair, was, is);
  for (const was of moved.removed)
    pair.reportInRequest({
      kind: 'parameter-removed',
      message: `${titleOf(was)} is gone`,
      ...whereRemoved(was, pair.newLocation.child('parameters')),
      exceptions: was.required ? ['response'] : [],
    });
  for (const is of moved.added)
    pair.reportInRequest({
      kind: 'parameter-added',
      message: `${titleOf(is)} is new${is.required ? ' and required' : ''}`,
      ...whereAdded(pair.oldLocation.child('parameters'), is),
      exceptions: is.required ? ['request'] : [],
    });
}

function keyIn(path: string): (parameter: Parameter) => string {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  return ({ in: location, name }) => {
    if (location === 'path') return `path ${names.indexOf(name)}`;
    return `${location} ${location === 'header' ? name.toLowerCase() : name}`;
  };
}

function titleOf({ name, in: location }: Parameter): string {
  return `the ${location} parameter ${quoteShort(name)}`;
}

function compareParameter(pair: OperationPair, was: Parameter, is: Parameter): void {
  const locations = bothLocations(was, is);
  const title = titleOf(is);
  if (was.in === 'path' && is.in === 'path' && was.name !== is.name)
    pair.reportInRequest({
      kind: 'path-parameter-renamed',
      message: `The path parameter ${quoteShort(was.name)} is called ${quoteShort(is.name)} now`,
      ...locations,
    });
  if (was.required !== is.required)
    pair.reportInRequest({
      kind: is.required ? 'parameter-became-required' : 'parameter-became-optional',
      message: `${title} is ${is.required ? 'required' : 'optional'} now`,
      ...locations,
    });
  if (was.deprecated !== is.deprecated)
    pair.reportInRequest({ ...describeDeprecation(title, is.deprecated), ...locations });
  if (was.allowEmptyValue !== is.allowEmptyValue)
    pair.reportInRequest({
      kind: is.allowEmptyValue ? 'empty-value-allowed' : 'empty-value-refused',
      message: `${title} ${is.allowEmptyValue ? 'may be empty now' : 'must not be empty any more'}`,
      ...locations,
    });
  compareStyle(pair, was, is);
  compareParameterSchemas(pair, was, is);
  compareWords(pair, pair.requestDirection, { old: was, new: is, title });
}

function compareStyle(pair: OperationPair, was: Parameter, is: Parameter): void {
  if (was.in !== is.in) return;
  const { old: oldSide, new: newSide } = pair.context.schemas;
  // A scalar is written the same way with any style.
  const areScalars = isScalar(was, oldSide) && isScalar(is, newSide);
  const [before, now] = [was, is].map((parameter) => writingOf(parameter, areScalars));
  if (before === now) return;
  pair.reportInRequest({
    kind: 'parameter-style-changed',
    message: `${titleOf(is)} is written as ${now}, was ${before}`,
    ...bothLocations(was, is),
  });
}

const SAME_FOR_SCALARS: ReadonlySet<string> = new Set(
  'form simple spaceDelimited pipeDelimited tabDelimited deepObject'.split(' '),
);

function writingOf({ mediaType, style, explode, allowReserved }: Parameter, isScalar: boolean): string {
  if (mediaType !== undefined) return quoteShort(mediaType);
  const reserved = allowReserved ? ', with reserved characters' : '';
  if (isScalar) return `${SAME_FOR_SCALARS.has(style) ? 'a plain value' : style}${reserved}`;
  return `${style}${explode ? ', exploded' : ''}${reserved}`;
}

function compareParameterSchemas(pair: OperationPair, was: Parameter, is: Parameter): void {
  const { schemas } = pair.context;
  const title = titleOf(is);
  const parts = [locatedSchemaOf(was, title), locatedSchemaOf(is, title)] as const;
  const [old, next] = [schemas.old.effectiveAt(parts[0]), schemas.new.effectiveAt(parts[1])];
  if (was.mediaType === undefined && is.mediaType === undefined && becameText(old, next)) {
    pair.reportInRequest({
      kind: 'type-widened',
      message: `${title} is a string, was ${showTypes(old.types, false)}`,
      ...bothLocations(parts[0].location, parts[1].location),
    });
    return;
  }
  schemas.addRoot(...parts, pair.usage(pair.requestDirection));
}

/** The schema of a parameter or header, at its place in the document. */
export function locatedSchemaOf({ schema, mediaType, source }: Parameter | Header, title: string): LocatedSchema {
  const steps = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
  return { schema, location: SpecLocation.at(source, title).child(...steps) };
}

/** Whether a parameter is one value, neither a list nor an object. */
function isScalar(parameter: Parameter, side: Side): boolean {
  const { types } = side.effectiveAt(locatedSchemaOf(parameter, titleOf(parameter)));
  return types !== undefined && !types.has('array') && !types.has('object');
}

const PLAIN_TYPES: ReadonlySet<SchemaType> = new Set(['boolean', 'integer', 'number', 'string']);

/** Whether a parameter now accepts any text. This includes `5`, because all values in a URL or a header are texts. */
function becameText(old: EffectiveSchema, next: EffectiveSchema): boolean {
  if (old.types === undefined || next.types?.size !== 1 || !next.types.has('string')) return false;
  if (old.types.has('string') || ![...old.types].every((type) => PLAIN_TYPES.has(type))) return false;
  const isFree = next.parts.every(({ schema }) =>
    Object.keys(schema).every((key) => !/^(enum|const|format|pattern|minLength|maxLength|not|if)$/.test(key)),
  );
  return isFree && next.unions.length === 0;
}

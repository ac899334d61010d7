import type { Header, Parameter } from '../../model/api.js';
import type { SchemaType } from '../../model/schema-types.js';
import { type OperationPair, bothLocations } from '../diff-context.js';
import { SpecLocation } from '../location.js';
import { quote, showTypes } from '../phrases.js';
import type { EffectiveSchema } from '../schemas/effective-schema.js';
import type { Part } from '../schemas/schema-location.js';
import type { Side } from '../schemas/scope.js';
import { compareDescriptions } from './compare-descriptions.js';
import { compareExtensions } from './compare-extensions.js';

/** Compares parameters: those of a path by their place in it, all others by where they travel and their name. */
export function compareParameters(pair: OperationPair): void {
  const oldParameters = byKey(pair.old.parameters, pair.old.path);
  const newParameters = byKey(pair.new.parameters, pair.new.path);
  for (const [key, was] of oldParameters) {
    const is = newParameters.get(key);
    if (is === undefined) continue;
    oldParameters.delete(key);
    newParameters.delete(key);
    compareParameter(pair, was, is);
  }
  for (const [key, was] of oldParameters) {
    const found = [...newParameters].find(([, { name }]) => name === was.name);
    if (found === undefined) continue;
    const [newKey, is] = found;
    oldParameters.delete(key);
    newParameters.delete(newKey);
    pair.reportInRequest({
      kind: 'parameter-moved',
      message: `The parameter ${quote(is.name)} is in the ${is.in}, was in the ${was.in}`,
      ...bothLocations(was, is),
    });
    compareParameter(pair, was, is);
  }
  for (const was of oldParameters.values()) reportRemoved(pair, was);
  for (const is of newParameters.values()) reportAdded(pair, is);
}

function byKey(parameters: readonly Parameter[], path: string): Map<string, Parameter> {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((parameter) => {
      if (parameter.in === 'path') return [`path ${names.indexOf(parameter.name)}`, parameter];
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      return [`${parameter.in} ${name}`, parameter];
    }),
  );
}

function titleOf({ name, in: location }: Parameter): string {
  return `the ${location} parameter ${quote(name)}`;
}

function reportRemoved(pair: OperationPair, was: Parameter): void {
  pair.reportInRequest({
    kind: 'parameter-removed',
    message: `${titleOf(was)} is gone`,
    old: SpecLocation.at(was.source),
    new: pair.newLocation.child('parameters'),
    anchor: 'old',
    exceptions: was.required ? ['response'] : [],
  });
}

function reportAdded(pair: OperationPair, is: Parameter): void {
  pair.reportInRequest({
    kind: 'parameter-added',
    message: `${titleOf(is)} is new${is.required ? ' and required' : ''}`,
    old: pair.oldLocation.child('parameters'),
    new: SpecLocation.at(is.source),
    anchor: 'new',
    exceptions: is.required ? ['request'] : [],
  });
}

function compareParameter(pair: OperationPair, was: Parameter, is: Parameter): void {
  const locations = bothLocations(was, is);
  const title = titleOf(is);
  if (was.in === 'path' && is.in === 'path' && was.name !== is.name)
    pair.reportInRequest({
      kind: 'path-parameter-renamed',
      message: `The path parameter ${quote(was.name)} is called ${quote(is.name)} now`,
      ...locations,
    });
  if (was.required !== is.required)
    pair.reportInRequest({
      kind: is.required ? 'parameter-became-required' : 'parameter-became-optional',
      message: `${title} is ${is.required ? 'required' : 'optional'} now`,
      ...locations,
    });
  if (was.deprecated !== is.deprecated)
    pair.reportInRequest({
      kind: is.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${is.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      ...locations,
    });
  if (was.allowEmptyValue !== is.allowEmptyValue)
    pair.reportInRequest({
      kind: is.allowEmptyValue ? 'empty-value-allowed' : 'empty-value-refused',
      message: `${title} ${is.allowEmptyValue ? 'may be empty now' : 'must not be empty any more'}`,
      ...locations,
    });
  compareStyle(pair, was, is);
  compareParameterSchemas(pair, { was, is, title });
  compareDescriptions(pair, pair.requestDirection, { old: was, new: is, title });
  compareExtensions(pair, pair.requestDirection, { old: was, new: is, title });
}

function compareStyle(pair: OperationPair, was: Parameter, is: Parameter): void {
  if (was.in !== is.in) return;
  const { old: oldSide, new: newSide } = pair.context.schemas;
  // A single value is written the same whatever is said of lists and objects.
  const areScalars = isScalar(was, titleOf(was), oldSide) && isScalar(is, titleOf(is), newSide);
  const [before, now] = [was, is].map((parameter) => writingOf(parameter, areScalars));
  if (before === now) return;
  pair.reportInRequest({
    kind: 'parameter-style-changed',
    message: `${titleOf(is)} is written as ${now}, was ${before}`,
    ...bothLocations(was, is),
  });
}

const SAME_FOR_SCALARS: ReadonlySet<string> = new Set([
  'form',
  'simple',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
]);

function writingOf({ mediaType, style, explode, allowReserved }: Parameter, isScalar: boolean): string {
  if (mediaType !== undefined) return quote(mediaType);
  const reserved = allowReserved ? ', with reserved characters' : '';
  if (isScalar) return `${SAME_FOR_SCALARS.has(style) ? 'a plain value' : style}${reserved}`;
  return `${style}${explode ? ', exploded' : ''}${reserved}`;
}

type Carrier = Pick<Parameter | Header, 'mediaType' | 'schema' | 'source'>;

interface CarrierPair {
  readonly was: Parameter;
  readonly is: Parameter;
  readonly title: string;
}

/** Compares the schemas of two parameters. */
function compareParameterSchemas(pair: OperationPair, { was, is, title }: CarrierPair): void {
  const { schemas } = pair.context;
  const parts = [schemaPart(was, title), schemaPart(is, title)] as const;
  const shapes = [effectiveOf(parts[0], schemas.old), effectiveOf(parts[1], schemas.new)] as const;
  if (was.mediaType === undefined && is.mediaType === undefined && becameText(...shapes)) {
    pair.reportInRequest({
      kind: 'type-widened',
      message: `${title} is a string, was ${showTypes(shapes[0].types, false)}`,
      old: parts[0].location,
      new: parts[1].location,
    });
    return;
  }
  schemas.addRoot(...parts, pair.usage(pair.requestDirection));
}

/** The schema of a parameter or header, where its document has it. */
export function schemaPart({ schema, mediaType, source }: Carrier, title: string): Part {
  const location = SpecLocation.at(source, title);
  const steps = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
  return { schema, location: location.child(...steps) };
}

/** Whether a parameter is one value, neither a list nor an object. */
function isScalar(carrier: Carrier, title: string, side: Side): boolean {
  const { types } = effectiveOf(schemaPart(carrier, title), side);
  return types !== undefined && !types.has('array') && !types.has('object');
}

function effectiveOf(part: Part, side: Side): EffectiveSchema {
  return side.effectiveOf(side.sites.site(part));
}

const PLAIN_TYPES: ReadonlySet<SchemaType> = new Set(['boolean', 'integer', 'number', 'string']);

/** Whether a parameter takes any text now: `5` is one too, since in an address or a header all values are texts. */
function becameText(old: EffectiveSchema, next: EffectiveSchema): boolean {
  if (old.types === undefined || next.types?.size !== 1 || !next.types.has('string')) return false;
  if (old.types.has('string') || ![...old.types].every((type) => PLAIN_TYPES.has(type))) return false;
  const isFree = next.parts.every(({ schema }) =>
    Object.keys(schema).every((key) => !/^(enum|const|format|pattern|minLength|maxLength|not|if)$/.test(key)),
  );
  return isFree && next.unions.length === 0;
}

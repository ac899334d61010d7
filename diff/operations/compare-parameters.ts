import type { Parameter } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import { type OperationPair, bothPlaces } from '../diff-context.js';
import { quote } from '../phrases.js';
import { compareExtensions } from './compare-extensions.js';
import { compareParameterSchemas, isScalar } from './compare-parameter-schemas.js';
import { compareDescriptions } from './compare-descriptions.js';

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
    pair.asking({
      kind: 'parameter-moved',
      message: `The parameter ${quote(is.name)} is in the ${is.in}, was in the ${was.in}`,
      ...bothPlaces(was, is),
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

function titleOf({ name, in: place }: Parameter): string {
  return `the ${place} parameter ${quote(name)}`;
}

function reportRemoved(pair: OperationPair, was: Parameter): void {
  pair.asking({
    kind: 'parameter-removed',
    message: `${titleOf(was)} is gone`,
    old: DiffPlace.at(was.source),
    new: pair.newPlace.child('parameters'),
    anchor: 'old',
    exceptions: was.required ? ['response'] : [],
  });
}

function reportAdded(pair: OperationPair, is: Parameter): void {
  pair.asking({
    kind: 'parameter-added',
    message: `${titleOf(is)} is new${is.required ? ' and required' : ''}`,
    old: pair.oldPlace.child('parameters'),
    new: DiffPlace.at(is.source),
    anchor: 'new',
    exceptions: is.required ? ['request'] : [],
  });
}

function compareParameter(pair: OperationPair, was: Parameter, is: Parameter): void {
  const places = bothPlaces(was, is);
  const title = titleOf(is);
  if (was.in === 'path' && is.in === 'path' && was.name !== is.name)
    pair.asking({
      kind: 'path-parameter-renamed',
      message: `The path parameter ${quote(was.name)} is called ${quote(is.name)} now`,
      ...places,
    });
  if (was.required !== is.required)
    pair.asking({
      kind: is.required ? 'parameter-became-required' : 'parameter-became-optional',
      message: `${title} is ${is.required ? 'required' : 'optional'} now`,
      ...places,
    });
  if (was.deprecated !== is.deprecated)
    pair.asking({
      kind: is.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${is.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      ...places,
    });
  if (was.allowEmptyValue !== is.allowEmptyValue)
    pair.asking({
      kind: is.allowEmptyValue ? 'empty-value-allowed' : 'empty-value-refused',
      message: `${title} ${is.allowEmptyValue ? 'may be empty now' : 'must not be empty any more'}`,
      ...places,
    });
  compareStyle(pair, was, is);
  compareParameterSchemas(pair, { was, is, title });
  compareDescriptions(pair, pair.asks, { old: was, new: is, title });
  compareExtensions(pair, pair.asks, { old: was, new: is, title });
}

function compareStyle(pair: OperationPair, was: Parameter, is: Parameter): void {
  if (was.in !== is.in) return;
  const { old: oldSide, new: newSide } = pair.session.schemas;
  // A single value is written the same whatever is said of lists and objects.
  const areScalars = isScalar(was, titleOf(was), oldSide) && isScalar(is, titleOf(is), newSide);
  const [before, now] = [was, is].map((parameter) => writingOf(parameter, areScalars));
  if (before === now) return;
  pair.asking({
    kind: 'parameter-style-changed',
    message: `${titleOf(is)} is written as ${now}, was ${before}`,
    ...bothPlaces(was, is),
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

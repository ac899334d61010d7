import type { Api } from '../../../model/api.js';
import type { SchemaObject } from '../../../model/schema-types.js';
import { isRecord } from '../../../model/document/records.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { keywordOf, requiredMembers } from '../../../schema/facts/members.js';
import { removeAt, setAt } from '../../../schema/value-path.js';
import { valueSites } from '../../../schema/value-sites.js';
import type { Call } from '../../types.js';

type Path = readonly (string | number)[];

/** A scalar in a body, or one of each item of a list. */
export interface BodyPlace {
  readonly path: Path;
  /** The name of the member, or of the list that it is in. */
  readonly name: string;
  readonly value: unknown;
  readonly schemas: readonly SchemaObject[];
  readonly isRequired: boolean;
}

/** The scalars in the body of a call, the outermost first. */
export function bodyPlaces({ body }: Call, api: Api): BodyPlace[] {
  if (body === undefined || body.raw !== undefined || body.media.schema === undefined) return [];
  const sites = valueSites(body.media.schema, body.value, { api, direction: 'request' });
  const byPath = new Map(sites.map((site) => [site.path.join('\n'), site] as const));
  return sites.flatMap(({ path, value, schemas }) => {
    const name = path.findLast((step): step is string => typeof step === 'string');
    if (name === undefined || typeof value === 'object') return [];
    const outer = byPath.get(path.slice(0, -1).join('\n'));
    const isItem = typeof path.at(-1) === 'number';
    const isRequired = outer?.schemas.some((one) => requiredMembers(one, api).has(name)) === true;
    // The description of a list is about its items.
    const own = isItem ? [...schemas, ...(outer?.schemas ?? [])] : schemas;
    return [{ path, name, value, schemas: own, isRequired: isRequired || isItem }];
  });
}

/** Returns the same call with another value at a place, in each item of the lists around it; `undefined` if invalid. */
export function putAt(call: Call, path: Path, value: unknown, api: Api): Call | undefined {
  const { body } = call;
  if (body === undefined) return undefined;
  const changed = pathsAt(body.value, path).reduce<unknown>((made, one) => setAt(made, one, value), body.value);
  return validCall(call, changed, api);
}

/** Returns the same call without a member; `undefined` if that is invalid. */
export function dropAt(call: Call, path: Path, api: Api): Call | undefined {
  const { body } = call;
  if (body === undefined) return undefined;
  const changed = pathsAt(body.value, path).reduce<unknown>((made, one) => removeAt(made, one), body.value);
  return validCall(call, changed, api);
}

function validCall(call: Call, value: unknown, api: Api): Call | undefined {
  const { body } = call;
  if (body === undefined) return undefined;
  const validate = compileValidator(api, body.media.schema ?? true, { direction: 'request' });
  return validate(value).length === 0 ? { ...call, body: { ...body, value } } : undefined;
}

function pathsAt(value: unknown, [step, ...rest]: Path): Path[] {
  if (step === undefined) return [[]];
  if (typeof step === 'number' && Array.isArray(value))
    return value.flatMap((item: unknown, index) => pathsAt(item, rest).map((one) => [index, ...one]));
  if (!isRecord(value)) return [];
  return pathsAt(value[step], rest).map((one) => [step, ...one]);
}

/** Whether a schema leaves the form of a text open. */
export function isFreeText({ value, schemas }: BodyPlace, api: Api): boolean {
  return (
    typeof value === 'string' &&
    schemas.every((one) =>
      (['enum', 'const', 'format', 'pattern'] as const).every((keyword) => keywordOf(one, keyword, api) === undefined),
    )
  );
}

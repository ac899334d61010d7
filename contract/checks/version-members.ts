import type { Api, MediaType, Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { foldName } from '../../resources/inflection.js';
import { membersOf } from '../../schema/facts/members.js';
import { itemPlace } from '../plan/call-body.js';
import { isCondition } from './is-comparable.js';

/** A member of a body that names the version on which a change is based. */
export interface VersionMember {
  readonly name: string;
  readonly path: readonly string[];
}

/** Finds the member of a change that names the version of the item: `etag`, `revision`, or a `version` that can conflict. */
export function findVersion(operation: Operation, media: MediaType, api: Api): VersionMember | undefined {
  if (media.schema === undefined) return undefined;
  const place = itemPlace(media, api);
  const item = place.reduce((at, name) => membersOf(at, api).get(name)?.schema ?? true, media.schema);
  const canConflict = refusesOutdated(operation);
  const name = [...membersOf(item, api).keys()].find(
    (one) => isCondition(one) || (canConflict && foldName(one) === 'version'),
  );
  return name === undefined ? undefined : { name, path: [...place, name] };
}

/** Whether an operation documents that it refuses a change that is based on an outdated version. */
export function refusesOutdated({ responses }: Operation): boolean {
  return responses.some(({ status }) => ['409', '412', '428'].includes(status));
}

/** The versions that a response shows, of an item that may be in an envelope. */
export function versionsShown(json: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const inner = Object.values(json).filter(isRecord);
  const items = inner.length === 1 ? [...inner, json] : [json];
  return new Map(
    items.flatMap((item) =>
      Object.entries(item).filter(([name, value]) => {
        const isVersion = isCondition(name) || foldName(name) === 'version';
        return isVersion && ['string', 'number', 'bigint'].includes(typeof value);
      }),
    ),
  );
}

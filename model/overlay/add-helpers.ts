import { mediaTypeEssence } from '../../runtime/media-type.js';
import { isStandardMethod, wireMethod } from '../http-method.js';
import { KNOWN_EXTENSIONS } from '../known-extensions.js';
import { suggestName } from '../diagnostics/closest-name.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { InputError } from '../diagnostics/input-error.js';
import { placeInFile } from '../diagnostics/place-in-file.js';
import { appendPointer, toPointer } from '../document/pointer.js';
import { type RawRecord, isRecord, mapRecord, setMember } from '../document/records.js';
import type { ChangedDocument } from './value-origins.js';

/** `x-` extensions by operation id, by method and path such as `GET /items`, or for the whole API by `*`. */
export type ConfiguredHelpers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Adds extensions to the operations of documents, replacing extensions of the same name.
 *
 * @param at - where the helpers are written.
 * @throws InputError if no document has one of the operations, or an extension's name is a likely typo of a known one.
 */
export function addHelpers(
  documents: readonly ChangedDocument[],
  helpers: ConfiguredHelpers,
  at: SourceLocation,
): ChangedDocument[] {
  checkExtensions(helpers, at);
  const found = new Set<string>();
  const known = new Set<string>();
  const changed = documents.map(({ root, origins }) => {
    const extend = (owner: RawRecord, pointer: string, keys: readonly string[]): RawRecord => {
      const extended = { ...owner };
      for (const key of keys) {
        found.add(key);
        for (const [extension, value] of Object.entries(helpers[key] ?? {})) {
          const origin = [key, extension].reduce(appendPointer, at.pointer);
          for (const place of addExtension(extended, extension, value))
            origins.set(place.reduce(appendPointer, pointer), {
              file: at.file,
              pointer: origin,
              isConfigured: true,
            });
        }
      }
      return extended;
    };
    const mapped = mapOperations(root, (operation, name, pointer) => {
      const id = typeof operation['operationId'] === 'string' ? operation['operationId'] : undefined;
      known.add(id ?? name);
      const keys = [id, name].filter((key): key is string => key !== undefined && Object.hasOwn(helpers, key));
      return keys.length === 0 ? operation : extend(operation, pointer, keys);
    });
    return { root: isRecord(mapped) && Object.hasOwn(helpers, '*') ? extend(mapped, '', ['*']) : mapped, origins };
  });
  const missing = Object.keys(helpers).find((key) => !found.has(key) && key !== '*');
  if (missing !== undefined)
    throw new InputError(
      `The helpers of the configuration name the operation ${JSON.stringify(missing)}, which the spec does not have.${suggestName(missing, known)}`,
      placeInFile({ file: at.file, pointer: appendPointer(at.pointer, missing) }),
    );
  return changed;
}

/** Extensions that have a meaning on media types only, which are event streams. */
const MEDIA_TYPE_EXTENSIONS: ReadonlySet<string> = new Set(['x-event-stream']);

/**
 * Adds an extension to an object that is not shared: to an operation, or to the event streams of its responses if it is
 * about these. Returns its places.
 */
function addExtension(owner: Record<string, unknown>, name: string, value: unknown): readonly (readonly string[])[] {
  const places: (readonly string[])[] = [];
  if (MEDIA_TYPE_EXTENSIONS.has(name) && isRecord(owner['responses']))
    owner['responses'] = mapRecord(owner['responses'], (response, status) => {
      if (!isRecord(response) || !isRecord(response['content'])) return response;
      const content = mapRecord(response['content'], (media, type) => {
        if (!isRecord(media) || mediaTypeEssence(type) !== 'text/event-stream') return media;
        places.push(['responses', status, 'content', type, name]);
        return { ...media, [name]: value };
      });
      return { ...response, content };
    });
  if (places.length > 0) return places;
  setMember(owner, name, value);
  return [[name]];
}

/** Emitters may have extensions of their own, so only a likely typo is an error. */
function checkExtensions(helpers: ConfiguredHelpers, at: SourceLocation): void {
  for (const [key, extensions] of Object.entries(helpers)) {
    for (const name of Object.keys(extensions)) {
      const suggestion = KNOWN_EXTENSIONS.has(name) ? '' : suggestName(name, KNOWN_EXTENSIONS);
      if (suggestion !== '')
        throw new InputError(
          `The helpers of the configuration give ${JSON.stringify(key)} the extension ${JSON.stringify(name)}, which has no meaning.${suggestion}`,
          placeInFile({ file: at.file, pointer: [key, name].reduce(appendPointer, at.pointer) }),
        );
    }
  }
}

type ChangeOperation = (operation: RawRecord, name: string, pointer: string) => unknown;

function mapOperations(root: unknown, change: ChangeOperation): unknown {
  if (!isRecord(root)) return root;
  const mapped = { ...root };
  for (const group of ['paths', 'webhooks'] as const) {
    if (!isRecord(root[group])) continue;
    mapped[group] = mapRecord(root[group], (item, path) =>
      isRecord(item)
        ? mapPathItem(item, toPointer([group, path]), (operation, method, pointer) =>
            change(operation, `${method} ${path}`, pointer),
          )
        : item,
    );
  }
  return mapped;
}

function mapPathItem(item: RawRecord, pointer: string, change: ChangeOperation): Record<string, unknown> {
  return mapRecord(item, (member, key) => {
    if (!isRecord(member)) return member;
    const place = appendPointer(pointer, key);
    if (key === 'additionalOperations')
      return mapRecord(member, (operation, method) =>
        isRecord(operation) ? change(operation, method, appendPointer(place, method)) : operation,
      );
    return isFixedMember(key) ? change(member, wireMethod(key), place) : member;
  });
}

/** Members of a Path Item Object are in lower case. */
function isFixedMember(key: string): boolean {
  return isStandardMethod(key) && key === key.toLowerCase();
}

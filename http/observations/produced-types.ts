import type { Api, Operation } from '../../model/api.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { loadYaml } from '../../model/document/yaml-library.js';
import type { OverlayAction } from './observation.js';
import { toJsonPath } from './spec-path.js';

/**
 * The media types of responses in OpenAPI 2.0: a list of the operation, or of the document if the operation has none. A
 * list of an operation replaces that of the document.
 */
export class ProducedTypes {
  readonly #documents: ReadonlyMap<string, unknown>;
  /** The lists of operations, with what was added. */
  readonly #own = new Map<string, string[]>();

  constructor({ files, dialect }: Api) {
    const read = dialect === 'openapi-2.0' ? files : [];
    this.#documents = new Map(read.map(({ path, text }) => [path, parse(text)]));
  }

  /** The actions that add a media type to an operation, unless it has it. */
  add(operation: Operation, mediaType: string, description: string): OverlayAction[] {
    const { file, pointer } = operation.source;
    const document = this.#documents.get(file);
    const key = `${file}#${pointer}`;
    const shared = listOf(document) ?? ['application/json'];
    const own = this.#own.get(key) ?? listOf(resolvePointer(document, pointer)) ?? otherTypes(operation, shared);
    const known = own ?? shared;
    if (known.includes(mediaType)) return [];
    this.#own.set(key, [...known, mediaType]);
    // Overlays extend lists.
    const produces = own === undefined ? [...known, mediaType] : [mediaType];
    return [{ target: toJsonPath(pointer), description, update: { produces } }];
  }
}

/** The types of an operation that differ from those of its document: an overlay has added a list. */
function otherTypes({ responses }: Operation, shared: readonly string[]): string[] | undefined {
  const types = new Set(responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)));
  const isShared = types.size === 0 || (types.size === shared.length && shared.every((type) => types.has(type)));
  return isShared ? undefined : [...types];
}

function listOf(owner: unknown): string[] | undefined {
  const list = isRecord(owner) ? owner['produces'] : undefined;
  return Array.isArray(list) ? list.map(String) : undefined;
}

/** The overlays of a document need not be readable as one. */
function parse(text: string): unknown {
  try {
    return loadYaml().parse(text);
  } catch {
    return undefined;
  }
}

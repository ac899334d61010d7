import type { Api, Operation } from '../model/api.js';
import { loadApi } from '../model/load-api.js';
import { type Schema, refName } from '../model/schema-types.js';

/** What a server must know to validate one operation by hand: plain JSON Schema that refers to nothing outside of itself. */
export interface OperationSchemas {
  readonly body: object;
  readonly response: object;
  /** The example of the response. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** The schemas of two operations of a large spec, as our own model reads them. */
export async function readSchemas(spec: string, ids: readonly string[]): Promise<readonly OperationSchemas[]> {
  const api = await loadApi(spec);
  return ids.map((id) => {
    const operation = api.operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`The spec has no operation ${id}.`);
    return schemasOf(operation, api);
  });
}

function schemasOf({ body, responses }: Operation, api: Api): OperationSchemas {
  const media = responses.find(({ status }) => status.startsWith('2'))?.content[0];
  return {
    body: standAlone(body?.content[0]?.schema ?? true, api),
    response: standAlone(media?.schema ?? true, api),
    example: (media?.examples[0]?.value ?? {}) as Readonly<Record<string, unknown>>,
  };
}

/** A schema with all that it refers to. */
function standAlone(schema: Schema, api: Api): object {
  const needed = new Map<string, unknown>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' && typeof member === 'string' ? refName(member) : undefined;
      if (name === undefined) collect(member);
      else if (!needed.has(name)) {
        const found = api.schemas.get(name)?.schema ?? true;
        needed.set(name, found);
        collect(found);
      }
    }
  };
  collect(schema);
  // The extensions of our model and of the spec mean nothing to others.
  const plain = JSON.stringify({ ...(schema as object), $defs: Object.fromEntries(needed) });
  return JSON.parse(plain, (key, value: unknown) =>
    /^x-|^(?:discriminator|examples?)$/.test(key) ? undefined : value,
  ) as object;
}

import type { Api } from '../api.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { fragmentToPointer, resolvePointer, splitPointer } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import type { SourceDocument } from '../document/source-document.js';
import { closeCircles } from '../normalise/close-circles.js';
import { areSeparate } from '../normalise/separate-schemas.js';
import type { LaterReading } from '../read-later.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import { openApiVersion } from '../normalise/schema-dialects.js';

/** @param entries - of a spec that may be read later. */
export function createLaterReading(reader: SchemaReader, [entry]: readonly SourceDocument[]): LaterReading {
  const schemas = resolvePointer(entry?.root, '/components/schemas');
  return {
    rest: [],
    hasSeparateSchemas: isRecord(schemas) && areSeparate(schemas),
    settle: () => {
      if (!reader.hasPending) return;
      closeCircles(reader.readPending(), reader.problems);
    },
    finish: () => reader.reportRequired(),
  };
}

/**
 * Whether the operations of a spec can be read later with the same result: it is one document, and each reference in it
 * leads to a component. Other references name more schemas while they are read, and wrong ones are reported at once.
 */
export function mayReadLater(entries: readonly SourceDocument[]): boolean {
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0) return false;
  const { root, inside, outside, hasResources } = entry;
  const version = openApiVersion(root);
  const isPlain = version !== undefined && version !== '2.0' && outside.size === 0 && !hasResources;
  return isPlain && [...inside].every((reference) => leadsToComponent(reference, root));
}

function leadsToComponent(reference: string, root: unknown): boolean {
  const pointer = fragmentToPointer(reference.slice(1));
  const [first, kind, name, ...more] = splitPointer(pointer);
  if (first !== 'components' || name === undefined || more.length > 0) return false;
  const target = resolvePointer(root, pointer);
  return kind === 'schemas' ? target !== undefined : isRecord(target) && target['$ref'] === undefined;
}

type Findings = Pick<Api, 'extensionNames' | 'diagnostics'>;

interface Unread extends Pick<LaterReading, 'rest'> {
  readonly find: () => Findings;
}

const unread = new WeakMap<Api, Unread>();

/** Functions that each read or check one part of an API that was not read at once. */
export function partsToRead(api: Api): readonly (() => void)[] {
  return unread.get(api)?.rest ?? [];
}

/** The diagnostics of the parts that were read. */
export function diagnosticsSoFar(api: Api): readonly Diagnostic[] {
  return unread.get(api)?.find().diagnostics ?? api.diagnostics;
}

/** Adds what is known only after all parts were read. */
export function withFindings(api: Omit<Api, keyof Findings>, later: LaterReading, find: () => Findings): Api {
  let known: Findings | undefined;
  const findings = (): Findings => {
    if (known !== undefined) return known;
    for (const read of later.rest) read();
    later.finish();
    return (known = find());
  };
  const whole: Api = {
    ...api,
    get extensionNames() {
      return findings().extensionNames;
    },
    get diagnostics() {
      return findings().diagnostics;
    },
  };
  unread.set(whole, { rest: later.rest, find });
  return whole;
}

import type { Api } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { showJson } from '../../model/exact-json.js';
import { getOrInsert } from '../../model/maps.js';
import type { PlacedSchema } from '../../schema/placed-schemas.js';
import { countOf, describeDays, describePlace } from './describe-observation.js';
import type { OverlayAction, ResponseTally } from './observation.js';
import { findSentPlaces } from './sent-places.js';
import { count } from './shape.js';
import { toJsonPath } from './spec-path.js';
import { type ShapeStep, walkShapes } from './walk-shapes.js';

/** Fewer texts or calls than these do not show a format. */
const ENOUGH_TEXTS = 20;
const ENOUGH_CALLS = 5;

/** Keywords that say which texts there are. */
const RULES = ['format', 'pattern', 'enum', 'const', 'contentEncoding', 'contentMediaType'] as const;

/** Keywords after which a schema does not apply to all values. */
const CHOICES = ['anyOf', 'oneOf', 'if', 'not'] as const;

/** The texts that one schema applies to. */
interface Texts {
  readonly at: SourceLocation;
  /** Where they were seen first. */
  readonly pointer: string;
  readonly response: ResponseTally;
  readonly operations: Set<string>;
  /** Whether another schema says more about some of them. */
  isRuled: boolean;
  texts: number;
  calls: number;
  readonly formats: Map<string, number>;
  sample: string | undefined;
  varies: boolean;
}

/**
 * The actions that add formats to schemas of texts: if many different texts all have one, and no request sends them, so
 * that the server alone decides.
 */
export function formatActions(
  api: Api,
  responses: readonly ResponseTally[],
): { readonly at: SourceLocation; readonly action: OverlayAction }[] {
  const found = new Map<string, Texts>();
  walkShapes(api, responses, (step) => addTexts(found, step));
  const isSent = findSentPlaces(api);
  return [...found.values()].flatMap((texts) => {
    const format = formatOf(texts);
    return format === undefined || isSent(texts.at) ? [] : [{ at: texts.at, action: addFormat(texts, format) }];
  });
}

function addTexts(found: Map<string, Texts>, { shape, placed, calls, pointer, response }: ShapeStep): void {
  const texts = shape.types.get('string') ?? 0;
  const owner = placed.find(({ schema }) => [schema.type].flat().includes('string'));
  if (texts === 0 || owner === undefined) return;
  const { at } = owner;
  const known = getOrInsert(found, `${at.file}#${at.pointer}`, (): Texts => ({
    ...{ at, pointer, response, operations: new Set(), isRuled: false, texts: 0, calls: 0 },
    ...{ formats: new Map<string, number>(), sample: undefined, varies: false },
  }));
  known.isRuled ||= placed.some(isRuled);
  known.texts += texts;
  known.calls += calls;
  known.operations.add(response.operation.id);
  for (const [format, times] of shape.formats) count(known.formats, format, times);
  known.sample ??= shape.sample;
  known.varies ||= shape.varies || known.sample !== shape.sample;
}

function isRuled({ schema }: PlacedSchema): boolean {
  return [...RULES, ...CHOICES].some((keyword) => Object.hasOwn(schema, keyword));
}

function formatOf({ isRuled: hasRule, texts, calls, varies, formats }: Texts): string | undefined {
  if (hasRule || !varies || texts < ENOUGH_TEXTS || calls < ENOUGH_CALLS) return undefined;
  return [...formats].find(([, times]) => times === texts)?.[0];
}

function addFormat({ at, pointer, response, operations, texts, calls, sample }: Texts, format: string): OverlayAction {
  const place = describePlace({ pointer, operations, example: response });
  const evidence = `${countOf(texts, 'text', texts)} in ${countOf(calls, 'call')} ${describeDays(response)}`;
  return {
    target: toJsonPath(at.pointer),
    description: `${place} always has the format ${format}: ${evidence}. Example: ${showJson(sample)}`,
    update: { format },
  };
}

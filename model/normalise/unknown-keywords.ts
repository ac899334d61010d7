import { getOrInsert } from '../maps.js';
import { findTypingError, suggestName } from '../diagnostics/closest-name.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { ALL_KEYWORDS, SCHEMA_DIALECTS, type SchemaDialect } from './schema-dialects.js';
import type { SchemaPlace } from './schema-place.js';

/** Reports a keyword that the dialect of its schema does not have, unless its author may mean an annotation. */
export function reportUnknownKeyword(key: string, place: SchemaPlace, problems: DiagnosticCollector): void {
  const { dialect } = place;
  if (ALL_KEYWORDS.has(key))
    return problems.report(
      'keyword-ignored',
      place.child(key),
      `The keyword ${JSON.stringify(key)} has no meaning in ${dialect.name} and is ignored.`,
    );
  const hint = hintFor(key, dialect);
  if (hint === undefined) return;
  problems.report(
    'keyword-unknown',
    place.child(key),
    `${dialect.name} has no keyword ${JSON.stringify(key)}; it is ignored.${hint}`,
  );
}

/** Hints by keyword, because an unknown keyword often occurs in many schemas. */
const hints = new WeakMap<SchemaDialect, Map<string, string | undefined>>();

/** Longer lists of unknown keywords are not remembered. */
const MOST_HINTS = 1_000;

/** The suggestion for an unknown keyword; `undefined` if it is not reported. */
function hintFor(key: string, dialect: SchemaDialect): string | undefined {
  const known = getOrInsert(hints, dialect, () => new Map<string, string | undefined>());
  if (known.has(key)) return known.get(key);
  const hint = findHint(key, dialect);
  if (known.size < MOST_HINTS) known.set(key, hint);
  return hint;
}

/**
 * OpenAPI 2.0 and 3.0 allow no other keywords than theirs and extensions. JSON Schema allows any as annotations, so
 * only those that are close to one with an effect are taken for typing errors.
 */
function findHint(key: string, { name, keywords, isClosed }: SchemaDialect): string | undefined {
  const effective = effectiveKeywords(keywords);
  if (isClosed) return suggestName(key, effective, JSON.stringify);
  const meant = findTypingError(key, effective);
  if (meant !== undefined) return ` Did you mean ${JSON.stringify(meant)}?`;
  const foreign = findTypingError(key, EFFECTIVE_ANYWHERE);
  return foreign === undefined
    ? undefined
    : ` Did you mean ${JSON.stringify(foreign)}, which ${name} does not have either?`;
}

function effectiveKeywords(keywords: SchemaDialect['keywords']): string[] {
  return [...keywords].flatMap(([name, kind]) => (kind === 'none' || name.startsWith('x-') ? [] : [name]));
}

/** Keywords with an effect in some dialect, such as `nullable` of OpenAPI 3.0. */
const EFFECTIVE_ANYWHERE: ReadonlySet<string> = new Set(
  Object.values(SCHEMA_DIALECTS).flatMap(({ keywords }) => effectiveKeywords(keywords)),
);

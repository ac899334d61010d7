import type { Operation } from '../../model/api.js';
import type { MockRequest } from '../messages.js';

/** The caller, identified by its credential and, if given, the list of `--credentials`. */
export interface Caller {
  /** The identity for rate limits and inboxes: the key or token, or `anonymous`. */
  readonly id: string;
  /**
   * The account whose state the caller sees: the key or token, unless `--credentials` gives it another account. A
   * master key that acts on a sub account has `MASTER\\SUB`, where MASTER is the account of that key.
   */
  readonly account: string;
  readonly key?: string;
  readonly token?: string;
  readonly kind: 'anonymous' | 'user' | 'enterprise' | 'app-installation' | 'oauth-app' | 'workflow';
  readonly scopes: readonly string[];
  /** The names of the satisfied security schemes. */
  readonly schemes: readonly string[];
  /** The properties in the list of credentials, such as a plan or a quota; empty without a list. */
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** Identifies the caller of a request, or returns why it is refused. */
export type IdentifyCaller = (
  operation: Pick<Operation, 'security'>,
  request: Pick<MockRequest, 'headers'>,
  query: URLSearchParams,
) =>
  | { readonly ok: true; readonly caller: Caller }
  | {
      readonly ok: false;
      readonly status: 401 | 403;
      readonly message: string;
      readonly challenge?: string;
      readonly caller?: Caller;
    };

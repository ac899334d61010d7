import type { Operation } from '../../model/api.js';
import type { MockRequest } from '../messages.js';

/** The caller by its credential, resolved against `--credentials` if given. */
export interface Caller {
  /** Identity for limits and inboxes: the key or token, `anonymous` without one. */
  readonly id: string;
  /**
   * Whose state it is: the key or token, unless `--credentials` names another account for it; `MASTER\\SUB` where a
   * master key acts on a sub account, with the account of that key as MASTER.
   */
  readonly account: string;
  readonly key?: string;
  readonly token?: string;
  readonly kind: 'anonymous' | 'user' | 'enterprise' | 'app-installation' | 'oauth-app' | 'workflow';
  readonly scopes: readonly string[];
  /** Names of the security schemes that were satisfied. */
  readonly schemes: readonly string[];
  /** Its properties in the list of credentials, such as a plan or a quota; empty without a list. */
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** Whether a request may pass: a caller, or why not. */
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

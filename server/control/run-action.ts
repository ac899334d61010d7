import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { MockSandbox } from '../sandbox/mock-sandbox.js';
import type { AccountsSandbox } from '../sandbox/sandbox-view.js';
import { HttpError } from '../../http/http-error.js';
import type { Action } from '../handler-api.js';
import type { InferredBehaviour } from '../infer/infer-behaviour.js';
import type { DataCollections } from '../data/data-collection.js';
import type { SandboxHost } from '../sandbox/sandbox-host.js';
import type { MockDefinition } from '../mock-definition.js';
import { ControlError, refuseInvalid } from './control-error.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

export interface ServedApi {
  readonly api: Api;
  readonly definition: MockDefinition;
  readonly inferred: Partial<Pick<InferredBehaviour, 'describe'>>;
  /** The collections that can be filled. */
  readonly collections: DataCollections;
  readonly host: Pick<SandboxHost, 'fill' | 'scenarios'>;
}

/**
 * Runs an action. With state per account, tries the accounts one after another until one has what the input names.
 *
 * @throws ControlError 404 for an unknown action, 422 for bad input or a refusal.
 */
export async function runAction(
  served: ServedApi,
  sandbox: MockSandbox,
  call: { readonly name: string; readonly input: unknown },
): Promise<unknown> {
  const action = findAction(served, call.name);
  checkInput(served.api, action, call.input);
  const { isByAccount } = sandbox;
  return sandbox.transact((one) => runForAccounts(action, call.input, { sandbox: one, isByAccount }));
}

async function runForAccounts(
  action: Action,
  input: unknown,
  { sandbox, isByAccount }: { readonly sandbox: AccountsSandbox; readonly isByAccount: boolean },
): Promise<unknown> {
  const accounts = isByAccount ? await sandbox.accounts() : [''];
  let unknown: HttpError | undefined;
  for (const account of accounts) {
    try {
      return (await action.run(await sandbox.contextFor({ account }), input)) ?? null;
    } catch (error) {
      if (!HttpError.is(error)) throw error;
      if (error.status !== 404) throw new ControlError(422, error.message);
      unknown = error;
    }
  }
  throw new ControlError(422, unknown?.message ?? 'No account has made a call yet, so there is nothing to act on.');
}

function findAction({ definition: { actions = {} } }: ServedApi, name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  // Safe cast: the input is validated against the action's schema before the action runs.
  if (action !== undefined) return action as Action;
  const known = Object.keys(actions).sort().join(', ');
  throw new ControlError(
    404,
    `There is no action ${stringifyExactJson(name)}; ${known === '' ? 'this mock has none' : `there are ${known}`}.`,
  );
}

function checkInput(api: Api, action: Action, input: unknown): void {
  const errors = compileValidator(api, action.input, { direction: 'request' })(input);
  if (errors.length > 0)
    throw refuseInvalid(errors.map(({ pointer, message }) => ({ in: 'body', pointer, message }) as const));
}

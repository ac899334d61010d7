import { lowerCaseNames } from '../../http/messages.js';
import { isHeader } from '../../config/check-config.js';
import type {
  ContractConfig,
  ContractHookRequest,
  ContractHookRun,
  ContractRequestChange,
  ContractSetUp,
} from '../../config/contract-config.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isRecord } from '../../model/document/records.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

type HookName = 'before' | 'beforeEach' | 'after';

/** The hooks that the user gave. */
export type GivenHooks = { readonly [Name in HookName]: ContractConfig[Name] | undefined };

/** Calls the user's hooks, checks their results and explains their errors. */
export class Hooks {
  readonly #hooks: GivenHooks;
  readonly #run: ContractHookRun;

  constructor(hooks: GivenHooks, run: ContractHookRun) {
    this.#hooks = hooks;
    this.#run = run;
  }

  get hasBefore(): boolean {
    return this.#hooks.before !== undefined;
  }

  /** @throws InputError if the hook fails or returns an invalid value. */
  async before(): Promise<ContractSetUp> {
    const made = await this.#call('before', async () => this.#hooks.before?.(this.#run));
    const given = readMembers('before', made, ['headers', 'headersFor', 'parameters']);
    if (given['headersFor'] !== undefined && !isRecord(given['headersFor']))
      throw wrong('before', 'headersFor that is no object');
    for (const headers of Object.values(given['headersFor'] ?? {})) checkHeaders('before', headers);
    if (given['parameters'] !== undefined && !isRecord(given['parameters']))
      throw wrong('before', 'parameters that are no object');
    return given;
  }

  /** @throws InputError if the hook fails or returns an invalid value. */
  async beforeEach(request: ContractHookRequest): Promise<ContractRequestChange> {
    const { beforeEach } = this.#hooks;
    if (beforeEach === undefined) return {};
    const made = await this.#call('beforeEach', async () => beforeEach(request, this.#run));
    const given = readMembers('beforeEach', made, ['url', 'headers', 'body']);
    if (given['url'] !== undefined && !(typeof given['url'] === 'string' && URL.canParse(given['url'])))
      throw wrong('beforeEach', 'an invalid url');
    if (given['body'] !== undefined && typeof given['body'] !== 'string')
      throw wrong('beforeEach', 'a body that is no text');
    return given;
  }

  /** @throws InputError if the hook fails. */
  async after(): Promise<void> {
    await this.#call('after', async () => this.#hooks.after?.(this.#run));
  }

  async #call<Result>(name: HookName, hook: () => Promise<Result>): Promise<Result> {
    try {
      return await hook();
    } catch (error) {
      throw new InputError(`The hook ${name} of the contract tests failed: ${reasonOf(error)}.`, {}, { cause: error });
    }
  }
}

/** The message of an error and of its cause: `fetch failed` alone does not say why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/\.$/, '');
  return error.cause instanceof Error ? `${message} (${reasonOf(error.cause)})` : message;
}

function readMembers(hook: HookName, given: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if (!isRecord(given)) throw wrong(hook, `no object with ${names.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong(hook, `an unknown member ${unknown}; it can give ${names.join(', ')}`);
  const headers = given['headers'];
  return headers === undefined ? given : { ...given, headers: lowerCaseNames(checkHeaders(hook, headers)) };
}

function checkHeaders(hook: HookName, headers: unknown): Record<string, string> {
  if (!isRecord(headers)) throw wrong(hook, 'headers that are no object');
  const bad = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  if (bad !== undefined) throw wrong(hook, `a header ${stringifyExactJson(bad[0])} that HTTP cannot carry`);
  return headers as Record<string, string>;
}

function wrong(hook: HookName, what: string): InputError {
  return new InputError(`The hook ${hook} of the contract tests gave ${what}.`);
}

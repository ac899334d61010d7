import type { Api } from '../../model/api.js';
import type { StartData } from '../data/start-data.js';
import type { Scenarios } from '../faults/fault.js';
import type { CheckItem } from './check-item.js';
import type { HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { StateBackend } from '../stores/replicated/state-backend.js';
import type { StateLimits } from './state-budget.js';
import type { BytesVault } from './bytes-vault.js';
import type { CallbackPolicy } from './webhook-post.js';
import type { Redact } from '../../http/secrets/redaction.js';
import type { JournalDraft, JournalEntry } from './sandbox.js';

/** A call that was just added to the journal. */
export interface ObservedCall {
  readonly sandbox: string;
  readonly draft: JournalDraft;
  /** With credentials redacted. */
  readonly entry: () => JournalEntry;
}

/** Work of the mock outside of calls: a job or an attempt to deliver a callback. Final failures are in the journal. */
export interface ObservedWork {
  readonly sandbox: string;
  readonly kind: 'job' | 'callback';
  /** The name of the job, or the address of the callback with credentials redacted. */
  readonly name: string;
  /** `done` or `delivered`, or why another attempt follows. */
  readonly outcome: string;
}

/** The parts that the sandboxes of a mock share. */
export interface SandboxHost {
  readonly api: Api;
  readonly definition: MockDefinition;
  readonly config: unknown;
  readonly realName: (word: string) => string;
  readonly redact: Redact;
  readonly vault: BytesVault;
  readonly seed: number;
  readonly callbacks: CallbackPolicy;
  readonly onCall?: (call: ObservedCall) => void;
  /** Called after work outside of calls, for all sandboxes. */
  readonly onWork?: (work: ObservedWork) => void;
  readonly options: Readonly<Record<string, unknown>>;
  /** Fills all collections that are otherwise filled on first use, so that the whole state can be read. */
  readonly fill: (context: HandlerContext) => Promise<void>;
  /** Checks restored items of inferred collections. */
  readonly checkInferred: CheckItem;
  /** The items that every sandbox starts with. */
  readonly startData?: StartData;
  /** Named lists of faults. */
  readonly scenarios?: Scenarios;
  /** The memory for the state. */
  readonly stateLimits?: StateLimits;
  /** Stores the sandboxes outside of this process. */
  readonly backend?: StateBackend;
}

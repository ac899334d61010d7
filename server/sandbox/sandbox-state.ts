import type { Api } from '../../model/api.js';
import type { CheckItem } from './check-item.js';
import type { HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { Store } from '../stores/store.js';
import type { StateBackend } from '../stores/replicated/state-backend.js';
import type { BytesVault } from './blob-cache.js';
import type { CallbackQueues } from './webhook-queue.js';
import type { FaultList } from './fault-list.js';
import type { JournalRing } from '../../http/journal/journal.js';
import type { CallbackPolicy } from './webhook-post.js';
import type { Redact } from '../../http/secrets/redaction.js';
import type { JournalDraft, JournalEntry } from './sandbox.js';
import type { Clock } from './clock.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { SeededRandom } from './seeded-random.js';

/** A call, when the journal gets it. */
export interface ObservedCall {
  readonly sandbox: string;
  readonly draft: JournalDraft;
  /** With credentials redacted. */
  readonly entry: () => JournalEntry;
}

/** Work of the mock without a call: a job, or an attempt to deliver a callback. The last failed attempt is a call of the journal. */
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
  /** Gets what each sandbox did without a call. */
  readonly onWork?: (work: ObservedWork) => void;
  readonly options: Readonly<Record<string, unknown>>;
  /** Fills all collections that are filled on first use, so that the state can be read as a whole. */
  readonly fill: (context: HandlerContext) => Promise<void>;
  /** Checks a restored item of a collection that is inferred. */
  readonly checkInferred: CheckItem;
  /** Keeps the sandboxes outside of the memory of this process. */
  readonly backend?: StateBackend;
}

export interface ContextParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: HandlerContext['random'];
  readonly memory: Map<string, object>;
  readonly sendCallback: HandlerContext['sendCallback'];
}

/** The parts of a sandbox that a reset replaces. */
export interface SandboxLife {
  readonly store: Store;
  /** Gives back the memory of the state. */
  readonly releaseState: () => void;
  readonly clock: SandboxClock;
  readonly random: SeededRandom;
  readonly journal: JournalRing;
  readonly faults: FaultList;
  readonly callbacks: CallbackQueues;
  readonly memory: Map<string, object>;
  /** Contexts by account, `''` for the sandbox as a whole. */
  readonly contexts: Map<string, HandlerContext>;
  /** Accounts that are being filled with the seed. */
  readonly seeding: Map<string, Promise<void>>;
}

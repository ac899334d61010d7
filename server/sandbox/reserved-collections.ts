/** The mock's own collections, stored with the API's for snapshots. Names of the API's never start with `#`. */
export const JOBS = '#jobs';
export const CALLBACKS = '#callbacks';
export const COUNTERS = '#counters';
/** The accounts that were seeded; `''` is the sandbox as a whole. */
export const SEEDED = '#seeded';
/** The inferred collections that were filled with examples. Part of the state, so snapshots contain it. */
export const EXAMPLES = '#examples';
/** The paths of inferred collections whose items were given, by a file or by the control API. */
export const DATA = '#data';
/** Records of a sandbox, by the ids below. */
export const META = '#sandbox';
/** Leases for work that only one process at a time may do. */
export const LEASES = '#leases';
/** Callback URLs given by web pages of other origins. */
export const FOREIGN = '#foreign';
/** Collections that snapshots leave out. */
export const UNSEEN: readonly string[] = [META, LEASES, FOREIGN];

/** Ids in {@link META}. */
export const CLOCK = 'clock';
export const FAULTS = 'faults';
export const SCENARIOS = 'scenarios';
export const RANDOM = 'random';
/** Changes with each reset, so that processes drop what they keep outside of the store. */
export const EPOCH = 'epoch';
/** The start data that a sandbox has: the hash of the files, for each account. */
export const START_DATA = 'start-data';

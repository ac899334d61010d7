import type { Api } from '../model/api.js';
import type { ResolvedApi } from '../config/config-types.js';
import { type Diagnostic, isLocated } from '../model/diagnostics/diagnostic.js';
import { isUrl } from '../model/document/address.js';
import { mergeLoading } from '../config/option-checks.js';
import { SpecError } from '../model/diagnostics/spec-error.js';
import type { LoadedEmitter } from './emitter-kit/load-emitters.js';
import { type GenerateOptions, type GenerateRun, resolveRun } from './generate-options.js';
import { describeWork, isUpToDate, knownInputs } from './freshness.js';
import { type Manifest, readManifest } from './manifest.js';
import { stampOutput } from './output-stamp.js';
import { chooseEmitters, runEmitters } from './run-emitters.js';
import { type FileChange, type OutputPlan, planOutput, writeOutput } from './write-output.js';

/** The result for one API. */
export interface ApiResult {
  readonly name: string;
  /** Absolute path of the output folder. */
  readonly output: string;
  /**
   * `failed`: its spec is broken or its output cannot be written, and the old output is unchanged. `out-of-date`: only
   * with `check`.
   */
  readonly status: 'unchanged' | 'written' | 'out-of-date' | 'failed';
  /** How many files the output has. */
  readonly files: number;
  /** The files written or removed; with `check`, those that would be. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many diagnostics an unchanged output had when it was generated; they are not reported again. */
  readonly earlierDiagnostics?: number;
  /** Set if it failed for a reason that is not among the diagnostics. */
  readonly error?: Error;
  /** Absolute paths (or URLs) of the input files of the output, as far as known. */
  readonly inputs: readonly string[];
  /** Milliseconds. */
  readonly ms: number;
}

/** An input that was fetched from a URL. */
export interface FetchedInput {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The result of a run. */
export interface GenerateResult {
  readonly apis: readonly ApiResult[];
  /** The inputs that were fetched, and the headers that were sent for them. */
  readonly fetched: readonly FetchedInput[];
  /** Absolute path of the configuration that was read, if one was. */
  readonly configFile?: string;
}

/**
 * Generates the output of the configured APIs. Only files that changed are written; an API that fails keeps its old
 * output, and the others continue.
 *
 * @throws InputError if the configuration is missing or invalid, or names something that does not exist.
 * @example
 * const { apis } = await generate({ apis: ['signing'], check: true });
 * if (apis.some(({ status }) => status === 'out-of-date')) console.log('run specmill generate');
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const run = await resolveRun(options);
  for (const api of run.apis) chooseEmitters(api);
  const apis: ApiResult[] = [];
  for (const api of run.apis) apis.push(await generateApi(api, run));
  return {
    apis,
    fetched: findFetched(apis, run),
    ...(run.configFile === undefined ? {} : { configFile: run.configFile }),
  };
}

/** Returns the fetched inputs. The headers of an API are sent only to the origins of its specs. */
function findFetched(apis: readonly ApiResult[], run: GenerateRun): FetchedInput[] {
  return apis.flatMap(({ inputs }, index) => {
    const { specs = [], load } = run.apis[index] ?? {};
    const origins = new Set(specs.filter(isUrl).map((spec) => new URL(spec).origin));
    return inputs
      .filter(isUrl)
      .map((url) => ({ url, headers: origins.has(new URL(url).origin) ? { ...load?.headers, ...run.headers } : {} }));
  });
}

type Outcome = Omit<ApiResult, 'name' | 'output' | 'ms'>;

async function generateApi(api: ResolvedApi<LoadedEmitter>, run: GenerateRun): Promise<ApiResult> {
  const start = performance.now();
  const old = readManifest(api.output);
  const diagnostics: Diagnostic[] = [];
  let outcome: Outcome;
  try {
    outcome = isUpToDate(api, old, run.strict) ? unchanged(api, old) : await regenerate(api, run, { old, diagnostics });
  } catch (error) {
    if (error instanceof SpecError) diagnostics.push(...error.diagnostics);
    const reason =
      error instanceof SpecError ? {} : { error: error instanceof Error ? error : new Error(String(error)) };
    outcome = { status: 'failed', files: 0, changes: [], diagnostics, inputs: knownInputs(api, old), ...reason };
  }
  return { name: api.name, output: api.output, ms: Math.round(performance.now() - start), ...outcome };
}

function unchanged(api: ResolvedApi<LoadedEmitter>, old: Manifest): Outcome {
  const files = Object.keys(old.files).length;
  const earlier = old.diagnostics === 0 ? {} : { earlierDiagnostics: old.diagnostics };
  return { status: 'unchanged', files, changes: [], diagnostics: [], ...earlier, inputs: knownInputs(api, old) };
}

interface LastRun {
  readonly old: Manifest | undefined;
  /** Filled during the run. */
  readonly diagnostics: Diagnostic[];
}

async function regenerate(config: ResolvedApi<LoadedEmitter>, run: GenerateRun, last: LastRun): Promise<Outcome> {
  run.onProgress({ api: config.name, step: 'reading' });
  const api = await readApi(config, run, (diagnostic) => void last.diagnostics.push(diagnostic));
  last.diagnostics.push(...api.diagnostics);
  const plan = isRefused(last.diagnostics, run) ? undefined : await planApi(api, config, { ...last, run });
  const isBroken = plan === undefined || isRefused(last.diagnostics, run);
  const result = isBroken
    ? BROKEN
    : { status: finish(plan, run.check), files: Object.keys(plan.manifest.files).length, changes: plan.changes };
  return { ...result, diagnostics: await locateAll(last.diagnostics, api), inputs: api.files.map((file) => file.path) };
}

const BROKEN = { status: 'failed', files: 0, changes: [] } as const;

async function planApi(
  api: Api,
  config: ResolvedApi<LoadedEmitter>,
  { old, diagnostics, run }: LastRun & { readonly run: GenerateRun },
): Promise<OutputPlan> {
  const onStart = (step: string): void => run.onProgress({ api: config.name, step });
  const files = await runEmitters(api, config, {
    report: (diagnostic) => void diagnostics.push(diagnostic),
    onStart,
  });
  onStart('writing');
  return planOutput({
    folder: config.output,
    files,
    style: config,
    old,
    describe: () => ({ ...describeWork(config, api), diagnostics: diagnostics.filter(isOfSpec).length }),
  });
}

/** Whether a diagnostic is the same on every machine: the manifest is checked in. */
function isOfSpec({ code }: Diagnostic): boolean {
  return code !== 'peer-missing';
}

/** Adds line and column to the diagnostics of emitters. */
async function locateAll(diagnostics: readonly Diagnostic[], { files }: Api): Promise<readonly Diagnostic[]> {
  if (diagnostics.every(isLocated)) return diagnostics;
  const { locateDiagnostics } = await import('../model/diagnostics/locate-diagnostics.js');
  return locateDiagnostics(diagnostics, files);
}

function finish(plan: OutputPlan, check: boolean): ApiResult['status'] {
  if (check) return plan.changes.length === 0 ? 'unchanged' : 'out-of-date';
  writeOutput(plan);
  stampOutput(plan.folder, plan.manifest);
  return plan.changes.length === 0 ? 'unchanged' : 'written';
}

/** Whether the new output is refused: the old output is better than an incomplete one from a spec with errors. */
function isRefused(diagnostics: readonly Diagnostic[], { strict }: GenerateRun): boolean {
  return diagnostics.some(({ severity }) => strict || severity === 'error');
}

async function readApi(
  config: ResolvedApi<LoadedEmitter>,
  { allowRemote, headers, root }: GenerateRun,
  report: (diagnostic: Diagnostic) => void,
): Promise<Api> {
  const [{ loadApi }, { checkCorrections }, { selectOperations }, { renameOperations }] = await Promise.all([
    import('../model/load-api.js'),
    import('../resources/check-corrections.js'),
    import('../config/select-operations.js'),
    import('./rename-operations.js'),
  ]);
  const given = { headers, allowRemote, ...(root === undefined ? {} : { root }) };
  const options = { ...mergeLoading(config.load, given), vendor: config.vendor };
  const loaded = await checkCorrections(await loadApi(config.specs, options));
  return renameOperations(selectOperations(loaded, config), config.names, report);
}

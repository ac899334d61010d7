import path from 'node:path';

import type { Api } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import type { ValidateCommand } from '../../generated/options/types.js';
import type { RunCommand } from '../command.js';
import { pickOptions } from '../read-flags.js';
import { EXIT, type ExitStatus, type Io, printJson, toTerminalText } from '../io.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { formatPlace, showPath } from '../format-place.js';
import { type DescribedError, describeError } from '../print-error.js';
import { UsageError } from '../usage-error.js';
import {
  type DocumentProblem,
  type ValidateDocument,
  createDocumentValidator,
  validateFile,
} from '../../schema/validate-document.js';
import { readConfig } from '../../generator/generate-options.js';
import { isSpecAddress, resolveAddress } from '../../model/document/address.js';
import { BUILT_IN_APIS, findSpecs } from '../../config/built-in-apis.js';
import { hasConfig } from '../../config/load-config.js';
import { type SpecOptions, mergeLoading, resolveLoading } from '../../config/option-checks.js';
import { resolveApis, unknownApi } from '../../config/resolve-config.js';
import { parseVendor, renameText } from '../../model/rename-vendor.js';

interface FileResult {
  readonly file: string;
  readonly valid: boolean;
  readonly errors: readonly DocumentProblem[];
  /** Set if the file could not be read. */
  readonly error?: DescribedError;
}

export const runValidate: RunCommand<ValidateCommand> = async ([target = '', ...files], flags, io) => {
  const [name, schemaName] = splitTarget(target);
  const api = await loadApiByName(name, {
    cwd: io.cwd,
    configFile: flags.config,
    vendor: flags.vendor,
    ...pickOptions('ReadingOptions', flags),
  });
  const errors = api.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new SpecError(errors);
  const inexact: Diagnostic[] = [];
  const validate = createDocumentValidator(api, schemaName || rootSchemaOf(api, name), (problem) =>
    inexact.push(problem),
  );
  const served = schemaName === undefined ? await findServedCheck(name, api, flags.vendor) : undefined;
  const results: FileResult[] = [];
  for (const file of files) {
    const result = await checkFile(file, validate, io);
    results.push(result.valid && served !== undefined ? await checkServed(file, served, io) : result);
  }
  printDiagnostics(inexact, io, { withInfos: false });
  if (flags.json === true) printJson(io, { files: results });
  else for (const result of results) printResult(result, io);
  return statusOf(results);
};

type ServedCheck = (file: string) => Promise<void>;

/** The check of the API's own mock, so that a file which passes is one that the mock serves. */
async function findServedCheck(name: string, api: Api, vendor: string | undefined): Promise<ServedCheck | undefined> {
  if (isSpecAddress(name)) return undefined;
  const { loadBuiltInBehaviour } = await import('../../server/load-behaviour.js');
  const { checkDocument } = (await loadBuiltInBehaviour(name)) ?? {};
  if (checkDocument === undefined) return undefined;
  const names = vendor === undefined ? undefined : parseVendor(vendor);
  const realName = (word: string): string => (names === undefined ? word : renameText(word, names));
  return async (file) => checkDocument(file, { api, realName });
}

async function checkServed(file: string, check: ServedCheck, io: Io): Promise<FileResult> {
  try {
    await check(path.resolve(io.cwd, file));
    return { file, valid: true, errors: [] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { file: at = path.resolve(io.cwd, file), line = 1, column = 1, pointer = '' } = error.place;
    const problem = { file: at, line, column, pointer, message: error.message, keyword: 'served' };
    return { file, valid: false, errors: [problem] };
  }
}

function splitTarget(target: string): readonly [string, string | undefined] {
  const hash = target.indexOf('#');
  return hash === -1 ? [target, undefined] : [target.slice(0, hash), target.slice(hash + 1)];
}

function rootSchemaOf(api: Api, name: string): string {
  if (api.rootSchema !== undefined) return api.rootSchema;
  const [example] = api.schemas.keys();
  if (example === undefined) throw new UsageError(`The spec of ${name} has no schema with a name to validate against.`);
  throw new UsageError(
    `The spec of ${name} is not a single schema; name the one you mean, such as ${name}#${example}.`,
  );
}

async function checkFile(file: string, validate: ValidateDocument, io: Io): Promise<FileResult> {
  try {
    const errors = await validateFile(file, validate, io.cwd);
    return { file, valid: errors.length === 0, errors };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { file, valid: false, errors: [], error: describeError(error) };
  }
}

function printResult({ file, valid, errors, error }: FileResult, io: Io): void {
  if (error !== undefined) io.err(`specmill: ${formatPlace(error, io.cwd)}${toTerminalText(error.message)}\n`);
  else if (valid) io.out(`${toTerminalText(showPath(file, io.cwd))} is valid\n`);
  for (const problem of errors) io.err(`${formatPlace(problem, io.cwd)}error ${toTerminalText(problem.message)}\n`);
}

/** An unreadable file takes precedence over an invalid one. */
function statusOf(results: readonly FileResult[]): ExitStatus {
  if (results.some(({ error }) => error !== undefined)) return EXIT.failed;
  return results.every(({ valid }) => valid) ? EXIT.done : EXIT.found;
}

/** Where a command looks for APIs. */
interface ApiLookup extends SpecOptions {
  readonly cwd: string;
  /** As given on the command line. */
  readonly configFile: string | undefined;
  /** As given on the command line; overrides the configured one. */
  readonly vendor: string | undefined;
}

/**
 * Loads the API of a path or URL, or by its name in the user's configuration with the configured vendor names, else the
 * one that comes with specmill.
 *
 * @throws InputError if no API has that name, or the configuration is invalid.
 * @throws SpecError if its spec cannot be used.
 */
async function loadApiByName(name: string, lookup: ApiLookup): Promise<Api> {
  const { cwd, configFile, vendor } = lookup;
  const given = resolveLoading(lookup, cwd);
  const { loadApi } = await import('../../model/load-api.js');
  if (isSpecAddress(name)) return loadApi(resolveAddress(cwd, name), { ...given, vendor });
  const isConfigured = configFile !== undefined || hasConfig(cwd);
  const { config, folder, file } = isConfigured
    ? await readConfig(cwd, configFile)
    : { config: { apis: {} }, folder: path.resolve(cwd), file: undefined };
  const specs = findSpecs(name, { ...config, folder });
  if (specs === undefined)
    throw unknownApi(name, {
      configured: isConfigured ? Object.keys(config.apis) : undefined,
      packaged: BUILT_IN_APIS,
    });
  const configured = Object.entries(config.apis).find(([known]) => known === name)?.[1];
  const [api] = configured === undefined ? [] : resolveApis(config, folder, { file, names: [name] });
  return loadApi(specs, { ...mergeLoading(api?.load, given), vendor: vendor ?? api?.vendor });
}

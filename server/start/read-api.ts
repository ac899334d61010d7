import type { Api } from '../../model/api.js';
import { type OperationChoice, selectOperations } from '../../config/select-operations.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { parseVendor, type VendorNames } from '../../model/brand/parse-vendor.js';

/** Which documents make an API, and what of them is wanted. */
export interface ApiChoice {
  readonly specs: readonly string[];
  /** Absent: all of it. */
  readonly operations: OperationChoice | undefined;
  readonly vendor: string | undefined;
}

/** An API in the words in which it is served. */
export interface SpokenApi {
  readonly api: Api;
  /** What users see of it: with the real names. */
  readonly shown: Api;
  /** The real names that are to be put in the place of the words of `api`. */
  readonly vendor: VendorNames | undefined;
}

/**
 * Reads an API with the real names in it. Where it must keep the words of its documents, those names are left for the
 * boundary.
 *
 * @throws SpecError where the spec cannot be used.
 */
export async function readApi(choice: ApiChoice, keepsWords: boolean): Promise<SpokenApi> {
  const { specs, operations, vendor } = choice;
  const real = await loadSpec(specs, vendor);
  const shown = operations === undefined ? real : selectOperations(real, operations);
  if (vendor === undefined || !keepsWords) return { api: shown, shown, vendor: undefined };
  const api = await loadSpec(specs, undefined);
  return { api: shown === real ? api : selectAlike(api, real, shown), shown, vendor: parseVendor(vendor) };
}

/** Paths and ids are chosen by their real names; the operations of both readings stand in the same order. */
function selectAlike(api: Api, real: Api, shown: Api): Api {
  const chosen = new Set(shown.operations.map(({ id }) => id));
  const operations = api.operations.flatMap(({ id }, index) =>
    chosen.has(real.operations[index]?.id ?? '') ? [id] : [],
  );
  const none = { tags: [], paths: [], operations: [] };
  return selectOperations(api, { include: { ...none, operations }, exclude: none });
}

async function loadSpec(specs: readonly string[], vendor: string | undefined): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  const api = await loadApi(specs, { vendor });
  const errors = api.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && api.operations.length === 0) throw new SpecError(errors);
  return api;
}

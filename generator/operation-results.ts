import type { ApiResponse, Operation } from '../model/api.js';

/**
 * The responses that a call returns. They are the documented 2xx; without any, the redirects of an operation that only
 * redirects; else the default, whose status is then one of 2xx.
 */
export function successesOf({ responses }: Operation): ApiResponse[] {
  const [succeeded = [], redirects = [], rest = []] = [isSuccess, isRedirection, isInformation].map((test) =>
    responses.filter(({ status }) => test(status)),
  );
  if (succeeded.length > 0) return succeeded;
  if (redirects.some(({ status }) => status !== '304')) return redirects;
  const defaults = responses.filter(({ status }) => status === 'default');
  return defaults.length > 0 ? defaults : [...redirects, ...rest];
}

/** The documented responses that a call throws: a `default` too, also where its 2xx are returned. `fetch` passes on no 1xx. */
export function failuresOf(operation: Operation): ApiResponse[] {
  const successes = new Set(successesOf(operation).filter(({ status }) => status !== 'default'));
  return operation.responses.filter((response) => !successes.has(response) && !isInformation(response.status));
}

/** Whether a call returns redirects, so that `fetch` must not follow them. */
export function returnsRedirects(operation: Operation): boolean {
  return successesOf(operation).some(({ status }) => isRedirection(status));
}

const isSuccess = (status: string): boolean => status.startsWith('2');
const isRedirection = (status: string): boolean => status.startsWith('3');
const isInformation = (status: string): boolean => status.startsWith('1');

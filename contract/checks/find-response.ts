import type { ApiResponse, Operation } from '../../model/api.js';

/** What a spec says about a status: exactly, by its range, else by default. */
export function findResponse({ responses }: Operation, status: number): ApiResponse | undefined {
  const range = `${Math.floor(status / 100)}xx`;
  return (
    responses.find((response) => response.status === String(status)) ??
    responses.find((response) => response.status.toLowerCase() === range) ??
    responses.find((response) => response.status === 'default')
  );
}

import type { TestProject } from 'vitest/node';

// In your own project: import { startMock } from 'specmill/mock'.
import { startMock } from '../../entry/mock.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly mockUrl: string;
  }
}

/** Starts one mock for all workers, before the first of them; vitest calls what is given back after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mock = await startMock('signing', { port: 0 });
  project.provide('mockUrl', mock.url);
  return () => mock.close();
}

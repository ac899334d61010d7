import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Task<T> {
  readonly value?: T;
  readonly error?: string;
}

/** Runs a task whenever one of its inputs changes. Keeps the last value until the next one is available. */
export function useTask<T>(run: () => Promise<T>, inputs: readonly unknown[]): Task<T> {
  const [task, setTask] = useState<Task<T>>({});
  useEffect(() => {
    let isCurrent = true;
    run().then(
      (value) => isCurrent && setTask({ value }),
      (error: unknown) => isCurrent && setTask((before) => ({ ...before, error: messageOf(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, inputs);
  return task;
}

/** Runs actions of the user and keeps the error of the last one, if it failed. */
export function useAction(): {
  readonly error: string | undefined;
  readonly perform: (run: () => Promise<unknown>) => Promise<boolean>;
} {
  const [error, setError] = useState<string>();
  const perform = useCallback(async (run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run();
      setError(undefined);
      return true;
    } catch (failure) {
      setError(messageOf(failure));
      return false;
    }
  }, []);
  return { error, perform };
}

export function Alert({ error }: { readonly error: string | undefined }): JSX.Element | null {
  return error === undefined ? null : (
    <p class="alert" role="alert">
      {error}
    </p>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

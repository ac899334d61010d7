import { playLives } from '../contract/lives/play-lives.js';
import type { LifeProblem } from '../contract/lives/life.js';
import type { Explanation } from '../entry/specmill.js';
import { type Mock, startMock } from '../entry/mock.js';
import { type Io, toTerminalText } from './io.js';

/** Larger specs are not played at the start of a mock: `specmill explain --check` does it. */
const MOST_OPERATIONS = 60;
/** The time in which resources are played, in milliseconds. */
const MAX_TIME = 150;

/** A mock, and how the user named its API. */
interface NamedMock {
  readonly word: string;
  readonly mock: Mock<object>;
}

/**
 * Creates, reads and lists an item of each resource in a second mock of the same spec, and prints a line for each resource
 * that does not keep what is inferred. The state and the journal of the running mock stay as they are.
 */
export async function checkLives({ word, mock }: NamedMock, io: Io): Promise<void> {
  if (mock.api.operations.length > MOST_OPERATIONS) return;
  const response = await mock.fetch(`${mock.url}/__specmill/page/resources.json`);
  const { resources, handled } = (await response.json()) as Explanation;
  await using fresh = await startMock(mock.api, { noRateLimit: true });
  const started = performance.now();
  const isOver = (): boolean => performance.now() - started > MAX_TIME;
  const problems = await playLives(mock.api, resources, fresh, { isShort: true, isOver });
  for (const problem of firstOfEach(problems.filter(({ operationId }) => !handled.includes(operationId))))
    io.err(`${toTerminalText(describeProblem(problem, word))}\n`);
}

function firstOfEach(problems: readonly LifeProblem[]): readonly LifeProblem[] {
  return problems.filter(({ path }, index) => problems.findIndex((one) => one.path === path) === index);
}

function describeProblem({ path, operationId, message }: LifeProblem, word: string): string {
  return (
    `specmill: ${path} does not work as inferred: ${operationId}: ${message}; ` +
    `"specmill explain ${word} ${path}" shows why, and "resources" in the configuration corrects it`
  );
}

import { expect, test } from 'vitest';

import { workflowCommand } from '../../reports/workflow-command.js';

test.each([
  ['an escape sequence of a terminal', '\u001b]0;title\u0007\u001b[2J', '\\u001b]0;title\\u0007\\u001b[2J'],
  ['a character that changes the reading order', 'a\u202eb', 'a\\u202eb'],
  ['a carriage return, which overwrites a line', 'a\rb', 'a\\u000db'],
  ['line breaks, which would begin a new command', 'a\n::set-output::b\r\nc', 'a%0A::set-output::b%0Ac'],
  ['percent signs', '100%0A', '100%250A'],
])('a workflow command escapes %s', (_what, text, shown) => {
  expect(workflowCommand('error', {}, text)).toBe(`::error ::${shown}`);
});

test('the properties of a workflow command are escaped like its text', () => {
  expect(workflowCommand('error', { title: 'a:b,\u001b\n' }, '')).toBe('::error title=a%3Ab%2C\\u001b%0A::');
});

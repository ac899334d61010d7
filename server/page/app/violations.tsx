import type { JSX } from 'preact';

import type { Violation } from '../../../http/messages.js';

export function Violations(props: {
  readonly title: string;
  readonly violations: readonly Violation[];
}): JSX.Element | null {
  if (props.violations.length === 0) return null;
  return (
    <div class="violations">
      <p>
        <strong>{props.title}</strong>
      </p>
      <ul>
        {props.violations.map(({ in: place, pointer, message }) => (
          <li>
            <code>
              {place} {pointer}
            </code>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

import type { JSX } from 'preact';

export interface ShownViolation {
  readonly in: string;
  readonly pointer: string;
  readonly message: string;
}

export function Violations(props: {
  readonly title: string;
  readonly violations: readonly ShownViolation[];
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

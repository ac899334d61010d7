import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

/** A disclosure whose content is rendered only while it is open. */
export function Opener(props: {
  readonly label: ComponentChildren;
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  return (
    <span class="opener">
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {props.label}
      </button>
      {isOpen ? <div class="opened">{props.children()}</div> : null}
    </span>
  );
}

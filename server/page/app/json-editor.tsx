import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { createEditor, type PrismEditor } from 'prism-code-editor';
import 'prism-code-editor/prism/languages/json';

/** A text field with JSON highlighting. It is a real textarea with a label. */
export function JsonEditor(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<PrismEditor>(undefined);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;
  useEffect(() => {
    if (box.current === null) return undefined;
    const made = createEditor(box.current, {
      language: 'json',
      lineNumbers: false,
      wordWrap: true,
      value: props.value,
      onUpdate: (value) => onChange.current(value),
    });
    made.textarea.setAttribute('aria-label', props.label);
    editor.current = made;
    return () => made.remove();
  }, []);
  useEffect(() => {
    if (editor.current !== undefined && editor.current.value !== props.value)
      editor.current.setOptions({ value: props.value });
  }, [props.value]);
  return <div class="editor" ref={box} />;
}

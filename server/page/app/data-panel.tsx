import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { parseExactJson, stringifyExactJson } from '../../../runtime/json-integers.js';
import type { DescribedField, DescribedForm } from '../views.js';
import type { DataItems } from './control-client.js';
import { Alert, messageOf, useAction, useTask } from './load.js';
import type { PanelProps } from './panel-props.js';

const NO_FORMS: { readonly forms: readonly DescribedForm[] } = { forms: [] };

/** The most items of a collection that are shown. */
const SHOWN = 20;

/** The item that is edited, or a new one. */
interface Edited {
  readonly path: string;
  /** Absent: the item is new. */
  readonly index?: number;
}

/** The items of the sandbox by collection, with a form to add and edit them, and a field to load a file. */
export function DataPanel({ control, changes }: PanelProps): JSX.Element {
  const [own, setOwn] = useState(0);
  const { value: data, error } = useTask(() => control.getData(), [control, changes, own]);
  const { value: { forms } = NO_FORMS, error: formError } = useTask(() => control.getForms(), [control]);
  const [edited, setEdited] = useState<Edited>();
  const { error: failure, perform } = useAction();
  const change = async (run: () => Promise<unknown>): Promise<void> => {
    if (!(await perform(run))) return;
    setEdited(undefined);
    setOwn((count) => count + 1);
  };
  const replaceAt = (items: readonly unknown[], index: number, ...next: unknown[]): readonly unknown[] =>
    items.toSpliced(index, 1, ...next);
  const load = (file: File): Promise<void> => change(async () => control.loadDataFile(file.name, await file.text()));
  return (
    <>
      <Alert error={error ?? formError ?? failure} />
      <p class="row">
        <label class="field">
          <span>Load a file (JSON, YAML, CSV, NDJSON)</span>
          <input
            type="file"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) void load(file);
            }}
          />
        </label>
      </p>
      {data !== undefined && Object.keys(data).length === 0 ? <p>This mock keeps no items.</p> : null}
      {Object.entries(data ?? {}).map(([path, items]) => {
        const form = forms.find((one) => one.path === path);
        return (
          <Collection
            key={path}
            path={path}
            items={items}
            form={form}
            edited={edited?.path === path ? edited : undefined}
            onEdit={setEdited}
            onDelete={(index) => void change(() => control.putData({ [path]: replaceAt(items, index) }))}
            onSave={(item, index) =>
              void change(() =>
                index === undefined
                  ? control.addData({ [path]: [item] })
                  : control.putData({ [path]: replaceAt(items, index, item) }),
              )
            }
          />
        );
      })}
    </>
  );
}

interface CollectionProps {
  readonly path: string;
  readonly items: DataItems[string];
  readonly form: DescribedForm | undefined;
  readonly edited: Edited | undefined;
  readonly onEdit: (edited: Edited | undefined) => void;
  readonly onDelete: (index: number) => void;
  readonly onSave: (item: unknown, index: number | undefined) => void;
}

function Collection({ path, items, form, edited, onEdit, onDelete, onSave }: CollectionProps): JSX.Element {
  const isFlat = !path.includes('{');
  return (
    <section aria-label={path}>
      <h2>
        <code>{path}</code> <span class="muted">{items.length === 1 ? '1 item' : `${items.length} items`}</span>
      </h2>
      {isFlat ? (
        <button type="button" onClick={() => onEdit({ path })}>
          Add an item
        </button>
      ) : null}
      {edited === undefined ? null : (
        <ItemForm
          key={String(edited.index)}
          label={edited.index === undefined ? `New item of ${path}` : `Item ${edited.index + 1} of ${path}`}
          item={edited.index === undefined ? {} : items[edited.index]}
          fields={form?.fields ?? []}
          onSave={(item) => onSave(item, edited.index)}
          onCancel={() => onEdit(undefined)}
        />
      )}
      <ul class="plain">
        {items.slice(0, SHOWN).map((item, index) => (
          <li>
            <pre tabIndex={0}>{stringifyExactJson(item, 2)}</pre>
            <p class="row">
              <button
                type="button"
                aria-label={`Edit item ${index + 1} of ${path}`}
                onClick={() => onEdit({ path, index })}
              >
                Edit
              </button>
              <button type="button" aria-label={`Delete item ${index + 1} of ${path}`} onClick={() => onDelete(index)}>
                Delete
              </button>
            </p>
          </li>
        ))}
      </ul>
      {items.length > SHOWN ? <p class="muted">The first {SHOWN} are shown.</p> : null}
    </section>
  );
}

interface ItemFormProps {
  readonly label: string;
  readonly item: unknown;
  readonly fields: readonly DescribedField[];
  readonly onSave: (item: unknown) => void;
  readonly onCancel: () => void;
}

function ItemForm({ label, item, fields, onSave, onCancel }: ItemFormProps): JSX.Element {
  const before = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<string, unknown>>;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(before).map(([name, value]) => [name, toText(value, fieldOf(fields, name))])),
  );
  const [error, setError] = useState<string>();
  const others = Object.keys(before).filter((name) => !fields.some((field) => field.name === name));
  const all = [...fields, ...others.map((name): DescribedField => ({ name, required: false, types: [] }))];
  const save = (): void => {
    try {
      onSave(readItem(texts, fields));
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <form
      class="card"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {all.map((field) => (
        <Field
          field={field}
          value={texts[field.name] ?? ''}
          onChange={(value) => setTexts((current) => ({ ...current, [field.name]: value }))}
        />
      ))}
      <p class="muted">An empty field is left out; required members are made up then.</p>
      <Alert error={error} />
      <p class="row">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function Field(props: {
  readonly field: DescribedField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const { field, value, onChange } = props;
  const values = field.values ?? (field.types.join() === 'boolean' ? [true, false] : undefined);
  return (
    <label class="field" title={field.description}>
      <span>{field.required ? `${field.name} (required)` : field.name}</span>
      {values === undefined ? (
        <input value={value} spellcheck={false} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" />
          {values.map((one) => (
            <option>{toText(one, field)}</option>
          ))}
        </select>
      )}
    </label>
  );
}

function fieldOf(fields: readonly DescribedField[], name: string): DescribedField | undefined {
  return fields.find((field) => field.name === name);
}

/** Texts are shown without quotes where only texts are allowed. */
function toText(value: unknown, field: DescribedField | undefined): string {
  return typeof value === 'string' && isText(field) ? value : stringifyExactJson(value);
}

function isText(field: DescribedField | undefined): boolean {
  return field !== undefined && field.types.includes('string');
}

/** @throws Error that names the member whose text is no JSON. */
function readItem(
  texts: Readonly<Record<string, string>>,
  fields: readonly DescribedField[],
): Readonly<Record<string, unknown>> {
  const given = Object.entries(texts).filter(([, text]) => text !== '');
  return Object.fromEntries(given.map(([name, text]) => [name, readValue(name, text, fieldOf(fields, name))]));
}

function readValue(name: string, text: string, field: DescribedField | undefined): unknown {
  const isNull = text === 'null' && field?.types.includes('null') === true;
  if (isText(field) && !isNull) {
    const isOnlyText = field?.types.every((type) => type === 'string' || type === 'null') === true;
    if (isOnlyText || !/^[{["\d-]|^(?:true|false)$/.test(text)) return text;
  }
  try {
    return parseExactJson(text);
  } catch {
    throw new Error(`${name} must be JSON, such as 5, true, "text" or [1].`);
  }
}

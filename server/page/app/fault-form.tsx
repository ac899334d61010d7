import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Fault } from '../../../generated/control/types.js';
import { parseExactJson } from '../../../runtime/json-integers.js';

const PARTS = ['path', 'query', 'headers', 'body'] as const;
const TESTS = ['equals', 'oneOf', 'matches', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;

interface Condition {
  readonly part: (typeof PARTS)[number];
  readonly name: string;
  readonly test: (typeof TESTS)[number];
  readonly value: string;
}

const FIELDS = [
  ['name', 'Name'],
  ['status', 'Status'],
  ['times', 'Times'],
  ['probability', 'Probability (0 to 1)'],
  ['latencyMs', 'Delay in milliseconds'],
  ['example', 'Example'],
  ['headers', 'Headers (JSON)'],
  ['body', 'Response body (JSON or text)'],
] as const;

type Texts = Readonly<Record<(typeof FIELDS)[number][0], string>>;

const EMPTY: Texts = {
  name: '',
  status: '',
  times: '',
  probability: '',
  latencyMs: '',
  example: '',
  headers: '',
  body: '',
};
const CONDITION: Condition = { part: 'path', name: '', test: 'equals', value: '' };

/** Builds a fault, with conditions. */
export function FaultForm(props: {
  readonly operationIds: readonly string[];
  readonly onAdd: (fault: Fault) => void;
}): JSX.Element {
  const [operationId, setOperationId] = useState('');
  const [texts, setTexts] = useState(EMPTY);
  const [abort, setAbort] = useState(false);
  const [conditions, setConditions] = useState<readonly Condition[]>([]);
  return (
    <form
      aria-label="New fault"
      onSubmit={(event) => {
        event.preventDefault();
        props.onAdd(toFault(operationId, { texts, abort, conditions }));
      }}
    >
      <label class="field">
        <span>Operation</span>
        <select value={operationId} onChange={(event) => setOperationId(event.currentTarget.value)}>
          <option value="">every operation</option>
          {props.operationIds.map((id) => (
            <option value={id}>{id}</option>
          ))}
        </select>
      </label>
      <Conditions conditions={conditions} onChange={setConditions} />
      <div class="columns">
        {FIELDS.map(([key, label]) => (
          <label class="field">
            <span>{label}</span>
            <input
              value={texts[key]}
              spellcheck={false}
              onInput={(event) => setTexts({ ...texts, [key]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <label class="choice">
        <input type="checkbox" checked={abort} onChange={(event) => setAbort(event.currentTarget.checked)} /> Close the
        connection without a response
      </label>
      <p class="row">
        <button type="submit" class="primary">
          Add
        </button>
      </p>
    </form>
  );
}

function Conditions(props: {
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}): JSX.Element {
  const { conditions, onChange } = props;
  const set = (index: number, change: Partial<Condition>): void =>
    onChange(conditions.map((one, at) => (at === index ? { ...one, ...change } : one)));
  return (
    <fieldset>
      <legend>Conditions</legend>
      {conditions.map((condition, index) => (
        <div class="row" role="group" aria-label={`Condition ${index + 1}`}>
          <select
            aria-label="In"
            value={condition.part}
            onChange={(event) => set(index, { part: PARTS.find((one) => one === event.currentTarget.value) ?? 'path' })}
          >
            {PARTS.map((part) => (
              <option>{part}</option>
            ))}
          </select>
          <input
            aria-label="Name"
            placeholder="name or /pointer"
            value={condition.name}
            onInput={(event) => set(index, { name: event.currentTarget.value })}
          />
          <select
            aria-label="Test"
            value={condition.test}
            onChange={(event) =>
              set(index, { test: TESTS.find((one) => one === event.currentTarget.value) ?? 'equals' })
            }
          >
            {TESTS.map((test) => (
              <option>{test}</option>
            ))}
          </select>
          <input
            aria-label="Value"
            value={condition.value}
            onInput={(event) => set(index, { value: event.currentTarget.value })}
          />
          <button type="button" onClick={() => onChange(conditions.toSpliced(index, 1))}>
            Remove condition
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...conditions, CONDITION])}>
        Add a condition
      </button>
    </fieldset>
  );
}

interface FaultParts {
  readonly texts: Texts;
  readonly abort: boolean;
  readonly conditions: readonly Condition[];
}

/** The mock refuses what is invalid, so texts that are no number or JSON are sent as they are. */
function toFault(operationId: string, { texts, abort, conditions }: FaultParts): Fault {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const fields = given.map(([key, text]) => [key, key === 'name' || key === 'example' ? text.trim() : readValue(text)]);
  const when: Record<string, Record<string, unknown>> = {};
  for (const { part, name, test, value } of conditions) {
    const tests = (when[part]?.[name] ?? {}) as Record<string, unknown>;
    // A form has few conditions, and a computed name may be `__proto__`.
    // oxlint-disable-next-line specmill/linear-copies
    when[part] = { ...when[part], [name]: { ...tests, [test]: readOperand(test, value) } };
  }
  // Cast: the mock checks the fault.
  return {
    ...(operationId === '' ? {} : { operationId }),
    ...(conditions.length === 0 ? {} : { when }),
    ...Object.fromEntries(fields),
    ...(abort ? { abort } : {}),
  } as Fault;
}

/** A text stays one where the test needs it; a list may be written with commas. */
function readOperand(test: Condition['test'], text: string): unknown {
  if (test === 'matches') return text;
  if (test === 'exists') return text !== 'false';
  const value = readValue(text);
  return test === 'oneOf' && !Array.isArray(value) ? text.split(',').map((one) => readValue(one.trim())) : value;
}

function readValue(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

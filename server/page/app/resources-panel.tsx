import type { JSX } from 'preact';

import { describeKind, rowsOf } from '../../../resources/map/map-rows.js';
import type { MappedResource } from '../../../resources/map/resource-map.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import type { DescribedResources } from '../views.js';
import { Alert, useTask } from './load.js';
import type { PanelProps } from './panel-props.js';

/** What the mock manages, as `specmill explain` prints it. */
export function ResourcesPanel({ control, changes }: PanelProps): JSX.Element {
  const { value, error } = useTask(() => control.getResources(), [control, changes]);
  return (
    <>
      <Alert error={error} />
      {value?.resources.length === 0 ? <p>No operation has state: all responses are made from the spec.</p> : null}
      {value?.resources.map((resource) => (
        <ResourceRows resource={resource} />
      ))}
      {value === undefined || value.handled.length === 0 ? null : <Handled operations={value.handled} />}
      {value === undefined || value.stateless.length === 0 ? null : <Stateless operations={value.stateless} />}
      {value === undefined || value.suggestions.length === 0 ? null : <Suggestions all={value.suggestions} />}
    </>
  );
}

function ResourceRows({ resource }: { readonly resource: MappedResource }): JSX.Element {
  return (
    <section>
      <h2>
        <code>{resource.path}</code> <span class="muted">{describeKind(resource)}</span>
      </h2>
      <table class="facts">
        <tbody>
          {rowsOf(resource).map(({ name, text, reason }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <code>{text}</code>
                {reason === undefined ? null : <span class="muted"> ({reason})</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Handled({ operations }: { readonly operations: DescribedResources['handled'] }): JSX.Element {
  return (
    <section>
      <h2>Operations with a handler</h2>
      <p class="muted">The behaviour of the mock has a handler of its own for them.</p>
      <p>
        {operations.map((operationId, index) => (
          <>
            {index === 0 ? '' : ', '}
            <a href={`#/operations/${encodeURIComponent(operationId)}`}>{operationId}</a>
          </>
        ))}
      </p>
    </section>
  );
}

function Stateless({ operations }: { readonly operations: DescribedResources['stateless'] }): JSX.Element {
  return (
    <section>
      <h2>Operations without state</h2>
      <p class="muted">Their responses are made from the spec.</p>
      <table class="facts">
        <tbody>
          {operations.map(({ method, path, operationId, reason }) => (
            <tr>
              <th scope="row">
                <a href={`#/operations/${encodeURIComponent(operationId)}`}>
                  <code>
                    {method} {path}
                  </code>
                </a>
              </th>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Suggestions({ all }: { readonly all: DescribedResources['suggestions'] }): JSX.Element {
  const lines = all.flatMap(({ path, correction, reasons }) => [
    ...reasons.map((reason) => `# ${reason}`),
    `${stringifyExactJson(path)}: ${stringifyExactJson(correction)}`,
  ]);
  return (
    <section>
      <h2>Not sure</h2>
      <p class="muted">
        These lines of <code>resources</code> in the configuration, or of <code>x-resources</code> in the spec, would
        decide it.
      </p>
      <pre tabIndex={0}>{lines.join('\n')}</pre>
    </section>
  );
}

import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';

/**
 * Renders Markdown as elements. No text becomes HTML: HTML in the Markdown is shown as text, images as links, and links
 * may only use http, https and mailto.
 */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const tree = useMemo(
    () => fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }),
    [text],
  );
  return <div class="markdown">{renderChildren(tree)}</div>;
}

function renderChildren(node: Nodes): ComponentChildren {
  return 'children' in node ? node.children.map((child) => renderNode(child)) : null;
}

type Render = (node: Nodes) => ComponentChildren;

const plain =
  (Tag: 'p' | 'em' | 'strong' | 'blockquote' | 'li' | 'del' | 'td'): Render =>
  (node) => <Tag>{renderChildren(node)}</Tag>;

const RENDER: Readonly<Partial<Record<Nodes['type'], Render>>> = {
  paragraph: plain('p'),
  emphasis: plain('em'),
  strong: plain('strong'),
  blockquote: plain('blockquote'),
  listItem: plain('li'),
  delete: plain('del'),
  tableCell: plain('td'),
  break: () => <br />,
  thematicBreak: () => <hr />,
  // Not heading elements, which would disturb the outline of the page.
  heading: (node) => (
    <p class="heading">
      <strong>{renderChildren(node)}</strong>
    </p>
  ),
  list: (node) =>
    node.type === 'list' && node.ordered === true ? (
      <ol start={node.start ?? 1}>{renderChildren(node)}</ol>
    ) : (
      <ul>{renderChildren(node)}</ul>
    ),
  table: (node) => (
    <table>
      <tbody>{renderChildren(node)}</tbody>
    </table>
  ),
  tableRow: (node) => <tr>{renderChildren(node)}</tr>,
  inlineCode: (node) => <code>{'value' in node ? node.value : ''}</code>,
  code: (node) => (
    <pre tabIndex={0}>
      <code>{'value' in node ? node.value : ''}</code>
    </pre>
  ),
  link: (node) => (node.type === 'link' ? renderLink(node.url, renderChildren(node)) : null),
  image: (node) => (node.type === 'image' ? renderLink(node.url, node.alt ?? node.url) : null),
};

function renderNode(node: Nodes): ComponentChildren {
  const render = RENDER[node.type];
  if (render !== undefined) return render(node);
  return 'value' in node ? node.value : renderChildren(node);
}

function renderLink(url: string, children: ComponentChildren): ComponentChildren {
  if (!/^(?:https?|mailto):/i.test(url)) return <span>{children}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

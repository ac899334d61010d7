/** A rule of oxlint: a list or map that grows is changed, not copied with each item, which takes quadratic time. */

const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement']);

function sourceOf(context, node) {
  return context.sourceCode.getText(node);
}

/** Without space and brackets. */
function textOf(context, node) {
  return sourceOf(context, node).replaceAll(/[\s()]/g, '');
}

/** Whether a spread copies what the map has for the key: `...map.get(key)`, or a name that was set so before. */
function isStored(context, { argument, site }) {
  const text = textOf(context, argument);
  if (sourceOf(context, argument).includes('.get(')) return true;
  const name = text.replace(/\W.*$/, '');
  for (let at = site.parent; at; at = at.parent) {
    const declared = (at.type === 'BlockStatement' ? at.body : []).flatMap((one) => one.declarations ?? []);
    const found = declared.find(({ id }) => id.name === name);
    if (found !== undefined) return found.init !== null && sourceOf(context, found.init).includes('.get(');
  }
  return false;
}

/** The copied lists and maps of an expression. */
function copiesIn(node) {
  if (node?.type === 'ArrayExpression')
    return node.elements.flatMap((one) => (one?.type === 'SpreadElement' ? [one.argument] : []));
  if (node?.type === 'NewExpression') return node.arguments.flatMap((one) => copiesIn(one));
  if (node?.type === 'CallExpression' && node.callee.property?.name === 'flat')
    return (node.callee.object.elements ?? []).filter((one) => one !== null);
  return [];
}

function inLoop(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (LOOPS.has(at.type)) return true;
    if (/Function/.test(at.type)) return false;
  }
  return false;
}

const rule = {
  create: (context) => ({
    CallExpression(node) {
      if (node.callee.property?.name !== 'set' || node.arguments.length !== 2) return;
      const [, value] = node.arguments;
      const choices = value.type === 'ConditionalExpression' ? [value.consequent, value.alternate] : [value];
      if (choices.flatMap(copiesIn).some((argument) => isStored(context, { argument, site: node })))
        context.report({ node, message: 'Change the list in the map: a copy for each item takes quadratic time.' });
    },
    AssignmentExpression(node) {
      if (node.operator !== '=' || !inLoop(node)) return;
      const target = textOf(context, node.left);
      if (copiesIn(node.right).some((argument) => textOf(context, argument) === target))
        context.report({ node, message: 'Change the list or map: a copy for each item takes quadratic time.' });
    },
    NewExpression(node) {
      if (!['Map', 'Set'].includes(node.callee.name) || !inLoop(node)) return;
      const outer = copiesIn(node).some((argument) => /(?:^|\.)(?:outer|parent)\w*$/i.test(textOf(context, argument)));
      if (outer) context.report({ node, message: 'Link the outer scope: a copy for each level takes quadratic time.' });
    },
  }),
};

// oxlint loads the default export of a plugin.
// oxlint-disable-next-line import/no-default-export
export default { meta: { name: 'specmill' }, rules: { 'linear-copies': rule } };

/** A rule of oxlint: a list or map that grows is changed, not copied with each item, which takes quadratic time. */

const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement']);

function sourceOf(context, node) {
  return context.sourceCode.getText(node);
}

/** Without space and brackets. */
function textOf(context, node) {
  return sourceOf(context, node).replaceAll(/[\s()]/g, '');
}

/** The value that the name of an expression was declared with, if it is near. */
function initOf(context, { argument, site }) {
  const name = textOf(context, argument).replace(/\W.*$/, '');
  for (let at = site.parent; at; at = at.parent) {
    const declared = (at.type === 'BlockStatement' ? at.body : []).flatMap((one) => one.declarations ?? []);
    const found = declared.find(({ id }) => id.name === name);
    if (found !== undefined) return found.init ?? undefined;
  }
  return undefined;
}

/** Whether a spread copies what the map has for the key: `...map.get(key)`, or a name that was set so before. */
function isStored(context, { argument, site }) {
  if (sourceOf(context, argument).includes('.get(')) return true;
  const init = initOf(context, { argument, site });
  return init !== undefined && sourceOf(context, init).includes('.get(');
}

/** Whether a copy is one of the assigned place itself: `all = [...all, one]`, or of a name that was read from it before. */
function isOfPlace(context, { argument, site }) {
  const place = textOf(context, site.left);
  if (textOf(context, argument).replace(/\?\?(?:\[\]|\{\})$/, '') === place) return true;
  const init = initOf(context, { argument, site });
  return (
    init !== undefined &&
    /[.[]/.test(place) &&
    textOf(context, init)
      .replace(/^.*\?(?=.*:)/, '')
      .endsWith(place)
  );
}

/** The copied lists and maps of an expression. */
function copiesIn(node) {
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(copiesIn);
  // An object with other members than computed ones is a record, not a map.
  if (
    node?.type === 'ObjectExpression' &&
    node.properties.every(({ type, computed }) => type === 'SpreadElement' || computed)
  )
    return node.properties.length < 2
      ? []
      : node.properties.flatMap((one) => (one.type === 'SpreadElement' ? [one.argument] : []));
  if (node?.type === 'CallExpression' && node.callee.property?.name === 'concat') return [node.callee.object];
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
    if (/Function/.test(at.type)) return EACH.has(methodOf(at.parent));
  }
  return false;
}

/** Methods that call a function for each item. */
const EACH = new Set(['forEach', 'map', 'flatMap', 'filter', 'reduce']);

function methodOf(node) {
  return node?.type === 'CallExpression' ? node.callee.property?.name : undefined;
}

/** What a function returns, if it does nothing else. */
function resultOf({ body }) {
  if (body.type !== 'BlockStatement') return body;
  return body.body.findLast(({ type }) => type === 'ReturnStatement')?.argument ?? undefined;
}

const rule = {
  create: (context) => ({
    CallExpression(node) {
      const [first, value] = node.arguments;
      if (methodOf(node) === 'reduce' && /Function/.test(first?.type ?? '')) {
        const all = first.params[0]?.name;
        if (all !== undefined && copiesIn(resultOf(first)).some((argument) => textOf(context, argument) === all))
          context.report({ node, message: 'Change the list or map: a copy for each item takes quadratic time.' });
      }
      if (methodOf(node) !== 'set' || node.arguments.length !== 2) return;
      if (copiesIn(value).some((argument) => isStored(context, { argument, site: node })))
        context.report({ node, message: 'Change the list in the map: a copy for each item takes quadratic time.' });
    },
    AssignmentExpression(node) {
      if (node.operator !== '=' || !inLoop(node)) return;
      if (copiesIn(node.right).some((argument) => isOfPlace(context, { argument, site: node })))
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

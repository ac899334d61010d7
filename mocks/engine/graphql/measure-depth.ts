import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * How deep the fields of an operation are nested; queries of the schema do not count. The document has been validated, so no
 * fragment contains itself.
 */
export function measureDepth(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  // A fragment may be spread many times, also by others.
  const known = new Map<string, number>();
  const depthOf = (set: SelectionSetNode | undefined): number => {
    const depths = (set?.selections ?? []).map((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(selection.name.value);
      return selection.name.value.startsWith('__') ? 0 : 1 + depthOf(selection.selectionSet);
    });
    return Math.max(0, ...depths);
  };
  const depthOfFragment = (name: string): number => {
    const depth = known.get(name) ?? depthOf(fragments.get(name)?.selectionSet);
    known.set(name, depth);
    return depth;
  };
  return depthOf(operation.selectionSet);
}

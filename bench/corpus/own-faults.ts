/** Findings that no mock can avoid, because the document contradicts itself. */
export const OWN_FAULTS: Readonly<Record<string, { readonly findings: RegExp; readonly reason: string }>> = {
  '@readme/oas-examples 3.0/json/readme-legacy.json': {
    findings: /^response schema /,
    reason: 'schemas that nothing satisfies',
  },
};

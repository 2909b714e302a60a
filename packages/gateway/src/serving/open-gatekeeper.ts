import type { Gatekeeper } from '../model.ts'

/** Lets everything through: the gatekeeper of a gateway without rules. */
export const openGatekeeper: Gatekeeper = {
  isListed: () => true,
  listRevision: 0,
  admit: async ({ args }) => ({ args }),
  finish: async (_request, outcome) => outcome,
  explain: () => ({ effect: 'allow', by: 'no rules', isListed: true, isPinned: true, rules: [] }),
}

import { resourceTemplate, type ServerResourceTemplate } from '@tenon/sdk/server'
import type { Chain } from './chain.ts'
import { readChain, shortened } from './chain-page.ts'
import type { Chains } from './chains.ts'
import { treeText } from './tree-text.ts'

export const chainUri = (chain: Chain): string => `thoughts://chain/${chain.id}`
export const treeUri = (chain: Chain): string => `${chainUri(chain)}/tree`

/** Chains as resources: listed only for the clients that they belong to, and read only with their right. */
export function thinkingResources(chains: Chains): ServerResourceTemplate[] {
  const complete = { id: () => [] as string[] }
  return [
    resourceTemplate({
      uriTemplate: 'thoughts://chain/{id}',
      name: 'chain',
      title: 'Chain of thoughts',
      description: 'The thoughts of a chain as JSON, each with the place of the one that it follows',
      mimeType: 'application/json',
      complete,
      list: (ctx) =>
        chains.visibleTo(ctx.caller).map((chain) => ({
          uri: chainUri(chain),
          name: `chain ${chain.id.slice(0, 8)}`,
          description: `${chain.thoughts.length} thoughts`,
        })),
      read: ({ variables: { id } }, { caller }) => {
        const chain = chains.find(caller, id)
        return chain && JSON.stringify(readChain(chain), null, 2)
      },
    }),
    resourceTemplate({
      uriTemplate: 'thoughts://chain/{id}/tree',
      name: 'tree',
      title: 'Tree of thoughts',
      description: 'The thoughts of a chain as an indented list, with revisions and branches',
      mimeType: 'text/markdown',
      complete,
      read: ({ variables: { id } }, { caller }) => {
        const chain = chains.find(caller, id)
        return chain && shortened(treeText(chain))
      },
    }),
  ]
}

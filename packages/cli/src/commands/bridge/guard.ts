import { type OfferFilter, offerRules } from '@tenon/bridge'
import { bridgeOptions, openBridge } from '../../bridge/open.ts'
import { checkHttpOptions, httpOptions, serveOverHttp, serveOverStdio, wantsHttp } from '../../bridge/serving.ts'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'

export default command({
  name: 'guard',
  summary: 'Serve a server without some of its tools, resources or prompts',
  usage: ['<target> --allow <glob>… --deny <glob>…', '--allow <glob>… -- <program> [argument…]'],
  details:
    'A glob is for all names and URIs, and with tools:, prompts: or resources: in front for those alone; * stands for any text, ? for one character. With --allow only names that fit are served, and --deny goes before it. A denied name is missing in lists, and using it is answered as if it did not exist. It speaks on standard input and output, for a host to start; with --port, or on a terminal, it serves at an address.',
  examples: [
    {
      line: "tenon guard everything --allow 'tools:add' --port 3000",
      shows: 'one tool, and all resources and prompts',
    },
    {
      line: "tenon guard everything --deny 'delete_*' --deny 'resources:*'",
      shows: 'no resources, and nothing that deletes',
    },
    { line: "tenon guard --allow 'read_*' -- npx my-server", shows: 'a program in front of a program, for a host' },
  ],
  options: {
    allow: {
      type: 'list',
      short: 'a',
      value: 'glob',
      help: 'Serve only names that fit, such as read_* or tools:read_*',
    },
    deny: { type: 'list', short: 'd', value: 'glob', help: 'Hide names that fit; it goes before --allow' },
    ...httpOptions,
    ...bridgeOptions,
  },
  async run(call) {
    const { allow, deny } = call.options
    if (allow.length + deny.length === 0) {
      throw usage('guard needs a rule', "Give one with --allow or --deny, for example --deny 'delete_*'.")
    }
    const offers = readRules(allow, deny)
    const secret = await checkHttpOptions(call)
    const { link, label } = await openBridge(call, { offers })
    try {
      if (wantsHttp(call)) await serveOverHttp(call, link.server, { label, secret })
      else await serveOverStdio(call, link.server)
    } finally {
      await link.close()
    }
  },
})

function readRules(allow: readonly string[], deny: readonly string[]): OfferFilter {
  try {
    return offerRules(allow, deny)
  } catch (error) {
    throw usage(`--${(error as Error).message}`)
  }
}

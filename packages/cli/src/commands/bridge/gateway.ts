import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { checkFile } from '../../gateway/check-file.ts'
import { explainAccess } from '../../gateway/explain-access.ts'
import { gatewayOptions } from '../../gateway/options.ts'
import { runGateway } from '../../gateway/run-gateway.ts'

export default command({
  name: 'gateway',
  summary: 'Serve many servers at one address, as a file says',
  usage: ['', '<file>', '<file> --check', 'explain <caller> <name> [file]'],
  details:
    'Without a file it serves the servers that the hosts on this machine know, for this machine alone, and prints the link to a page: health, the catalogue as a caller sees it, reasons of decisions, approvals, the audit log and live traffic. A file in YAML names upstreams, and virtual servers that choose and rename from them: all of them are at /mcp, and each virtual server is at /servers/NAME/mcp. The file is watched: a change is taken without an interruption, and one that cannot be used is refused. /healthz and /readyz are for orchestrators.\n\nexplain says which rules of the file (gateway.yaml by default) decide whether a caller sees an item and uses it. It asks the upstreams for their lists, calls nothing, and leaves a gateway that runs alone.',
  examples: [
    { line: 'tenon gateway', shows: 'the servers of this machine' },
    { line: 'tenon gateway gateway.yaml --port 8080', shows: 'those of a file, at http://127.0.0.1:8080/mcp' },
    { line: 'tenon gateway gateway.yaml --check', shows: 'what is wrong with the file' },
    {
      line: 'tenon gateway explain local notes__note',
      shows: 'the rules that decide about a tool',
    },
  ],
  options: gatewayOptions,
  async run(call) {
    if (call.words[0] === 'explain') return explainAccess(call, call.words.slice(1))
    const [file, ...more] = call.words
    if (more.length > 0 || call.command !== undefined) {
      throw usage('gateway takes one file', 'Servers are named in the file, under upstreams.')
    }
    if (call.options.check) {
      if (file === undefined) throw usage('--check needs a file', 'For example: tenon gateway gateway.yaml --check')
      await checkFile(call, file)
    } else await runGateway(call, file)
  },
})

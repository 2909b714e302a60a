import { checkHttpOptions, httpOptions, serveOverHttp, serveOverStdio, wantsHttp } from '../../bridge/serving.ts'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { mockProblems, mockServer } from '../../mock/mock-server.ts'
import { readMocked } from '../../mock/mocked-offers.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'mock',
  summary: 'Serve a stand-in for a server, from a recording or from schemas',
  usage: ['<session.jsonl>', '<tools.json>'],
  details:
    'A recording is answered as it was recorded. Everything else is made up from the schemas of the tools: arguments are checked, and a result fits the output schema. The same call always has the same result; --seed gives others. It speaks on standard input and output, for a host to start; with --port, or on a terminal, it serves at an address.',
  examples: [
    { line: 'tenon mock tools.json --port 3000', shows: 'tools of `tenon list <target> --json`, at an address' },
    {
      line: 'tenon mock session.jsonl --seed 7',
      shows: 'recorded answers, and others for calls that were not recorded',
    },
  ],
  options: {
    seed: { type: 'text', short: 's', value: 'text', help: 'Make up other results (1)' },
    ...httpOptions,
  },
  async run(call) {
    const { words, terminal, options } = call
    const [file, ...others] = words
    if (file === undefined || others.length > 0 || call.command) {
      throw usage('Expected one file', 'For example: tenon mock tools.json')
    }
    const { seed = '1' } = options
    const secret = await checkHttpOptions(call)
    const offers = await readMocked(file, terminal)
    try {
      for (const problem of mockProblems(offers, seed)) {
        terminal.note(say`${terminal.notes.yellow('warning:')} ${problem}`)
      }
      const server = mockServer(offers, seed)
      const label = `${offers.info.name} (a mock of ${file})`
      if (wantsHttp(call)) await serveOverHttp(call, server, { label, secret })
      else await serveOverStdio(call, server)
    } finally {
      await offers.close()
    }
  },
})

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runSteps } from '@tenon/host/diagnosis'
import { command } from '../../command.ts'
import { Checkup } from '../../doctor/checkup.ts'
import { connectionSteps } from '../../doctor/connection-steps.ts'
import { featureSteps } from '../../doctor/feature-steps.ts'
import { checksAsJunit, failureOfChecks } from '../../doctor/report.ts'
import { countSteps, showStep } from '../../doctor/show-steps.ts'
import { usage } from '../../exit.ts'
import { connectionOptions } from '../../server/options.ts'
import { resolveTarget } from '../../server/target.ts'
import { say } from '../../terminal/text.ts'

const { elicit: _elicit, sample: _sample, 'log-level': _level, ...options } = connectionOptions

export default command({
  name: 'doctor',
  summary: 'Check a server step by step, and say what to do',
  usage: ['<target>', '-- <program> [argument…]'],
  details:
    'Checks in this order: the program, its start and its standard output, or the address, name, connection, certificate, HTTP and authorization; then handshake, revision, lists, schemas, cancellation and a large request. No tool is called. A check that needs one that failed is skipped. Exits with 3 or 4 if there is no way to the server, and with 8 if the server breaks a rule.',
  examples: [
    { line: 'tenon doctor everything', shows: 'check a configured server' },
    { line: 'tenon doctor https://example.com/mcp', shows: 'from the name in DNS to the schemas' },
    { line: 'tenon doctor --junit doctor.xml -- node server.js', shows: 'a program, with results for a CI system' },
  ],
  options: {
    junit: { type: 'text', value: 'file', help: 'Write the checks as JUnit XML' },
    ...options,
  },
  async run(call) {
    const { terminal, signal } = call
    const resolved = await resolveTarget(call)
    const { label, words } = resolved
    if (words.length > 0) throw usage(`Expected nothing after the target, got ${JSON.stringify(words[0])}`)
    const { cwd } = terminal.surroundings
    const checkup = new Checkup(call as unknown as ConstructorParameters<typeof Checkup>[0], resolved)
    try {
      const steps = await runSteps([...connectionSteps(checkup), ...featureSteps(checkup)], {
        signal,
        onStart: ({ title }) => terminal.activity.start(say`${title}…`),
        onStep: (step) => {
          terminal.activity.stop()
          if (!call.options.json) showStep(step, terminal)
        },
      })
      signal.throwIfAborted()
      const { junit } = call.options
      if (junit !== undefined) await writeFile(resolve(cwd, junit), checksAsJunit(steps, label))
      const opened = steps.some(({ name, status }) => name === 'era' && status === 'failed')
        ? await checkup.open()
        : undefined
      const refusal = opened && 'exitCode' in opened ? opened : undefined
      await call.result(
        { target: label, checks: steps },
        () => terminal.line(say`\n${countSteps(steps, terminal.style)}`),
        failureOfChecks(steps, label, refusal),
      )
    } finally {
      await checkup.close()
    }
  },
})

import { command } from '../../command.ts'
import { writeFiles } from '../../new/folder.ts'
import { install } from '../../new/install.ts'
import { makePlan } from '../../new/make-plan.ts'
import { nextSteps } from '../../new/next-steps.ts'
import { newOptions } from '../../new/options.ts'
import { filesOf } from '../../new/templates.ts'

export default command({
  name: 'new',
  summary: 'Write a server or a client, ready to run, test and publish',
  usage: ['server [folder]', 'client [folder]'],
  details:
    'A server comes with a tool, a resource and a prompt, each in a file of its own, and with tests. The templates: stdio is started by its host, http listens by itself and knows its callers by a token, minimal is a single tool. On a terminal the command asks for missing options.',
  examples: [
    { line: 'tenon new server notes', shows: 'a server in the folder notes' },
    { line: 'tenon new server @me/notes --template http --yes', shows: 'one that listens, without questions' },
    { line: 'tenon new client viewer --no-install', shows: 'a client; dependencies later' },
  ],
  options: newOptions,
  async run(call) {
    const { terminal, signal } = call
    const plan = await makePlan(call)
    const files = await filesOf(plan)
    await writeFiles(plan.folder, files)
    if (plan.install) await install(plan, signal)
    const { folder, name, template } = plan
    await call.result({ folder, name, template, files: [...files.keys()], installed: plan.install }, () =>
      terminal.print(nextSteps(plan, terminal)),
    )
  },
})

/** A small program on the kit, which the tests start as a process. */
import { tool } from '@tenon/sdk/server'
import {
  bytes,
  choice,
  createReferenceServer,
  integer,
  Misuse,
  milliseconds,
  paths,
  runProgram,
  text,
} from '@tenon/server-kit'
import { z } from 'zod'

await runProgram({
  name: 'tenon-echo',
  version: '1.2.3',
  summary: 'Says things again, and forgets them when it is told to.',
  positional: { setting: 'folders', placeholder: 'FOLDER...' },
  settings: {
    folders: paths('Folders to speak of'),
    password: text('A secret', { secret: true, env: 'ECHO_PASSWORD' }),
    limit: bytes('Longest answer', { default: 1_000 }),
    wait: milliseconds('Longest pause', { default: 2_000 }),
    times: integer('How often', { min: 1, max: 3, default: 1 }),
    voice: choice('How loud', { values: ['low', 'high'], default: 'low' }),
  },
  examples: [['tenon-echo ~/notes', 'Speak of one folder']],
  open(settings) {
    if (settings.current.folders.some((folder) => folder.endsWith('missing'))) throw new Misuse('no such folder')
    const echo = tool({
      name: 'echo',
      annotations: { readOnly: true },
      output: z.record(z.string(), z.unknown()),
      run: () => ({ ...settings.current }),
    })
    const forget = tool({
      name: 'forget',
      title: 'Forget everything',
      input: z.object({ all: z.boolean() }),
      run: () => 'forgotten',
    })
    const note = tool({ name: 'note', annotations: { destructive: false }, run: () => 'noted' })
    const server = createReferenceServer({ name: 'echo', version: '1.2.3', tools: [echo, forget, note] }, settings)
    return { server, close: () => void process.stderr.write('closed\n') }
  },
})

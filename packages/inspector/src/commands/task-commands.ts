import { type RawParams, readText } from '../read-params.ts'
import type { Handlers, Named } from './command.ts'

/** The task that a command is about: its server and its id. */
const taskIn = (params: RawParams): [server: string, id: string] => [
  readText(params, 'server'),
  readText(params, 'task').trim(),
]

export const taskCommands: Handlers<Named<'task'>> = {
  'task.list': async (params, { tasks }) => ({ tasks: await tasks.list(readText(params, 'server')) }),
  'task.follow': async (params, { tasks }) => {
    await tasks.follow(...taskIn(params))
    return {}
  },
  'task.outcome': async (params, { tasks }) => ({ outcome: await tasks.outcome(...taskIn(params)) }),
  'task.cancel': async (params, { tasks }) => {
    await tasks.cancel(...taskIn(params))
    return {}
  },
  'task.forget': (params, { tasks }) => {
    tasks.forget(...taskIn(params))
    return {}
  },
}

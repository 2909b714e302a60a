import { matches, promised } from '../lib/check.mjs'

export default {
  name: 'logging',
  title: 'logging',
  needs: 'logging',
  about: 'log messages of the level that the client asked for',
  shows: ['log.set-level', 'log.opt-in-per-request'],
  async run({ open, work: { logging } }) {
    const { promise, resolve } = promised()
    const onLog = (message) => {
      if (message.level === logging.level) resolve(message)
    }
    const session = await open({ onLog, logLevel: logging.level })
    if (logging.name) await session.call(logging.name, logging.arguments)
    matches(JSON.stringify((await promise).data), logging.data, 'what was logged')
  },
}

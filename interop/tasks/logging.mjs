import { promised } from '../lib/check.mjs'

export default {
  name: 'logging',
  title: 'logging',
  needs: 'logging',
  about: 'log messages of the level that the client set',
  shows: ['log.set-level', 'log.opt-in-per-request'],
  async run({ open, work: { logging } }) {
    const { promise, resolve } = promised()
    // Servers may log other messages too.
    const onLog = ({ level, data }) => {
      if (level === logging.level && JSON.stringify(data).includes(logging.data)) resolve()
    }
    const session = await open({ onLog, logLevel: logging.level })
    if (logging.name) await session.call(logging.name, logging.arguments)
    await promise
  },
}

import { cpus, release, totalmem, type } from 'node:os'

/** The machine of the measurements. */
export function machine() {
  const processors = cpus()
  return {
    cpu: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release().split('-')[0]}`,
    node: process.version,
  }
}

import { httpOptions } from '../bridge/serving.ts'
import type { OptionTable } from '../line/options.ts'
import { targetOptions } from '../server/options.ts'

const { port, host } = httpOptions
const { config, input } = targetOptions

export const gatewayOptions = {
  check: { type: 'flag', help: 'Check the file and end: 0 if it is fine, 2 with the place of every fault if not' },
  port,
  host,
  config: { ...config, help: 'Without a file: serve the servers of this config file of a host' },
  input,
} as const satisfies OptionTable

import { httpOptions } from '../bridge/serving.ts'
import type { OptionTable } from '../line/options.ts'
import { targetOptions } from '../server/options.ts'

const { port, host } = httpOptions
const { config, input } = targetOptions

export const gatewayOptions = {
  check: { type: 'flag', help: 'Check the file and end: 0 if it is fine, 2 with the place of every fault if not' },
  page: { type: 'flag', help: 'With a file too: a page on this machine for the people who run the gateway' },
  port,
  host,
  config: { ...config, help: 'Without a file: serve the servers of this config file of a host' },
  input,
  arg: { type: 'list', value: 'name=value', help: 'explain: an argument of the call, as tenon call takes them' },
  group: { type: 'list', value: 'name', help: 'explain: a group of the caller, in place of those of the file' },
  scope: { type: 'list', value: 'name', help: 'explain: a scope of the caller, in place of those of the file' },
  claim: { type: 'list', value: 'name=value', help: "explain: a claim of the caller's token" },
  server: { type: 'text', value: 'name', help: 'explain: the virtual server; the one at /mcp by default' },
} as const satisfies OptionTable

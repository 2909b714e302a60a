import type { GatewayEvent } from '@tenon/gateway'
import type { CommandCall } from '../command.ts'
import type { OptionTable } from '../line/options.ts'
import { say } from '../terminal/text.ts'
import { badFile, loadFile } from './run-gateway.ts'

/** Says what is wrong with a file, or what it makes. Nothing is started. */
export async function checkFile(call: CommandCall<OptionTable>, file: string): Promise<void> {
  const { createGateway } = await import('@tenon/gateway')
  const { terminal } = call
  const { cwd, env } = terminal.surroundings
  const { config } = await loadFile(file, cwd, env)
  const problems: string[] = []
  const onEvent = (event: GatewayEvent): void => {
    if (event.kind === 'error') problems.push(`${file}: ${event.during}: ${(event.error as Error).message}`)
  }
  await using gateway = createGateway(config, { onEvent })
  if (problems.length > 0) throw badFile(problems)
  const upstreams = Object.keys(config.upstreams)
  const servers = [...gateway.names]
  await call.result({ file, upstreams, servers }, () =>
    terminal.line(say`${file} is fine. Upstreams: ${upstreams.join(', ')}. Servers: ${servers.join(', ')}.`),
  )
}

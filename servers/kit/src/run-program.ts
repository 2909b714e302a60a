import { resolve } from 'node:path'
import type { Server } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { type CommandLine, readCommandLine } from './command-line.ts'
import { type CommonSettings, commonSettings } from './common-settings.ts'
import type { ConfigFile } from './config-file.ts'
import { ReplaceableSettings } from './live-settings.ts'
import { Misuse } from './misuse.ts'
import type { OpenedServer, Program } from './program.ts'
import { resolveSettings } from './resolve-settings.ts'
import type { SettingDefinitions, SettingsOf } from './settings.ts'

/**
 * Runs a reference server as the command line says, until its client is gone or a signal ends it. A mistake of the
 * operator is one line on standard error and exit code 2.
 */
export async function runProgram<S extends SettingDefinitions>(program: Program<S>): Promise<void> {
  try {
    await run(program, process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    process.stderr.write(`${program.name}: ${error.message}\nTry ${program.name} --help.\n`)
    process.exitCode = 2
  }
}

/** Modules that few starts need are loaded by them alone: a server should be there at once. */
async function run<S extends SettingDefinitions>(program: Program<S>, args: readonly string[]): Promise<void> {
  const definitions = { ...program.settings, ...commonSettings }
  const commandLine = readCommandLine(args, definitions, program.positional?.setting)
  if (commandLine.help) return void process.stdout.write((await import('./help.ts')).helpText(program))
  if (commandLine.version) return void process.stdout.write(`${program.version}\n`)
  const { config } = commandLine
  const file = config === undefined ? undefined : (await import('./config-file.ts')).configFile(resolve(config))
  const read = (): SettingsOf<S> & CommonSettings => readSettings(definitions, commandLine, file)
  const settings = new ReplaceableSettings(read())
  const opened = await program.open(settings)
  const stopWatching = followConfig(program.name, file, () => settings.replace(read()))
  await serve(program, opened, settings.current, stopWatching)
}

function readSettings<S extends SettingDefinitions>(
  definitions: S,
  { given }: CommandLine,
  file: ConfigFile | undefined,
): SettingsOf<S> & CommonSettings {
  return resolveSettings(definitions, {
    commandLine: given,
    environment: process.env,
    config: file && { file: file.path, values: file.read() },
    workingFolder: process.cwd(),
  }) as SettingsOf<S> & CommonSettings
}

/** Applies a changed config file. A wrong one is reported, and the settings stay as they were. */
function followConfig(name: string, file: ConfigFile | undefined, apply: () => void): () => void {
  if (file === undefined) return () => {}
  const say = (outcome: string): boolean => process.stderr.write(`${name}: ${file.path} changed, ${outcome}\n`)
  return file.watch(() => {
    try {
      apply()
      say('settings applied')
    } catch (error) {
      say(`and the settings stay as they were: ${(error as Error).message}`)
    }
  })
}

async function serve<S extends SettingDefinitions>(
  { name, version }: Program<S>,
  opened: OpenedServer,
  settings: CommonSettings,
  stopWatching: () => void,
): Promise<void> {
  const release = async (): Promise<void> => {
    stopWatching()
    await opened.close?.()
  }
  try {
    if (settings.http !== undefined) {
      // Loaded when it is wanted: over stdio a server starts faster without it.
      const { serveOverHttp } = await import('./serve-over-http.ts')
      const http = await serveOverHttp(opened.server, settings)
      process.stderr.write(`${name} ${version} listens on ${http.url}. Ctrl+C ends it.\n`)
      onSignal(async () => {
        await http.close()
        await release()
      })
      return
    }
    if (process.stdin.isTTY) {
      process.stderr.write(`${name} ${version} speaks MCP on stdin and stdout. Try --help; Ctrl+D ends it.\n`)
    }
    const connection = await serveStdio(opened.server as Server, { exit: false })
    onSignal(() => connection.close())
    await connection.closed
    await release()
    process.exit()
  } catch (error) {
    await release()
    throw error
  }
}

function onSignal(end: () => unknown): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
}

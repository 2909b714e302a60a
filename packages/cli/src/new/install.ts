import { spawn } from 'node:child_process'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { Plan } from './plan.ts'

/** Installs the dependencies of the project; the output of the package manager goes to stderr. */
export async function install({ packageManager, folder }: Plan, signal: AbortSignal): Promise<void> {
  const code = await new Promise<number | null | Error>((done) => {
    // On Windows the managers are scripts, which only a shell starts. None of these words is user input.
    const shell = process.platform === 'win32'
    const child = spawn(packageManager, ['install'], { cwd: folder, stdio: ['ignore', 2, 2], shell, signal })
    child.once('error', done)
    child.once('exit', done)
  })
  if (code === 0) return
  const why = code instanceof Error ? `cannot be started (${code.message})` : `ended with ${code ?? 'a signal'}`
  throw new CommandFailure(
    ExitCode.Failed,
    'install_failed',
    `The project is there, but \`${packageManager} install\` ${why}`,
    `Run it again in ${folder}.`,
  )
}

import { storedAuth } from '../login/stored-auth.ts'
import { hasTokens } from '../login/token-store.ts'
import { sessionMemory } from '../server/session-memory.ts'
import type { TlsTrust } from '../server/tls-trust.ts'
import { Output } from '../terminal/output.ts'
import { type Surroundings, Terminal } from '../terminal/terminal.ts'
import { Keeper } from './keeper.ts'
import { runtimeFolder } from './runtime-folder.ts'

/** How often an idle keeper looks whether its time is over. */
const lookMs = 200

/** The process behind `tenon up`: `__keep <idle ms>`. It ends when it was idle for that time, or is asked to. */
export async function runKeeper(
  [idle = '']: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<void> {
  // The trust of one server is not that of another.
  const authorize = (url: string, trust: TlsTrust | undefined): ReturnType<typeof storedAuth> => {
    const output = new Output(process)
    if (trust) sessionMemory(output).trust = trust
    const terminal = new Terminal({ ...surroundings, output }, { quiet: true, asks: false })
    return storedAuth(new URL(url), terminal, signal, hasTokens(surroundings.env))
  }
  const keeper = new Keeper(runtimeFolder(surroundings.env), authorize)
  await keeper.listen()
  const idleMs = Number(idle)
  let busyAt = performance.now()
  // The command that started it has to find it first.
  let patienceMs = Math.max(idleMs, 60_000)
  await new Promise<void>((end) => {
    const timer = setInterval(
      () => {
        if (keeper.isBusy) {
          busyAt = performance.now()
          patienceMs = idleMs
        } else if (performance.now() - busyAt >= patienceMs) finish()
      },
      Math.min(lookMs, Math.max(idleMs, 10)),
    )
    const finish = (): void => {
      clearInterval(timer)
      end()
    }
    void keeper.ended.then(finish)
    signal.addEventListener('abort', finish, { once: true })
    if (signal.aborted) finish()
  })
  await keeper.close()
}

import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/*
 * A host that is killed with SIGKILL cannot clean up, and a server that ignores the end of its input would live on. So
 * a small shell waits on a pipe that the host holds. The pipe ends with the host; then the shell sends SIGTERM to the
 * process groups that are still registered, and half a second later kills them.
 *
 * There is one per host, started with the first server. A group is dropped as soon as it is gone, because its number
 * may be reused. Windows has no process groups and no guard.
 */
const script = `
groups=' '
while read -r verb id; do
  case $verb in
    add) groups="$groups$id " ;;
    del) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
signal() {
  alive=' '
  for id in $groups; do
    kill -s "$1" -- "-$id" && alive="$alive$id "
  done
  groups=$alive
}
wait_for() {
  for round in $1; do
    signal 0
    [ "$groups" = ' ' ] && exit
    sleep 0.1 || sleep 1
  done
}
wait_for '1 2 3'
signal TERM
wait_for '1 2 3 4 5'
signal KILL
`

const registered = new Set<number>()
let guard: ChildProcess | undefined

/** Has a process group killed when this process is gone; returns the undo. */
export function guardGroup(pid: number): () => void {
  registered.add(pid)
  tell(`add ${pid}\n`)
  return () => {
    if (registered.delete(pid)) tell(`del ${pid}\n`)
  }
}

/** Starts the guard ahead of the first server, so that no server is ever without it. */
export function startGuard(): void {
  if (guard) return
  const started = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  })
  guard = started
  const forget = (): void => {
    if (guard === started) guard = undefined
  }
  // Without a shell, or without the guard, servers still run; they only lose this last protection.
  started.on('error', forget)
  started.on('exit', forget)
  started.stdin.on('error', forget)
  started.unref()
  ;(started.stdin as Partial<Socket>).unref?.()
  for (const pid of registered) tell(`add ${pid}\n`)
}

function tell(line: string): void {
  if (guard?.stdin?.writable) guard.stdin.write(line)
}

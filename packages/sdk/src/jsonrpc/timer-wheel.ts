/**
 * One coarse timer for every deadline of the process. A `setTimeout` per request costs more than the request; here
 * adding and removing a deadline moves two pointers. The timer stops with the first tick without deadlines, so that
 * consecutive calls do not restart it each time; meanwhile it keeps no process alive.
 */
const tickMs = 20
const slotCount = 512

/** A deadline is on at most one list at a time. */
export abstract class Deadline {
  /** The tick at which it expires; may be moved later at any time without touching the lists. */
  expiresAt = 0
  previous: Deadline | undefined
  next: Deadline | undefined

  abstract expire(): void
}

class Head extends Deadline {
  expire(): void {}
}

const slots: Head[] = []
let watched = 0
let lastTick = 0
/** Outside of Node a timer is a number, and keeps no process alive. */
let timer: (ReturnType<typeof setInterval> & { ref?(): void; unref?(): void }) | undefined

const currentTick = (): number => Math.floor(performance.now() / tickMs)

/** The first tick that is at least `ms` away. */
export const tickIn = (ms: number, now: number = performance.now()): number => Math.floor((now + ms) / tickMs) + 1

/** Starts to watch a deadline with a set `expiresAt`. */
export function watch(deadline: Deadline): void {
  if (timer === undefined) start()
  link(deadline)
  if (++watched === 1) timer!.ref?.()
}

/** Stops watching; harmless if it is not watched. */
export function removeDeadline(deadline: Deadline): void {
  if (deadline.previous === undefined) return
  unlink(deadline)
  if (--watched === 0) timer!.unref?.()
}

function start(): void {
  while (slots.length < slotCount) slots.push(new Head())
  lastTick = currentTick()
  timer = setInterval(advance, tickMs)
}

function stop(): void {
  clearInterval(timer)
  timer = undefined
}

function advance(): void {
  const now = currentTick()
  // After a long block every slot is visited once, not once per missed tick.
  const first = Math.max(lastTick + 1, now - slotCount + 1)
  lastTick = now
  const expired: Deadline[] = []
  for (let tick = first; tick <= now; tick++) sweep(tick % slotCount, now, expired)
  // Expiring runs foreign code, which may add and remove deadlines: only after the lists are settled.
  for (const deadline of expired) deadline.expire()
  if (watched === 0) stop()
}

function sweep(slot: number, now: number, expired: Deadline[]): void {
  let deadline = slots[slot]!.next
  while (deadline !== undefined) {
    const following: Deadline | undefined = deadline.next
    if (deadline.expiresAt <= now) {
      removeDeadline(deadline)
      expired.push(deadline)
    } else if (deadline.expiresAt % slotCount !== slot) {
      unlink(deadline)
      link(deadline)
    }
    deadline = following
  }
}

function link(deadline: Deadline): void {
  const head = slots[deadline.expiresAt % slotCount]!
  deadline.previous = head
  deadline.next = head.next
  if (head.next !== undefined) head.next.previous = deadline
  head.next = deadline
}

function unlink(deadline: Deadline): void {
  deadline.previous!.next = deadline.next
  if (deadline.next !== undefined) deadline.next.previous = deadline.previous
  deadline.previous = undefined
  deadline.next = undefined
}

/** The number of watched deadlines; for tests that look for leaks. */
export const deadlineCount = (): number => watched

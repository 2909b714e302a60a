/** A promise that another party resolves, once. */
export interface Gate {
  readonly passed: Promise<void>
  open(): void
}

export function gate(): Gate {
  let open!: () => void
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

/** Waits for a promise, but no longer than the limit; returns whether it resolved. */
export async function withinMs(limitMs: number, something: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false)
  })
  try {
    return await Promise.race([something.then(() => true), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

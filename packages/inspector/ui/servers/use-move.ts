import { useLayoutEffect, useRef } from 'react'
import { run } from '../state/api.ts'
import { currentBench } from '../state/store.ts'

type Move = (by: -1 | 1, from: HTMLElement) => void

/** Moves a server in the list, and restores the focus: browsers take it away from an element that is moved. */
export function useMove(server: string, index: number): Move {
  const moved = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another index means that it has been moved.
  useLayoutEffect(() => {
    moved.current?.focus()
    moved.current = null
  }, [index])
  return (by, from) => {
    const to = index + by
    if (to < 0 || to >= currentBench().servers.length) return
    moved.current = from
    void run('list.move', { server, by }).catch(() => {})
  }
}

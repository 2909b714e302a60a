import { type JSX, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { setLook, useLook } from '../state/look.ts'

/** A pane whose size can be changed: its CSS variable is `--size-<name>`. */
interface Pane {
  name: string
  label: string
  /** Pixels, or percent of the room that both panes have. */
  unit: 'px' | '%'
  least: number
  most: number
  usual: number
}

/** Every pane that can be resized. */
export const panes = {
  rail: { name: 'rail', label: 'Edge of the rail', unit: 'px', least: 168, most: 360, usual: 216 },
  list: { name: 'list', label: 'Edge of the list', unit: 'px', least: 200, most: 560, usual: 288 },
  form: { name: 'form', label: 'Edge of the form', unit: '%', least: 25, most: 75, usual: 50 },
  beside: { name: 'beside', label: 'Edge of the panel', unit: 'px', least: 280, most: 720, usual: 384 },
  below: { name: 'below', label: 'Edge of the panel', unit: 'px', least: 140, most: 640, usual: 340 },
} as const satisfies { [name: string]: Pane }

interface Props {
  pane: Pane
  /** Whether the pane is before the splitter, or behind it. */
  resizes: 'before' | 'after'
  /** Whether the panes are above each other. */
  isFlat?: boolean
}

const smallStep = 16
const bigStep = 64

const clamp = ({ least, most }: Pane, value: number): number => Math.round(Math.min(most, Math.max(least, value)))

/** The size of a pane that is remembered, or its usual one. */
function sizeOf(pane: Pane, known: string | undefined): number {
  const value = Number(known)
  return known === undefined || !Number.isFinite(value) ? pane.usual : clamp(pane, value)
}

/**
 * The line between two panes: dragged with the pointer, moved with the arrows (with Shift by more), to the ends with Home and
 * End, and back by a double click.
 */
export function Splitter({ pane, resizes, isFlat = false }: Props): JSX.Element {
  const known = useLook(pane.name)
  const size = sizeOf(pane, known)
  const drag = useRef<{ from: number; size: number; room: number }>(undefined)
  useLayoutEffect(() => {
    document.documentElement.style.setProperty(`--size-${pane.name}`, `${size}${pane.unit}`)
  }, [pane, size])
  const sign = resizes === 'before' ? 1 : -1
  const set = (value: number): void => setLook(pane.name, String(clamp(pane, value)))
  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const { width, height } = event.currentTarget.parentElement!.getBoundingClientRect()
    drag.current = { from: isFlat ? event.clientY : event.clientX, size, room: isFlat ? height : width }
  }
  const move = (event: PointerEvent): void => {
    if (drag.current === undefined) return
    const { from, size: before, room } = drag.current
    const by = ((isFlat ? event.clientY : event.clientX) - from) * sign
    set(before + (pane.unit === 'px' ? by : (by / room) * 100))
  }
  const end = (): void => {
    drag.current = undefined
  }
  const press = (event: KeyboardEvent): void => {
    const next = afterKey(event, { pane, size, sign, isFlat })
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    set(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be moved.
    <div
      className={isFlat ? 'splitter flat' : 'splitter'}
      role="separator"
      aria-label={pane.label}
      aria-orientation={isFlat ? 'horizontal' : 'vertical'}
      aria-valuemin={pane.least}
      aria-valuemax={pane.most}
      aria-valuenow={size}
      tabIndex={0}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => setLook(pane.name, undefined)}
      onKeyDown={press}
    />
  )
}

interface Place {
  pane: Pane
  size: number
  sign: number
  isFlat: boolean
}

const keys: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
])
const flatKeys: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
])

function afterKey({ key, shiftKey }: KeyboardEvent, { pane, size, sign, isFlat }: Place): number | undefined {
  if (key === 'Home') return pane.least
  if (key === 'End') return pane.most
  const direction = (isFlat ? flatKeys : keys).get(key)
  if (direction === undefined) return undefined
  const step = pane.unit === '%' ? (shiftKey ? 10 : 2) : shiftKey ? bigStep : smallStep
  return size + direction * sign * step
}

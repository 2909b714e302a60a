import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'

/** The wheel zooms where the pointer is; sideways it moves. */
export function useWheel(
  place: RefObject<HTMLDivElement | null>,
  turn: (factor: number, move: number, share: number) => void,
): void {
  const latest = useRef(turn)
  latest.current = turn
  useEffect(() => {
    const node = place.current!
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      const { left } = node.getBoundingClientRect()
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      const share = (event.clientX - left) / node.clientWidth
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        latest.current(1, sideways / node.clientWidth, share)
      } else latest.current(Math.exp(event.deltaY * 0.002), 0, share)
    }
    // React's own listeners may not stop the page from scrolling.
    node.addEventListener('wheel', onWheel, { passive: false })
    return () => node.removeEventListener('wheel', onWheel)
  }, [place])
}

interface Drag {
  move: (share: number) => void
  press: (x: number, y: number) => void
  hover: (x: number, y: number) => void
}

type DragListeners = {
  [Name in 'onPointerDown' | 'onPointerMove' | 'onPointerUp']: (event: PointerEvent<HTMLDivElement>) => void
}

/** Dragging moves; a press without moving chooses. */
export function useDrag(place: RefObject<HTMLDivElement | null>, { move, press, hover }: Drag): DragListeners {
  const from = useRef<{ x: number; y: number; moved: boolean }>(undefined)
  const where = ({ clientX, clientY }: PointerEvent): [x: number, y: number] => {
    const { left, top } = place.current!.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  return {
    onPointerDown: (event) => {
      from.current = { x: event.clientX, y: event.clientY, moved: false }
    },
    onPointerMove: (event) => {
      const start = from.current
      if (start === undefined || event.buttons === 0) return hover(...where(event))
      const [dx, dy] = [start.x - event.clientX, start.y - event.clientY]
      if (!start.moved && Math.abs(dx) + Math.abs(dy) < 4) return
      if (!start.moved) event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY, moved: true }
      move(dx / place.current!.clientWidth)
      place.current!.scrollTop += dy
    },
    onPointerUp: (event) => {
      if (from.current?.moved === false) press(...where(event))
      from.current = undefined
    },
  }
}

import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { LaneBar, TimelineLanes } from '../../src/protocol.ts'
import { useBench } from '../state/store.ts'
import { useDarkness } from '../state/theme.ts'
import { drawLanes, type LaneColours, readColours } from './draw-lanes.ts'
import type { Geometry } from './lane-geometry.ts'

/** Measures the place for the picture, and its scroll position. */
export function useSize(
  place: RefObject<HTMLDivElement | null>,
  setSize: (size: { width: number; height: number; scrollTop: number }) => void,
): void {
  useLayoutEffect(() => {
    const node = place.current!
    const look = (): void => setSize({ width: node.clientWidth, height: node.clientHeight, scrollTop: node.scrollTop })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(node)
    return () => observer.disconnect()
  }, [place, setSize])
}

interface Picture {
  lanes: TimelineLanes
  geometry: Geometry
  chosen: number | undefined
  hovered: LaneBar | undefined
}

/** Draws whenever something has changed, and never otherwise. */
export function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  probe: RefObject<HTMLSpanElement | null>,
  picture: Picture,
): void {
  const servers = useBench((bench) => bench.servers)
  const palette = useRef<{ key: string; colours: LaneColours }>(undefined)
  const key = useDarkness()
  useLayoutEffect(() => {
    if (palette.current?.key !== key) palette.current = { key, colours: readColours(probe.current!) }
    const { width, height } = picture.geometry
    const node = canvas.current!
    const scale = devicePixelRatio
    if (node.width !== Math.round(width * scale) || node.height !== Math.round(height * scale)) {
      node.width = Math.round(width * scale)
      node.height = Math.round(height * scale)
      node.style.width = `${width}px`
      node.style.height = `${height}px`
    }
    const context = node.getContext('2d')
    if (context === null || width === 0) return
    context.setTransform(scale, 0, 0, scale, 0, 0)
    const nameOf = (server: string): string => servers.find(({ id }) => id === server)?.spec.name ?? 'This session'
    drawLanes(context, { ...picture, palette: palette.current.colours, nameOf })
  })
}

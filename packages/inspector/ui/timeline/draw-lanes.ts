import type { LaneBar, TimelineLanes } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { axisHeight, boxOf, type Geometry, groupTop, headHeight, laneHeight, toX } from './lane-geometry.ts'
import { afterBeginning, axisSteps } from './lane-view.ts'

/** The colours of the theme that is in use, as the canvas needs them. */
export interface LaneColours {
  [name: string]: string
}

const names = [
  'text',
  'muted',
  'line',
  'surface',
  'sunken',
  'accent',
  'danger',
  'warn',
  'ok',
  'accent-soft',
  'danger-soft',
  'warn-soft',
  'ok-soft',
]

/** Reads the colours from elements that have them: a variable alone does not say which of two themes is in use. */
export function readColours(probe: HTMLElement): LaneColours {
  const palette: LaneColours = {}
  for (const name of names) {
    probe.style.color = `var(--${name})`
    palette[name] = getComputedStyle(probe).color
  }
  return palette
}

const colours: { readonly [status: string]: string } = {
  ok: 'ok',
  asks: 'accent',
  error: 'danger',
  lost: 'danger',
  refused: 'danger',
  pending: 'warn',
  cancelled: 'warn',
}

/** A sign for the status of a request, beside its colour. */
const marks: { readonly [status: string]: string } = {
  asks: '? ',
  error: '✕ ',
  lost: '✕ ',
  refused: '✕ ',
  pending: '… ',
  cancelled: '⊘ ',
}

interface Scene {
  lanes: TimelineLanes
  geometry: Geometry
  palette: LaneColours
  /** The id of the chosen message, or of its counterpart. */
  chosen: number | undefined
  hovered: LaneBar | undefined
  nameOf: (server: string) => string
}

/** Draws the bars in view. None of them is an element: 100,000 requests cost no more than a hundred. */
export function drawLanes(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height } = scene.geometry
  const { palette } = scene
  context.fillStyle = palette.surface!
  context.fillRect(0, 0, width, height)
  const steps = stepsOf(scene)
  context.fillStyle = palette.line!
  for (const at of steps.at)
    context.fillRect(Math.round(toX(scene.geometry, scene.lanes.begin + at)), axisHeight, 1, height)
  drawRounds(context, scene)
  for (const bar of scene.lanes.bars) drawBar(context, scene, bar)
  drawHeads(context, scene)
  drawAxis(context, scene, steps)
}

interface Steps {
  at: number[]
  stepMs: number
}

function stepsOf({ geometry, lanes }: Scene): Steps {
  const at = axisSteps(geometry.window, lanes.begin, geometry.width / 110)
  return { at, stepMs: at.length > 1 ? at[1]! - at[0]! : geometry.window.to - geometry.window.from }
}

function drawAxis(context: CanvasRenderingContext2D, { geometry, palette, lanes }: Scene, { at, stepMs }: Steps): void {
  context.fillStyle = palette.sunken!
  context.fillRect(0, 0, geometry.width, axisHeight)
  context.fillStyle = palette.line!
  context.fillRect(0, axisHeight - 1, geometry.width, 1)
  context.fillStyle = palette.muted!
  context.font = '12px system-ui, sans-serif'
  for (const ms of at) context.fillText(afterBeginning(ms, stepMs), toX(geometry, lanes.begin + ms) + 4, 17)
}

function drawHeads(context: CanvasRenderingContext2D, { geometry, palette, nameOf }: Scene): void {
  context.font = '600 12px system-ui, sans-serif'
  for (const [index, { server }] of geometry.groups.entries()) {
    const top = groupTop(geometry.groups, index, geometry.scrollTop)
    if (top > geometry.height || top + headHeight < 0) continue
    context.fillStyle = palette.sunken!
    context.fillRect(0, top, geometry.width, headHeight)
    context.fillStyle = palette.text!
    context.fillText(visibleLine(nameOf(server)), 8, top + 16)
  }
}

/** The time between the rounds of a call, in which a person was asked, as a thin line. */
function drawRounds(context: CanvasRenderingContext2D, { lanes, geometry, palette }: Scene): void {
  context.fillStyle = palette.accent!
  let asking: LaneBar | undefined
  for (const bar of lanes.bars) {
    if (bar.kind !== 'request') continue
    if (asking !== undefined && asking.lane === bar.lane && asking.method === bar.method && asking.name === bar.name) {
      const [from, to] = [boxOf(asking, geometry), boxOf(bar, geometry)]
      const left = from.x + from.width
      context.fillRect(left, from.y + from.height / 2, Math.max(0, to.x - left), 1)
    }
    asking = bar.status === 'asks' ? bar : undefined
  }
}

function drawBar(context: CanvasRenderingContext2D, scene: Scene, bar: LaneBar): void {
  const { geometry, palette, chosen, hovered } = scene
  const { x, y, width, height } = boxOf(bar, geometry)
  if (y + height < axisHeight || y > geometry.height) return
  const isTick = height < laneHeight - 4
  const colour = isTick ? 'muted' : (colours[bar.status ?? ''] ?? 'accent')
  context.fillStyle = (isTick ? palette.text : width < 6 ? palette[colour] : palette[`${colour}-soft`])!
  context.fillRect(x, y, width, height)
  if (isTick) return
  context.fillStyle = palette[colour]!
  context.fillRect(x, y, Math.min(width, 3), height)
  if (bar.end !== undefined && width > 6) context.fillRect(x + width - 1, y, 1, height)
  context.fillRect(x, y + height - 1, width, 1)
  if (width > 28) label(context, palette, bar, x, y, width)
  const isChosen = bar.id === chosen || (bar.pair !== undefined && bar.pair === chosen)
  if (!isChosen && bar !== hovered) return
  context.strokeStyle = isChosen ? palette.text! : palette.muted!
  context.lineWidth = isChosen ? 2 : 1
  context.strokeRect(x - 1, y - 1, width + 2, height + 2)
}

function label(
  context: CanvasRenderingContext2D,
  palette: LaneColours,
  bar: LaneBar,
  x: number,
  y: number,
  width: number,
): void {
  context.save()
  context.beginPath()
  context.rect(x, y, width - 2, laneHeight)
  context.clip()
  context.fillStyle = palette.text!
  context.font = '12px system-ui, sans-serif'
  context.fillText(`${marks[bar.status ?? ''] ?? ''}${barTitle(bar)}`, Math.max(4, x + 7), y + 13)
  context.restore()
}

/** The title of a bar. */
export function barTitle({ kind, method, name, count, from }: LaneBar): string {
  if (count !== undefined) return `${count.toLocaleString('en')} ${kind === 'request' ? 'requests' : 'messages'}`
  const who = from === 'server' && kind === 'request' ? '← ' : ''
  return visibleLine(`${who}${method || kind}${name === undefined ? '' : ` ${name}`}`)
}

import { allowAttribute } from '../permissions.ts'
import type { AppPermissions, ContainerDimensions } from '../vocabulary.ts'

/**
 * The frame around the sandbox page. It may run scripts and keep its own origin, as it must to be told apart; it may not
 * navigate this page, open windows, download, or show dialogs, and neither may anything inside it.
 */
export function sandboxFrame(
  document: Document,
  url: URL,
  permissions: AppPermissions,
  title: string,
): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  frame.setAttribute('allow', allowAttribute(permissions))
  frame.setAttribute('referrerpolicy', 'no-referrer')
  frame.title = title
  frame.src = url.href
  // Through the object model: a style attribute may be forbidden by the policy of this page.
  Object.assign(frame.style, { border: '0', width: '100%', display: 'block' })
  return frame
}

const defaultMaxSize = 2_000

/** Resizes the frame to the size of the view, within the bounds of the host; a fixed size stays. */
export function fitFrame(
  frame: HTMLIFrameElement,
  size: { width?: number; height?: number },
  room: ContainerDimensions = {},
  maxSize: number = defaultMaxSize,
): void {
  const height = room.height ?? limited(size.height, room.maxHeight ?? maxSize)
  if (height !== undefined) frame.style.height = `${height}px`
  const width = room.width ?? limited(size.width, room.maxWidth)
  if (width !== undefined) frame.style.width = `${width}px`
}

/** Without a bound there is no room to choose from: the frame stays as wide as its container. */
const limited = (value: number | undefined, max: number | undefined): number | undefined =>
  value === undefined || max === undefined ? undefined : Math.min(Math.ceil(value), max)

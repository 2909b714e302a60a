import type { ContainerDimensions, DisplayMode, HostContext } from '@tenon/sdk/apps/host'

/** The members that differ from what a view was told; a mode that it does not know is kept from it. */
export function changedContext(
  told: HostContext,
  now: HostContext,
  modes: readonly DisplayMode[] | undefined,
): HostContext {
  const isNew = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(told[name]) !== JSON.stringify(value) &&
    (name !== 'displayMode' || modes === undefined || modes.includes(value as DisplayMode))
  return Object.fromEntries(Object.entries(now).filter(isNew))
}

/** Gives a frame its room. Where the height is free it is the one that the view has told last. */
export function fitFrame(
  { style }: HTMLIFrameElement,
  { width, height, maxHeight }: ContainerDimensions,
  told: number | undefined,
): void {
  style.width = width === undefined ? '100%' : `${width}px`
  if (height !== undefined) style.height = `${height}px`
  else style.height = told === undefined ? '' : `${Math.min(Math.ceil(told), maxHeight ?? told)}px`
}

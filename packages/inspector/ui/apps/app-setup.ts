import type { ContainerDimensions, DisplayMode, HostContext } from '@tenon/sdk/apps/host'

/** The surroundings that a person has chosen for a view. */
export interface AppSetup {
  device: DeviceName
  /** Pixels, for a size of one's own. */
  width: number
  height: number
  theme: 'page' | 'light' | 'dark'
  /** As typed; empty is that of the browser. */
  locale: string
  safeArea: SafeAreaName
  /** Pixels, for a safe area of one's own. */
  insets: Insets
}

export type Insets = NonNullable<HostContext['safeAreaInsets']>
type DeviceName = 'fill' | 'small-phone' | 'phone' | 'tablet' | 'laptop' | 'own'
type SafeAreaName = 'none' | 'top' | 'side' | 'own'

interface Device {
  label: string
  width: number
  height: number
  platform: NonNullable<HostContext['platform']>
}

/** The sizes to choose from; `fill` and `own` have none of their own. */
export const devices: ReadonlyMap<DeviceName, Device> = new Map([
  ['small-phone', { label: 'Small phone, 360 × 640', width: 360, height: 640, platform: 'mobile' }],
  ['phone', { label: 'Phone, 390 × 844', width: 390, height: 844, platform: 'mobile' }],
  ['tablet', { label: 'Tablet, 820 × 1180', width: 820, height: 1180, platform: 'mobile' }],
  ['laptop', { label: 'Laptop, 1280 × 800', width: 1280, height: 800, platform: 'desktop' }],
])

const none: Insets = { top: 0, right: 0, bottom: 0, left: 0 }

/** The safe areas to choose from: those of a phone with a notch. */
export const safeAreas: ReadonlyMap<SafeAreaName, { label: string; insets: Insets }> = new Map([
  ['none', { label: 'None', insets: none }],
  ['top', { label: 'Notch at the top', insets: { top: 59, right: 0, bottom: 34, left: 0 } }],
  ['side', { label: 'Notch at the side', insets: { top: 0, right: 59, bottom: 21, left: 59 } }],
])

export const usualSetup: AppSetup = {
  device: 'fill',
  width: 600,
  height: 400,
  theme: 'page',
  locale: '',
  safeArea: 'none',
  insets: none,
}

/** The pixels at each edge that a view keeps free. */
export const insetsOf = ({ safeArea, insets }: AppSetup): Insets => safeAreas.get(safeArea)?.insets ?? insets

/** A locale in its usual spelling; undefined if it is none. */
export function readLocale(text: string): string | undefined {
  if (text === '') return navigator.language
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

const maxHeight = 800
const floating = { width: 320, height: 240 }

/** The room of a view: `free` is that of a page which shows nothing else. */
function roomFor(setup: AppSetup, mode: DisplayMode, free: ContainerDimensions): ContainerDimensions {
  const size = setup.device === 'own' ? setup : devices.get(setup.device)
  if (mode === 'pip') return floating
  if (mode === 'fullscreen') return size === undefined ? free : { width: size.width, height: size.height }
  return size === undefined ? { maxHeight } : { width: size.width, maxHeight: size.height }
}

/** The surroundings as the view is told of them. */
export function contextFor(
  setup: AppSetup,
  pageTheme: 'light' | 'dark',
  mode: DisplayMode,
  free: ContainerDimensions,
): HostContext {
  const platform = devices.get(setup.device)?.platform ?? 'web'
  const isTouched = platform === 'mobile'
  return {
    theme: setup.theme === 'page' ? pageTheme : setup.theme,
    displayMode: mode,
    availableDisplayModes: ['inline', 'fullscreen', 'pip'],
    containerDimensions: roomFor(setup, mode, free),
    locale: readLocale(setup.locale) ?? navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform,
    deviceCapabilities: { touch: isTouched, hover: !isTouched },
    safeAreaInsets: insetsOf(setup),
  }
}

import { useSyncExternalStore } from 'react'
import { setLook, useLook } from '../state/look.ts'

/** From this width on a list, a form, its result and the panel fit beside each other. */
const wide = matchMedia('(min-width: 1680px)')
/** Below this width there is one pane. */
const narrow = matchMedia('(max-width: 999px)')

const useMedia = (query: MediaQueryList): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )

/** The panel is beside the page, or below it. */
export type PanelPlace = 'beside' | 'below'

/** Whether the panel is open, and on which side of the page: as the person chose, or else as there is room. */
export function useRoom(): {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  place: PanelPlace
  /** Undefined where there is no room to choose. */
  setPlace: ((place: PanelPlace) => void) | undefined
} {
  const isWide = useMedia(wide)
  const isNarrow = useMedia(narrow)
  const opened = useLook('panel')
  const chosen = useLook('panel-place')
  const usual = isWide ? 'beside' : 'below'
  const place = isNarrow ? 'below' : chosen === 'beside' || chosen === 'below' ? chosen : usual
  return {
    isOpen: opened === undefined ? isWide : opened === 'open',
    setOpen: (isOpen) => setLook('panel', isOpen ? 'open' : 'closed'),
    place,
    setPlace: isNarrow ? undefined : (next) => setLook('panel-place', next),
  }
}

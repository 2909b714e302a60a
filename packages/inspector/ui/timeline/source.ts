import { createContext, useContext, useMemo } from 'react'

/** The session whose messages are shown, instead of those of the servers. */
export const TimelineSource = createContext<string | undefined>(undefined)

/** The parameters that say which timeline a command is about. */
export function useSource(): { session?: string } {
  const session = useContext(TimelineSource)
  return useMemo(() => (session === undefined ? {} : { session }), [session])
}

const place = 'tenon-key'

/**
 * The key with which this page speaks to the backend. It comes once, behind the #, and is kept where only this origin can read
 * it; the address does not keep it.
 */
function takeKey(): string {
  const [, given] = /^#key=([\w-]+)$/.exec(location.hash) ?? []
  if (given === undefined) return localStorage.getItem(place) ?? ''
  localStorage.setItem(place, given)
  history.replaceState(null, '', '/')
  return given
}

/** The header that goes with every request. */
export const keyHeader: { 'Tenon-Key': string } = { 'Tenon-Key': takeKey() }

/** A way in which a repository of a stranger could run a program or lead outside. */
export interface Trick {
  /** Builds it into a repository. `program` is a script that creates the marker. */
  plant(place: TrickPlace): void
  /** Calls that would set it off, beside those that every trick gets. */
  calls?: readonly (readonly [tool: string, args: { [name: string]: unknown }])[]
  /** The original server falls for it. */
  originalFalls: boolean
  /** Variables of the environment in which the server is started. */
  environment?(place: TrickPlace): { [name: string]: string }
}

export interface TrickPlace {
  /** The repository, with one commit of `a.txt`. */
  readonly folder: string
  /** A script that creates the marker. Whatever it gets on stdin it passes on, so that a filter works. */
  readonly program: string
  /** A folder that is not allowed. */
  readonly outside: string
}

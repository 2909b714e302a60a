export interface Package {
  name: string
  folder: string
}

/** Every package that is published: its name, and its folder in the repository. */
export const published: readonly Package[]

/** Some of them by name, and those that they depend on. */
export function withDependencies(names: readonly string[]): Package[]

export interface Tarball extends Package {
  /** The absolute path of the tarball. */
  path: string
  /** The paths in the tarball. */
  files: string[]
}

/** Packs packages into a folder: the build as it is, or after building. */
export function pack(
  packages: readonly Package[],
  destination: string,
  options?: { build?: boolean },
): Promise<Tarball[]>

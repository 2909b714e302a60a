import type { ModelPreferences } from '../../model/sampling.ts'

/**
 * The model that a server prefers: the first hint that is part of the name of one of these models decides.
 * Undefined if no hint does; then cost, speed and intelligence are to be weighed.
 */
export function chooseModel(preferences: ModelPreferences | undefined, models: readonly string[]): string | undefined {
  for (const { name } of preferences?.hints ?? []) {
    const found = name === undefined ? undefined : models.find((model) => model.includes(name))
    if (found !== undefined) return found
  }
  return undefined
}

import { chooseModel, type ModelPreferences } from '@tenon/sdk/client'
import type { AnyLanguageModel } from './language-model.ts'

/** A model that servers may use, and how good it is at things, from 0 to 1. */
export interface SamplingModel {
  model: AnyLanguageModel
  /** `provider/model` if missing; hints of servers are looked for in it. */
  name?: string
  /** 1 is the cheapest. */
  cheap?: number
  fast?: number
  intelligent?: number
}

const nameOf = ({ name, model }: SamplingModel): string => name ?? `${model.provider}/${model.modelId}`

/** Priorities outside of 0 to 1 are cut, so that none of them can outweigh the others without bound. */
const priority = (value: number | undefined): number => (Number.isFinite(value) ? Math.min(1, Math.max(0, value!)) : 0)

/**
 * The model for a sampling request: the first hint that is part of a name decides, then the priorities of the server.
 * The first model if nothing does.
 */
export function chooseSamplingModel(
  models: readonly SamplingModel[],
  preferences?: ModelPreferences,
): AnyLanguageModel {
  const [first] = models
  if (!first) throw new TypeError('Expected at least one model')
  const hinted = chooseModel(preferences, models.map(nameOf))
  if (hinted !== undefined) return models.find((entry) => nameOf(entry) === hinted)!.model
  const scoreOf = ({ cheap = 0.5, fast = 0.5, intelligent = 0.5 }: SamplingModel): number =>
    cheap * priority(preferences?.costPriority) +
    fast * priority(preferences?.speedPriority) +
    intelligent * priority(preferences?.intelligencePriority)
  return models.reduce((best, entry) => (scoreOf(entry) > scoreOf(best) ? entry : best), first).model
}

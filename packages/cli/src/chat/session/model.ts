import { resolve } from 'node:path'
import type { AnyLanguageModel } from '@tenon/host/chat'
import { usage } from '../../exit.ts'
import type { Surroundings } from '../../terminal/terminal.ts'

/** A model and the name that it was chosen by. */
export interface ChosenModel {
  name: string
  model: AnyLanguageModel
}

/** The model of a name. */
export async function modelNamed(name: string, { cwd, env }: Surroundings): Promise<ChosenModel> {
  const { resolveModel } = await import('@tenon/host/chat')
  const [, file] = /^scripted:(.+)$/s.exec(name) ?? []
  return { name, model: await resolveModel(file === undefined ? name : `scripted:${resolve(cwd, file)}`, { env }) }
}

/** The model of `--model` or of the environment. */
export async function chosenModel(given: string | undefined, surroundings: Surroundings): Promise<ChosenModel> {
  const name = given ?? surroundings.env.TENON_MODEL
  if (name !== undefined && name !== '') return await modelNamed(name, surroundings)
  throw usage('Expected a model: there is neither --model nor the variable TENON_MODEL', waysToAModel)
}

const waysToAModel = `--model anthropic/claude-sonnet-5-5 with ANTHROPIC_API_KEY; openai/… and google/… alike.
--model ollama/llama3.2, or http://localhost:11434/v1#llama3.2, for a model on this machine.
--demo tries the chat offline, without any key.`

import { embed, image, prompt, type ServerPrompt, text } from '@tenon/sdk/server'
import { png } from './media.ts'

export const prompts: ServerPrompt[] = [
  prompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    run: () => 'This is a simple prompt for testing.',
  }),
  prompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: {
      type: 'object',
      properties: {
        arg1: { type: 'string', description: 'First test argument' },
        arg2: { type: 'string', description: 'Second test argument' },
      },
      required: ['arg1', 'arg2'],
    },
    complete: { arg1: (typed) => ['testing', 'paris', 'party'].filter((value) => value.startsWith(typed)) },
    run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  prompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that brings a resource',
    arguments: { type: 'object', properties: { resourceUri: { type: 'string' } }, required: ['resourceUri'] },
    run: ({ resourceUri: uri }) => [
      {
        role: 'user',
        content: embed({ uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }),
      },
      { role: 'user', content: text('Please process the embedded resource above.') },
    ],
  }),
  prompt({
    name: 'test_prompt_with_image',
    description: 'A prompt that brings an image',
    run: () => [
      { role: 'user', content: image(png, 'image/png') },
      { role: 'user', content: text('Please analyze the image above.') },
    ],
  }),
]

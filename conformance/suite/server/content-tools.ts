import { audio, embed, image, type ServerTool, text, tool } from '@tenon/sdk/server'
import { png, wav } from './media.ts'

/** Tools that return one kind of content each. The suite probes headers with the first tool of the list. */
export const contentTools: ServerTool[] = [
  tool({
    name: 'test_simple_text',
    description: 'Returns a text',
    run: () => 'This is a simple text response for testing.',
  }),
  tool({
    name: 'test_image_content',
    description: 'Returns an image',
    run: () => image(png, 'image/png'),
  }),
  tool({
    name: 'test_audio_content',
    description: 'Returns a sound',
    run: () => audio(wav, 'audio/wav'),
  }),
  tool({
    name: 'test_embedded_resource',
    description: 'Returns a resource with its text',
    run: () =>
      embed({
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      }),
  }),
  tool({
    name: 'test_multiple_content_types',
    description: 'Returns a text, an image and a resource',
    run: () => [
      text('Multiple content types test:'),
      image(png, 'image/png'),
      embed({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      }),
    ],
  }),
  tool({
    name: 'test_error_handling',
    description: 'Always fails',
    run: (_, ctx) => ctx.error('This tool intentionally returns an error for testing'),
  }),
]

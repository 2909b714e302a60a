import { type ServerTool, tool } from '@tenon/sdk/server'

/** Tools for tests of their input schema. */
export const schemaTools: ServerTool[] = [
  tool({
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema that uses what JSON Schema 2020-12 offers',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: (input) => `Called with ${JSON.stringify(input)}`,
  }),
  tool({
    name: 'test_x_mcp_header',
    description: 'Has an argument that clients repeat in a header',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    run: (input) => `Called with ${JSON.stringify(input)}`,
  }),
]

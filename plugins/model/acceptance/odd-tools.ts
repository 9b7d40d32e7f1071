import type { Tool } from '../model.ts'

const text = { type: 'string' }

/** Tools as MCP servers describe them. Each is refused unchanged by some provider. */
export const ODD_TOOLS: readonly Tool[] = [
  {
    name: '3d_print',
    description: 'Prints',
    parameters: {
      type: 'object',
      properties: {
        link: { type: 'string', format: 'uri', description: 'Where the model lies' },
        count: { type: ['integer', 'null'], minimum: 1 },
        size: { type: 'number', enum: [1, 2.5] },
        colour: { type: 'string', enum: [] },
        shade: { type: 'string', enum: ['', 'dark'] },
        tags: { type: 'array' },
        options: { type: 'object' },
        prices: { type: 'object', additionalProperties: { type: 'number' } },
        'full name': text,
        anything: {},
        kind: { const: 'print' },
        part: { $ref: '#/$defs/part' },
        weight: { type: 'number', exclusiveMinimum: 0 },
        pair: { type: 'array', items: [text, { type: 'integer' }] },
      },
      required: ['link', 'full name'],
      additionalProperties: false,
      $defs: { part: { type: 'object', properties: { id: text, parts: { type: 'array', items: { $ref: '#/$defs/part' } } } } },
      $schema: 'http://json-schema.org/draft-07/schema#',
    },
  },
  {
    name: 'choose',
    description: 'Chooses',
    parameters: {
      anyOf: [
        { type: 'object', properties: { id: text }, required: ['id'] },
        { type: 'object', properties: { sku: text, store: text }, required: ['sku', 'store'] },
      ],
    },
  },
  {
    name: 'both',
    description: 'Takes both',
    parameters: { allOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
  },
  { name: 'now', description: 'Tells the time', parameters: { type: 'object' } },
  { name: 'nothing', description: 'Takes nothing', parameters: {} },
]

/** Tool whose parameters are not an object, so it cannot be described. */
export const NO_OBJECT: Tool = { name: 'shout', description: 'Shouts', parameters: { type: 'string' } }

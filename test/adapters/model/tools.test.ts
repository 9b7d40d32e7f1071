import { describe, expect, test } from 'bun:test'
import { requestOf as anthropicRequest } from '../../../adapters/model/anthropic/request.ts'
import { requestOf as geminiRequest } from '../../../adapters/model/gemini/request.ts'
import { schemaOf } from '../../../adapters/model/gemini/schema.ts'
import type { Completion } from '../../../plugins/model/index.ts'
import { CallPieces } from '../../../plugins/model/toolkit/call-pieces.ts'
import { chatRequest } from '../../../plugins/model/toolkit/chat-request.ts'
import { ReasoningDetails } from '../../../plugins/model/toolkit/reasoning-details.ts'
import { tellTools } from '../../../plugins/model/toolkit/tell-tools.ts'
import { restoreArguments } from '../../../plugins/model/toolkit/tool-arguments.ts'
import { objectSchema } from '../../../plugins/model/toolkit/tool-schema.ts'
import { anthropicRefusal, geminiRefusal, openAiRefusal } from './schema-refusals.ts'

const messages: Completion['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
const completion = (parameters: object, name = 'tool'): Completion => ({
  model: 'm',
  messages,
  tools: [{ name, description: 'Does it', parameters: parameters as Record<string, unknown> }],
})
const properties = (one: object) => ({ type: 'object', properties: { one } })

const odd: readonly (readonly [string, object])[] = [
  ['format: uri', properties({ type: 'string', format: 'uri' })],
  ['an unknown format of a number', properties({ type: 'number', format: 'decimal' })],
  ['type as a list', properties({ type: ['string', 'null'], maxLength: 3 })],
  ['type as a list of several', properties({ type: ['string', 'integer', 'array'] })],
  ['an enum of numbers', properties({ type: 'integer', enum: [1, 2] })],
  ['an enum without a type', properties({ enum: ['a', 2, null, true] })],
  ['an empty enum', properties({ type: 'string', enum: [] })],
  ['an enum with an empty string', properties({ type: 'string', enum: ['', 'a'] })],
  ['an array without items', properties({ type: 'array' })],
  ['an array with a tuple', properties({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] })],
  ['an array with items: true', properties({ type: 'array', items: true })],
  ['anyOf at the top', { anyOf: [properties({ type: 'string' }), { type: 'object', properties: { two: { type: 'string' } } }] }],
  ['oneOf of required ones at the top', { ...properties({ type: 'string' }), oneOf: [{ required: ['one'] }, { required: [] }] }],
  [
    'allOf at the top',
    { allOf: [properties({ type: 'string' }), { $ref: '#/$defs/more' }], $defs: { more: properties({ type: 'number' }) } },
  ],
  ['a reference at the top', { $ref: '#/definitions/all', definitions: { all: properties({ type: 'string' }) } }],
  ['an object without properties', { type: 'object' }],
  ['an inner object without properties', properties({ type: 'object' })],
  ['a map', properties({ type: 'object', additionalProperties: { type: 'string' } })],
  ['no schema at all', {}],
  ['a property of any kind', properties({})],
  ['a property that is true', { type: 'object', properties: { one: true } }],
  ['const', properties({ const: 7 })],
  ['a circle', { ...properties({ $ref: '#' }) }],
  ['a reference to nowhere', properties({ $ref: '#/$defs/none' })],
  ['bounds of draft 4', properties({ type: 'number', minimum: 0, exclusiveMinimum: true })],
  ['required of draft 3', properties({ type: 'string', required: true })],
  ['a type that does not exist', properties({ type: 'any' })],
  [
    'names of properties that are no names',
    { type: 'object', properties: { 'full name': {}, '1st': {}, 'naïve.x/y': {} }, required: ['1st'] },
  ],
  ['required of what is not there', { ...properties({ type: 'string' }), required: ['two'] }],
  ['null alone', properties({ type: 'null' })],
]

describe.each(odd)('a tool with %s', (_, parameters) => {
  test('is told to OpenAI, Anthropic and Gemini in a form that each takes', () => {
    for (const name of ['tool', 'a tool', '3d', 'بحث', 'x'.repeat(70)]) {
      const asked = completion(parameters, name)
      const settings = { longest: 100, version: '2023-06-01' }
      const { tools: ofOpenAi } = chatRequest(asked) as { tools: Parameters<typeof openAiRefusal>[0] }
      const { tools: ofAnthropic } = anthropicRequest({ settings } as never, asked) as { tools: Parameters<typeof anthropicRefusal>[0] }
      const { tools: ofGemini } = geminiRequest(asked) as unknown as {
        tools: { functionDeclarations: Parameters<typeof geminiRefusal>[0] }[]
      }
      expect([openAiRefusal(ofOpenAi), anthropicRefusal(ofAnthropic), geminiRefusal(ofGemini[0]?.functionDeclarations)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect([ofOpenAi?.length, ofAnthropic?.length, ofGemini[0]?.functionDeclarations?.length]).toEqual([1, 1, 1])
    }
  })
})

test('tools of models: schema keywords that a provider refuses are moved into the description', () => {
  expect(objectSchema(properties({ type: 'string', format: 'uri', description: 'Where' }))?.properties).toEqual({
    one: { type: 'string', description: 'Where (Format: uri)' },
  })
  expect(
    objectSchema({
      anyOf: [
        { required: ['id'], properties: { id: {} } },
        { required: ['sku'], properties: { sku: {} } },
      ],
    }),
  ).toEqual({
    type: 'object',
    properties: { id: {}, sku: {} },
    description: 'Give one of: id; or sku.',
  })
  expect(schemaOf({ type: 'object', properties: { a: { type: ['integer', 'null'], multipleOf: 5 } } })).toEqual({
    type: 'object',
    properties: { a: { type: 'integer', nullable: true, description: '(multipleOf: 5)' } },
  })
})

test('arguments come back as the schema of the tool names and types them', () => {
  const parameters = {
    type: 'object',
    properties: {
      size: { type: 'number', enum: [1, 2.5] },
      options: { type: 'object' },
      'full name': { type: 'string' },
      anything: {},
      code: { type: 'string' },
      list: { type: 'array', items: { anyOf: [{ type: 'object', properties: { 'a b': { type: 'integer' } } }, { type: 'null' }] } },
    },
  }
  const { callOf, tools } = tellTools(completion(parameters, '3 d'))
  expect(tools.map(({ name }) => name)).toEqual(['_3_d'])
  const written = { size: '2.5', options: '{"a":1}', full_name: 'Amina', anything: '[1]', code: '16', list: [{ a_b: '7' }, null] }
  const call = callOf({ id: 'a', name: '_3_d', arguments: JSON.stringify(written) })
  expect(call.name).toBe('3 d')
  expect(JSON.parse(call.arguments)).toEqual({
    size: 2.5,
    options: { a: 1 },
    'full name': 'Amina',
    anything: [1],
    code: '16',
    list: [{ 'a b': 7 }, null],
  })
  expect(restoreArguments('no JSON', properties({}))).toBe('no JSON')
  expect(restoreArguments('{ "one" : "x" }', properties({ type: 'string' }))).toBe('{ "one" : "x" }')
})

test('two names that are alike once they are plain stay two', () => {
  const tools = ['a b', 'a_b', 'a.b'].map((name) => ({ name, description: '', parameters: {} }))
  const told = tellTools({ messages, tools })
  expect(told.tools.map(({ name }) => name)).toEqual(['a_b_2', 'a_b', 'a_b_3'])
  expect(told.tools.map(({ name }) => told.callOf({ id: '1', name, arguments: '{}' }).name)).toEqual(['a b', 'a_b', 'a.b'])
})

test('tools of models: parallel calls with index 0 are distinguished by their ids, or else by their names', () => {
  const calls = (pieces: object[]) => {
    const gathered = new CallPieces()
    for (const piece of pieces) gathered.add(piece as Record<string, unknown>)
    return gathered.whole(undefined).map(({ id, name, arguments: given }) => `${id} ${name} ${given}`)
  }
  const piece = (index: number | undefined, id: string | undefined, name: string | undefined, given: string) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { ...(name !== undefined && { name }), arguments: given },
  })
  expect(calls([piece(0, 'a', 'x', '{"k"'), piece(0, undefined, undefined, ':1}'), piece(0, 'b', 'x', '{}')])).toEqual([
    'a x {"k":1}',
    'b x {}',
  ])
  expect(
    calls([piece(0, 'a', 'x', ''), piece(0, 'b', 'y', ''), piece(0, 'a', undefined, '{}'), piece(0, 'b', undefined, '{"z":1}')]),
  ).toEqual(['a x {}', 'b y {"z":1}'])
  expect(calls([piece(0, '', 'x', '{}'), piece(0, '', 'y', '{"a":1}')])).toEqual(['call-0 x {}', 'call-1 y {"a":1}'])
  expect(calls([piece(1, 'b', 'y', '{}'), piece(0, 'a', 'x', '{}')])).toEqual(['a x {}', 'b y {}'])
  expect(calls([piece(undefined, 'a', 'x', '{"k"'), piece(undefined, undefined, undefined, ':1}')])).toEqual(['a x {"k":1}'])
})

test('details of reasoning are joined from their pieces, and go back with the calls', () => {
  const details = new ReasoningDetails()
  details.add({ type: 'reasoning.text', index: 0, text: 'I ', signature: null })
  details.add({ type: 'reasoning.text', index: 0, text: 'think.', signature: 'sig' })
  details.add({ type: 'reasoning.encrypted', index: 1, data: 'abc' })
  const whole = [
    { type: 'reasoning.text', index: 0, text: 'I think.', signature: 'sig' },
    { type: 'reasoning.encrypted', index: 1, data: 'abc' },
  ]
  expect(JSON.parse(details.text() ?? '')).toEqual(whole)
  const toolCalls = [{ id: 'a', name: 'tool', arguments: '{}', carry: details.text() ?? '' }]
  const { messages: sent } = chatRequest({ model: 'm', messages: [...messages, { role: 'assistant', text: '', toolCalls }] })
  expect(sent[1]).toMatchObject({ role: 'assistant', reasoning_details: whole })
})
